package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.internal.protocol.ComputeMessage.Done;

/** Which masters' commands a slave does. */
@Timeout(60)
final class CommandsTest {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Commands commands =
            new Commands(this::stop, () -> events.add("forget"), IllegalStateException::new);

    private void stop() {
        events.add("stop");
        stopped.countDown();
    }

    private void does(long term, String what) throws IOException {
        commands.shared(
                term,
                () -> {
                    events.add(what);
                    return new Done();
                });
    }

    @Test
    void refusesAnOlderMasterOnceANewerOneHasSpoken() throws IOException {
        does(3, "third");
        does(5, "fifth");

        assertThatThrownBy(() -> does(4, "fourth"))
                .isInstanceOf(StaleMasterException.class)
                .hasMessageContaining("term 4")
                .hasMessageContaining("term 5");
        assertThatThrownBy(() -> commands.alone(4, Done::new))
                .isInstanceOf(StaleMasterException.class);
        assertThatThrownBy(() -> commands.quick(4, () -> events.add("quick")))
                .isInstanceOf(StaleMasterException.class);
        does(5, "again");
        assertThat(events)
                .containsExactly("stop", "forget", "third", "stop", "forget", "fifth", "again");
    }

    @Test
    void doesNothingForANewMasterBeforeWhatOlderOnesMadeIsGone() throws IOException {
        List<String> tries = new CopyOnWriteArrayList<>();
        Commands failing =
                new Commands(
                        () -> {},
                        () -> {
                            tries.add("forget");
                            if (tries.size() < 3) {
                                throw new IllegalStateException("something does not stop");
                            }
                        },
                        IllegalStateException::new);

        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> failing.shared(7, Done::new))
                    .hasMessage("something does not stop");
        }
        failing.shared(7, Done::new);
        failing.shared(7, Done::new);

        assertThat(tries).hasSize(3);
    }

    @Test
    void waitsUntilAnOlderMastersWorkIsOutBeforeItForgets() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<Void> older =
                    CompletableFuture.runAsync(
                            () -> {
                                try {
                                    commands.shared(0, () -> work(inside));
                                } catch (IOException e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            threads);
            inside.await();

            does(1, "newer");

            older.join();
            assertThat(events).containsExactly("stop", "older is out", "forget", "newer");
        }
    }

    private Done work(CountDownLatch inside) {
        inside.countDown();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        events.add("older is out");
        return new Done();
    }
}
