package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.internal.directory.ZoneInfo;

/** Up to where a stream is safe: mostly when no more than one backup is wanted. */
@Timeout(20)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
class ZoneStateTest {
    private static final long ZONE = ChunkId.zoneOf(1, 0);
    private static final long EPOCH = 3;
    private static final long END = 10;

    private static final ZoneRounds ROUNDS =
            new ZoneRounds(
                    1,
                    System::nanoTime,
                    new ZoneRounds.Work() {
                        @Override
                        public boolean isEmpty() {
                            return true;
                        }

                        @Override
                        public boolean hasWork() {
                            return false;
                        }

                        @Override
                        public void doWork() {}
                    });

    private final PiecePool pool = new PiecePool(1024);

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void oneDiskIsEnoughForTheOnlyBackup() {
        ZoneState state = written(List.of(2));

        tell(state, 2, END, END);

        assertThat(state.powerEnd).isEqualTo(END);
    }

    /** One was silent until the other had come in its place, and got on before it was retired. */
    @Test
    void twoBackupsHaveToHaveItOnTheirDisksAsTheDirectoryCountsOnEither() {
        ZoneState state = written(List.of(2, 3));

        tell(state, 2, END, 0);
        tell(state, 3, END, END);

        assertThat(state.processEnd).isEqualTo(END);
        assertThat(state.powerEnd).as("on the disk of one of two holders").isZero();

        tell(state, 2, END, END);
        assertThat(state.powerEnd).isEqualTo(END);
    }

    @Test
    void nothingIsSafeNorShownBeforeTheFirstConfirmation() {
        ZoneState state = written(List.of(2, 3), 2, ZoneState.NEVER);

        tell(state, 2, END, END);
        tell(state, 3, END, END);

        assertThat(state.settled).isZero();
        assertThat(state.processEnd).isZero();
        assertThat(state.powerEnd).isZero();

        state.confirmedEpoch = EPOCH;
        tell(state, 3, END, END);
        assertThat(state.settled).isEqualTo(END);
        assertThat(state.powerEnd).isEqualTo(END);
    }

    /** Until then holders count that may have other changes at the same positions. */
    @Test
    void nothingIsAcknowledgedAfterATakeoverWithoutADiskBeforeItsBackupsAreConfirmed() {
        ZoneState state = written(List.of(), 2, EPOCH);
        ZoneInfo more =
                new ZoneInfo(ZONE, 1, EPOCH + 2, List.of(2, 3), false, false, List.of(), false);
        state.lock.lock();
        try {
            state.changeTo(more, new ArrayList<>());
            state.channels.values().forEach(each -> each.isBroken = false);
        } finally {
            state.lock.unlock();
        }
        tell(state, 2, END, END);
        tell(state, 3, END, END);
        assertThat(state.powerEnd).isZero();

        state.confirmedEpoch = EPOCH + 2;
        tell(state, 3, END, END);
        assertThat(state.powerEnd).isEqualTo(END);
    }

    @Test
    void theFirstConfirmationWaitsUntilAllBackupsHaveBegun() {
        ZoneState state = written(List.of(2, 3), 2, ZoneState.NEVER);

        assertThat(state.mayConfirm()).isFalse();
        tell(state, 2, END, END);
        assertThat(state.mayConfirm()).isFalse();
        tell(state, 3, 1, 0);

        assertThat(state.mayConfirm()).isTrue();
    }

    /** A former backup of a zone that was never confirmed has nothing that was acknowledged. */
    @Test
    void theFirstConfirmationBehindAChangeOfBackupsWaitsForNoDisk() {
        ZoneState state = written(List.of(2, 3, 4), 2, ZoneState.NEVER);
        ZoneInfo fewer =
                new ZoneInfo(ZONE, 1, EPOCH + 1, List.of(2, 3), false, false, List.of(), false);
        state.lock.lock();
        try {
            state.changeTo(fewer, new ArrayList<>());
        } finally {
            state.lock.unlock();
        }
        tell(state, 2, END, 0);
        tell(state, 3, END, 0);

        assertThat(state.mayConfirm()).isTrue();
    }

    private ZoneState written(List<Integer> backups) {
        return written(backups, 1, EPOCH);
    }

    private ZoneState written(List<Integer> backups, int enough, long confirmed) {
        ZoneInfo info = new ZoneInfo(ZONE, 1, EPOCH, backups, false, false, List.of(), false);
        ZoneState state = new ZoneState(1, enough, pool, ROUNDS, info, confirmed, 0, List.of());
        state.end = END;
        return state;
    }

    private static void tell(ZoneState state, int node, long end, long forcedEnd) {
        state.lock.lock();
        try {
            state.channels.get(node).learned(end, forcedEnd);
            state.advance(new ArrayList<>());
        } finally {
            state.lock.unlock();
        }
    }
}
