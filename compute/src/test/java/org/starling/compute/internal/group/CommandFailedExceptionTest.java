package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.starling.net.RemoteException;
import org.starling.net.RequestTimeoutException;
import org.starling.store.UnservedException;

/** What a master makes of what slaves say. */
final class CommandFailedExceptionTest {
    @Test
    void keepsTheKindThatAnotherSlaveHasTold() {
        UnservedException first = new UnservedException("nobody serves it at the moment", null);
        RemoteException asked =
                new RemoteException(
                        3,
                        "FindValues(3144) failed at node 3: " + CommandFailedException.of(first));

        assertThat(told(asked))
                .isInstanceOf(UnservedException.class)
                .hasMessage("nobody serves it at the moment");
    }

    @Test
    void callsASlaveThatDoesNotAnswerAnotherOneLostAsTheMasterDoes() {
        assertThat(told(new RequestTimeoutException(3, "no answer of node 3 in 30000 ms")))
                .isInstanceOf(SlaveLostException.class);
    }

    private static RuntimeException told(RuntimeException thrown) {
        String text = String.valueOf(CommandFailedException.of(thrown).getMessage());
        return CommandFailedException.unwrap(text, new IllegalStateException("reported"));
    }
}
