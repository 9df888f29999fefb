package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.Chunks;
import org.starling.store.NodeOptions;
import org.starling.store.RangeCopy;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.RangeMap;

/** Owners that change in the directory, and nodes that know an owner who is not one. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class MoveTest {
    private final long reservedBefore = NativeMemory.reservedBytes();
    private final NodeOptions options =
            NodeOptions.loopback(new LoopbackHub(), StoreConfig.defaults().withHeapBytes(16 << 20));
    private final Node superpeer = Node.startSuperpeer(options);
    private final Node one = Node.startPeer(options);
    private final Node two = Node.startPeer(options);
    private final Node three = Node.startPeer(options);

    @AfterEach
    void leavesNoMemoryBehind() {
        three.close();
        two.close();
        one.close();
        superpeer.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void asksTheNewOwnerAfterTheDirectoryHasSwitched() {
        long id = one.chunks().create(3);
        three.directory().apply(new Command.AssignRange(id, id + 9, two.nodeId()));
        await(() -> !one.chunks().isLocal(id) && two.chunks().isLocal(id), "both owners know");

        // Nothing was copied, so the new owner does not have it: who asks gets its answer, not that
        // of the old one.
        assertThatThrownBy(() -> three.chunks().get(id)).isInstanceOf(ChunkNotFoundException.class);
        assertThatThrownBy(() -> one.chunks().put(id, new byte[3]))
                .isInstanceOf(ChunkNotFoundException.class);

        three.directory().apply(new Command.AssignRange(id, id + 9, one.nodeId()));
        await(
                () -> one.chunks().isLocal(id) && three.locations().ownerOf(id) == one.nodeId(),
                "all know");
        assertThat(three.chunks().get(id)).hasSize(3);
    }

    @Test
    void findsTheOwnerWhenItKnowsAWrongOne() {
        long id = one.chunks().createRange(100, 5);
        ChunkService user = three.chunks();

        believeInTwo(id);
        assertThat(user.get(id)).hasSize(5);
        believeInTwo(id);
        user.put(id, new byte[] {1});
        believeInTwo(id);
        assertThat(user.size(id)).isEqualTo(1);
        believeInTwo(id);
        user.resize(id, 2);
        believeInTwo(id);
        user.put(new long[] {id, id + 1}, new byte[][] {{7}, {8}});
        believeInTwo(id);
        Chunks chunks = user.get(new long[] {id, id + 1, id + 500});
        believeInTwo(id);
        try (RangeCopy copy = user.readRange(id, 100)) {
            assertThat(copy.get(1)).containsExactly(8);
            assertThat(copy.bytes(99)).isEqualTo(5);
        }
        believeInTwo(id);
        user.remove(new long[] {id, id + 1});
        believeInTwo(id);
        assertThat(user.removeRange(id, 100)).isEqualTo(98);

        assertThat(chunks.get(0)).containsExactly(7);
        assertThat(chunks.exists(2)).isFalse();
        assertThat(one.chunks().statistics().chunks()).isZero();
    }

    @Test
    void readsNoChunkOfARangeFromANodeThatDoesNotOwnItAnyMore() {
        long id = one.chunks().createRange(10, 5);
        three.directory().apply(new Command.AssignRange(id + 5, id + 9, two.nodeId()));
        await(
                () -> !one.chunks().isLocal(id + 5) && two.chunks().isLocal(id + 5),
                "both owners know");

        try (RangeCopy copy = three.chunks().readRange(id, 10)) {
            assertThat(copy.get(4)).hasSize(5);
            assertThat(copy.exists(5)).as("nothing was copied to the new owner").isFalse();
            assertThat(copy.exists(9)).isFalse();
        }
    }

    @Test
    void refusesToGiveChunksToStrangers() {
        assertThatThrownBy(() ->
                        one.directory()
                                .apply(
                                        new Command.AssignRange(
                                                ChunkId.of(1, 0), ChunkId.of(1, 9), 77)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("77");
        assertThatThrownBy(() -> one.directory().apply(new Command.RemoveNode(two.nodeId())))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("itself");
    }

    private void believeInTwo(long id) {
        three.locations().moved(new RangeMap.Range(id, id + 999, two.nodeId()));
    }

    private static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting until %s", what).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
