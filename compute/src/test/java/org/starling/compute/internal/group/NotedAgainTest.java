package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.internal.graph.MadeRecord;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.MadeRecords;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.RecoveryMessage.KeepCheckpoints;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveManifest;
import org.starling.compute.internal.run.WorkerTeam;
import org.starling.compute.internal.run.ZeroedMemory;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.NameService;
import org.starling.store.StoreNode;

/** A maker notes chunks again, as the directory did not say that it has, while a master removes. */
@Timeout(120)
final class NotedAgainTest {
    private static final long TERM = Attempt.term(7, 1);

    private static final int FILLER = 6_000;

    private TestGroup group;

    @BeforeEach
    void open() {
        group = TestGroup.durable(3);
    }

    @AfterEach
    void close() {
        group.close();
    }

    /** The master finds the record before its maker has heard that it is noted, and unpinned it. */
    @Test
    void leavesNothingWhenTheMasterComesBetweenTheNoteAndTheUnpinning() {
        long before = group.chunks();
        AtomicInteger calls = new AtomicInteger();
        Consumer<Runnable> hook =
                register -> {
                    if (calls.getAndIncrement() == 0) {
                        throw new IndeterminateException("nobody leads the directory", null);
                    }
                    register.run();
                    group.orphans(TERM).removeCheckpoints(_ -> true);
                };
        failToSave(hook);

        boolean isGone =
                isSoon(() -> {
                    group.orphans(TERM).removeCheckpoints(_ -> true);
                    return calls.get() > 1 && group.chunks() == before;
                });
        assertThat(isGone).as("chunks %d, before %d", group.chunks(), before).isTrue();
    }

    /**
     * Too few backups are there when the master would remove, and the maker has not heard that the
     * chunks are noted. When they are gone others get their ids.
     */
    @Tag("thorough")
    @Test
    void takesNoChunkOfOthersThatHasGotTheId() {
        StoreNode peer = group.node(0);
        AtomicBoolean silent = new AtomicBoolean(true);
        AtomicInteger calls = new AtomicInteger();
        failToSave(deaf(silent, calls));
        MadeRecord record = new MadeRecords(names()).list(7, Kind.CHECKPOINT).getFirst();
        long id = record.ranges().getFirst().first();
        ChunkService own = peer.chunks().near(id).with(Durability.PROCESS);
        long filler = own.createRange(FILLER, 8); // with it the page of the id gets many free ones
        OrphanedChunks orphans = group.orphans(TERM);
        group.kill(1);
        group.kill(2);
        group.awaitMembers(1);

        orphans.removeCheckpoints(_ -> true);
        int heard = calls.get();
        silent.set(false);
        assertThat(isSoon(() -> calls.get() > heard)).isTrue();
        group.join();
        group.join();
        TestGroup.await(() -> !own.exists(id));
        own.removeRange(filler, FILLER);
        long others = own.create(8);
        for (int i = 0; others != id && i < 10_000; i++) {
            others = own.create(8);
        }
        assertThat(others).as("an id that is free is given out").isEqualTo(id);

        orphans.removeCheckpoints(_ -> true);

        assertThat(own.exists(id)).as("somebody else's chunk is there still").isTrue();
    }

    // private

    private NameService names() {
        return group.node(-1).names();
    }

    /** It does what it is asked, and does not say so. */
    private static Consumer<Runnable> deaf(AtomicBoolean silent, AtomicInteger calls) {
        return register -> {
            boolean isSilent = silent.get();
            boolean isFirst = calls.get() == 0;
            if (!isSilent || isFirst) {
                register.run();
            }
            calls.incrementAndGet();
            if (isSilent) {
                throw new IndeterminateException("nobody leads the directory", null);
            }
        };
    }

    private void failToSave(Consumer<Runnable> register) {
        try (WorkerTeam team = new WorkerTeam("team", 1);
                ZeroedMemory memory = new ZeroedMemory()) {
            SlaveGraphs graphs = new SlaveGraphs(group.context(0, team, memory, register));
            SaveManifest save = new SaveManifest(Attempt.of(TERM, 1), true, new long[] {1, 2, 3});
            assertThatThrownBy(() -> graphs.saveManifest(save))
                    .isInstanceOf(IndeterminateException.class);
            graphs.keep(new KeepCheckpoints(TERM, new long[0]));
        }
    }

    private static boolean isSoon(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > 8_000_000_000L) {
                return false;
            }
            LockSupport.parkNanos(10_000_000);
        }
        return true;
    }
}
