package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.LoopbackHub;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.Result;

/** Peers that are declared lost between their registration and their first heartbeat. */
@Timeout(60)
final class LostWhileJoiningTest {
    private final StoreConfig config = StoreConfig.defaults().withHeapBytes(16 << 20);
    private final LoopbackHub hub = new LoopbackHub();
    private final AtomicInteger registered = new AtomicInteger();
    @TempDir Path folder;
    private Node superpeer;

    @BeforeEach
    void open() {
        superpeer = Node.startSuperpeer(NodeOptions.loopback(hub, config));
    }

    @AfterEach
    void close() {
        superpeer.close();
    }

    @Test
    void beginAnewInTheSameFolder() {
        loseTheFirst(2);

        try (Node peer = Node.startPeer(options())) {
            assertThat(registered).hasValue(3);
            assertThat(superpeer.members().isMember(peer.nodeId())).isTrue();
            assertThat(peer.isExpelled()).isFalse();
        }
    }

    @Test
    void giveUpWhenTheTimeForJoiningIsOver() {
        loseTheFirst(Integer.MAX_VALUE);

        assertThatThrownBy(() ->
                        Node.startPeer(
                                NodeOptions.loopback(
                                        hub, config.withJoinTimeout(Duration.ofSeconds(2)))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("was declared lost while it joined");
        assertThat(registered.get()).isPositive();
    }

    private NodeOptions options() {
        return NodeOptions.loopback(hub, config).withDataDirectory(folder);
    }

    /** Removes so many peers as soon as they are registered. */
    private void loseTheFirst(int count) {
        DirectoryReplica replica = Objects.requireNonNull(superpeer.host()).replica();
        replica.onApplied((command, result) -> {
            if (command instanceof Command.RegisterNode
                    && result instanceof Result.NodeRegistered peer
                    && registered.incrementAndGet() <= count) {
                var _ = replica.apply(new Command.RemoveNode(peer.node(), peer.incarnation()));
            }
        });
    }
}
