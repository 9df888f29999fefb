package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.starling.compute.internal.protocol.ComputeMessage.FailureKind;
import org.starling.compute.internal.protocol.RunMessage.Failure;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.net.RemoteException;
import org.starling.net.RequestTimeoutException;
import org.starling.store.UnservedException;

final class FirstFailureTest {
    private final FirstFailure failure = new FirstFailure();

    /** As one of users may, whose fields are not set. */
    private static final class Speechless extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no words");
        }
    }

    @Test
    void keepsTheFirstReason() {
        failure.note(new IllegalArgumentException("one"), () -> "here");
        failure.note(new InvalidInputException("two"), () -> "there");

        assertThat(failure.first())
                .contains(
                        new Failure(
                                FailureKind.JOB_FAILED,
                                "here: java.lang.IllegalArgumentException: one"));
    }

    @Test
    void tellsConsequencesFromReasons() {
        failure.abandon("another slave has failed");
        failure.note(new IllegalStateException("made of the stop by a program"), () -> "here");

        assertThat(failure.first())
                .contains(new Failure(FailureKind.ABANDONED, "another slave has failed"));
    }

    /** A job goes on behind these. */
    @Test
    void tellsWhatPassesFromWhatStays() {
        failure.note(new UnservedException("not now", null), () -> "here");
        assertThat(failure.first()).contains(new Failure(FailureKind.UNSERVED, "not now"));

        FirstFailure other = new FirstFailure();
        other.note(new RequestTimeoutException(3, "no answer of node 3"), () -> "here");
        assertThat(other.first()).contains(new Failure(FailureKind.LOST, "no answer of node 3"));

        FirstFailure told = new FirstFailure();
        String text = "FindTexts failed: " + new Failure(FailureKind.DATA_LOST, "gone").marked();
        told.note(new RemoteException(3, text), () -> "here");
        assertThat(told.first()).contains(new Failure(FailureKind.DATA_LOST, "gone"));
    }

    /** A job does not get better by being done again then. */
    @Test
    void takesWhatAProgramThrowsForAReason() {
        failure.note(new JobCancelledException("enough"), () -> "here");

        assertThat(failure.first()).map(Failure::kind).contains(FailureKind.JOB_FAILED);
    }

    /** Red where the worker dies of it, and the others wait for it at the barrier for ever. */
    @Test
    void tellsTheClassOfAnExceptionThatCannotSayWhatItIs() {
        failure.note(new Speechless(), () -> "here");

        assertThat(failure.first())
                .contains(new Failure(FailureKind.JOB_FAILED, Speechless.class.getName()));
    }
}
