package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.LoopbackHub;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;
import org.starling.store.Chunks;
import org.starling.store.NodeOptions;
import org.starling.store.RangeCopy;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.RangeMap;

/** Nodes that know an owner who is not one. */
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
    void letsANodeRemoveItselfOnly() {
        assertThatThrownBy(() -> one.directory().apply(new Command.RemoveNode(two.nodeId())))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("itself");
    }

    private void believeInTwo(long id) {
        three.locations().moved(new RangeMap.Range(id, id + 999, two.nodeId()));
    }
}
