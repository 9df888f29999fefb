package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.NetStatistics;
import org.starling.store.Durability;

/** Nodes that join and ask at once, before those they ask can have heard of them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class NewcomersTest {
    private static final int JOINS = 30;

    /** One superpeer in so many joins is started anew. */
    private static final int JOINS_PER_RESTART = 6;

    /** Of a first answer; a request that is lost takes 10 s. */
    private static final Duration SOON = Duration.ofSeconds(4);

    @TempDir Path folder;

    @Tag("slow")
    @Test
    void areAnsweredAtOnceWhoeverTheyAskAndWhicheverSuperpeerStartsAnew() {
        // They stay until answers have been counted: who leaves may leave one behind.
        List<Node> newcomers = new ArrayList<>();
        try (StoredCluster cluster = new StoredCluster(folder, 3, 3, StoredCluster.config())) {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ids.add(cluster.peer(i).chunks().with(Durability.MEMORY).create(8));
                ids.add(cluster.peer(i).chunks().with(Durability.PROCESS).create(8));
            }
            try {
                join(cluster, ids, newcomers);
                assertThat(cluster.nodes())
                        .extracting(node -> node.network().statistics())
                        .extracting(NetStatistics::unanswered)
                        .containsOnly(0L);
            } finally {
                newcomers.forEach(Node::close);
            }
        }
    }

    private void join(StoredCluster cluster, List<Long> ids, List<Node> newcomers) {
        for (int i = 0; i < JOINS; i++) {
            if (i % JOINS_PER_RESTART == 0) {
                int superpeer = i / JOINS_PER_RESTART % 3;
                cluster.crashSuperpeer(superpeer);
                cluster.startSuperpeer(superpeer);
            }
            long first = ids.get(i % ids.size());
            Node newcomer = Node.startPeer(cluster.peerOptions(folder.resolve("new" + i)));
            newcomers.add(newcomer);
            long start = System.nanoTime();
            assertThat(newcomer.chunks().get(first)).hasSize(8);
            long peer = newcomer.chunks().createOn(cluster.peer(i % 3).nodeId(), new int[] {4});
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("join %d", i)
                    .isLessThan(SOON);
            assertThat(newcomer.chunks().exists(peer)).isTrue();
        }
    }
}
