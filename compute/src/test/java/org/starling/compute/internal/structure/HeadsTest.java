package org.starling.compute.internal.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.internal.structure.StructureType.Kind;
import org.starling.graph.Structures;
import org.starling.net.LoopbackHub;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/** Heads of structures in a cluster that has lost a peer and has too few for backups now. */
@Timeout(60)
final class HeadsTest {
    private static final StoreConfig CONFIG =
            StoreConfig.defaults()
                    .withHeapBytes(16 << 20)
                    .withRequestTimeout(Duration.ofSeconds(2));

    private static final StructureType TYPE =
            new StructureType(Kind.LIST, List.of("value"), List.of("long"));

    private static final String NAME = "structure/7/list";

    @TempDir Path folder;
    private final LoopbackHub hub = new LoopbackHub();
    private final List<StoreNode> peers = new ArrayList<>();
    private StoreNode superpeer;
    private Heads heads;

    @BeforeEach
    void open() {
        superpeer = StoreNode.startSuperpeer(NodeOptions.loopback(hub, CONFIG));
        for (int i = 0; i < 3; i++) {
            Path data = folder.resolve("peer-" + i);
            peers.add(
                    StoreNode.startPeer(NodeOptions.loopback(hub, CONFIG).withDataDirectory(data)));
        }
        heads = new Heads(superpeer, new PageStore(superpeer));
    }

    @AfterEach
    void close() {
        superpeer.close();
        peers.forEach(StoreNode::crash);
    }

    @Tag("slow")
    @Test
    void stayOnDisksOrAsTheyWereWhereTheirPagesAreOnDisks() {
        heads.create(NAME, Head.fresh(TYPE, Structures.Durability.POWER));
        long before = superpeer.names().lookup(NAME);

        losePeer();

        assertThatThrownBy(() -> heads.change(NAME, head -> head.with(true, false)))
                .isInstanceOf(StoreException.class);
        assertThat(superpeer.names().lookup(NAME)).isEqualTo(before);
        assertThat(heads.read(NAME)).hasValueSatisfying(head -> assertThat(head.kept()).isFalse());
    }

    @Test
    void changeWithoutBackupsWhereTheirPagesHaveNone() {
        heads.create(NAME, Head.fresh(TYPE, Structures.Durability.MEMORY));

        losePeer();

        heads.change(NAME, head -> head.with(true, false));
        assertThat(ChunkId.isReplicated(superpeer.names().lookup(NAME))).isFalse();
    }

    private void losePeer() {
        peers.getLast().crash();
        while (superpeer.promised() != Durability.MEMORY) {
            Thread.onSpinWait();
        }
    }
}
