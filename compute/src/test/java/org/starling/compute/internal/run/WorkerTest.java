package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.internal.protocol.ComputeMessage.FailureKind;
import org.starling.compute.internal.protocol.RunMessage.Failure;
import org.starling.net.LoopbackHub;
import org.starling.net.NetException;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

@Timeout(30)
final class WorkerTest {
    private static final int VERTICES = 100;

    private StoreNode store;
    private ReceivingRun run;

    @BeforeEach
    void open() {
        store =
                StoreNode.startSuperpeer(
                        NodeOptions.loopback(
                                new LoopbackHub(), StoreConfig.defaults().withHeapBytes(8 << 20)));
        run = new ReceivingRun(store, VERTICES);
    }

    @AfterEach
    void close() {
        run.close();
        store.close();
    }

    /** What a program makes of it comes too late: the receiver would wait for the message. */
    @Test
    void notesThatAMessageCannotBeSentBeforeItsProgramSeesThat() {
        int owner = run.context.graph.shards().ownerOf(0);
        Slaves slaves = new Slaves(new int[] {store.nodeId(), owner}, store.nodeId());
        Channel channel = run.context.channels.getFirst();

        try (Worker worker = new Worker(run.context, slaves)) {
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 1_000_000; i++) {
                                    worker.send(channel, i % VERTICES, i);
                                }
                            })
                    .isInstanceOf(NetException.class);
        }

        assertThat(run.context.failure.first()).map(Failure::kind).contains(FailureKind.LOST);
        assertThat(run.context.stop.isRaised()).isTrue();
    }
}
