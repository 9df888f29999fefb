package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.registerName;

import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.InMemoryDirectory;

/** How often a superpeer was started, where its replica has yet to hear of that. */
final class StartCountTest {
    private static final String NAME = StartCount.name(2);

    /** Knows what was applied before a snapshot, until it has been looked at some times. */
    private static final class Behind extends InterposedDirectory {
        final InMemoryDirectory snapshot = new InMemoryDirectory();
        int looksBehind;

        Behind(int looksBehind) {
            this.looksBehind = looksBehind;
        }

        @Override
        public <T> T read(Function<Directory, T> query) {
            return looksBehind-- > 0 ? snapshot.read(query) : directory.read(query);
        }

        @Override
        public void close() {
            snapshot.close();
            super.close();
        }
    }

    private static long next(Behind replica, long known) {
        return StartCount.next(
                replica, 2, known, command -> replica.apply(command).join(), () -> false);
    }

    private static long noted(Behind replica) {
        return replica.directory.<Long>read(state -> state.lookup(NAME));
    }

    private static void register(InMemoryDirectory directory, long starts) {
        directory.apply(registerName(NAME, starts)).join();
    }

    @Test
    void countsFromOneWithoutAWordOfBefore() {
        try (Behind replica = new Behind(0)) {
            assertThat(next(replica, 1)).isEqualTo(1);
            assertThat(noted(replica)).isEqualTo(1);
        }
    }

    @Test
    void goesOnFromTheGreaterOfDiskAndDirectory() {
        try (Behind replica = new Behind(0)) {
            register(replica.directory, 7);

            assertThat(next(replica, 1)).isEqualTo(8);
            assertThat(next(replica, 12)).isEqualTo(12);
        }
    }

    @Test
    void goesOnFromTheLastStartThoughItsReplicaHasHeardOfAnEarlierOneOnly() {
        try (Behind replica = new Behind(3)) {
            register(replica.snapshot, 4);
            register(replica.directory, 7);

            assertThat(next(replica, 1)).isEqualTo(8);
            assertThat(noted(replica)).isEqualTo(8);
        }
    }

    @Test
    void givesUpOnAReplicaThatDoesNotCatchUp() {
        try (Behind replica = new Behind(Integer.MAX_VALUE)) {
            register(replica.directory, 7);

            assertThatThrownBy(() ->
                            StartCount.next(
                                    replica,
                                    2,
                                    1,
                                    command -> replica.apply(command).join(),
                                    () -> true))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("how often it was started");
            assertThat(noted(replica)).isEqualTo(7);
        }
    }
}
