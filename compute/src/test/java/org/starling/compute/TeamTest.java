package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.JobFailedException;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.PerNode;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.Team;
import org.starling.graph.TeamProgram;

/** What workers do together, behind all shards of a superstep; and what shards see of edges. */
@Timeout(60)
final class TeamTest {
    private static final int VERTICES = 1_000;

    @AutoClose private static final Clusters clusters = new Clusters();

    private static String graph(int peers, BuildOptions options) {
        return clusters.build(peers, TestEdges.random(3, VERTICES, 3_000), options);
    }

    /**
     * Superstep 0: shards note their vertices on the node's list, and the team sends each of them
     * its degree by way of the next superstep, and counts itself.
     */
    private static final class Roll implements TeamProgram {
        private PerNode<AtomicLongArray> noted;
        private LongChannel degrees;
        private LongState state;
        private LongAggregator workers;
        private LongAggregator sizes;

        @Override
        public void declare(Declaration graph) {
            noted = graph.perNode("noted", () -> new AtomicLongArray(VERTICES));
            degrees = graph.longChannel("degrees", LongCombiner.SUM);
            state = graph.longState("degree", -1);
            workers = graph.longAggregator("workers", LongCombiner.SUM);
            sizes = graph.longAggregator("sizes", LongCombiner.SUM);
        }

        @Override
        public void compute(Shard shard) {
            for (long v = shard.first(); v < shard.end(); v++) {
                if (shard.superstep() == 0) {
                    noted.get().set((int) v, 1);
                } else {
                    state.set(v, degrees.received(v));
                }
            }
        }

        @Override
        public void together(Team team) {
            workers.add(1);
            sizes.add(team.size());
            if (team.superstep() > 0) {
                return;
            }
            for (int v = 0; v < VERTICES; v++) {
                if (noted.get().compareAndSet(v, 1, 0)) {
                    degrees.send(v, team.adjacency().degree(v) + 1L);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void comesBehindAllShardsOfTheNodeAndMaySend(int peers) {
        String graph = graph(peers, BuildOptions.UNDIRECTED);

        var result = clusters.run(peers, graph, Roll::new);

        long[] degrees = clusters.longs(peers, graph, "degree");
        long edges = clusters.session(peers).info(graph).storedEdges();
        assertThat(java.util.Arrays.stream(degrees).sum()).isEqualTo(edges + VERTICES);
        assertThat(degrees).doesNotContain(-1, 0);
        assertThat(result.messages()).isEqualTo(VERTICES);
        assertThat(result.supersteps()).isEqualTo(2);
        // each worker says how many there are on its node
        long perNode = result.longAggregate("workers") / peers;
        assertThat(result.longAggregate("sizes")).isEqualTo(peers * perNode * perNode);
    }

    /** All workers of a node meet, or nobody goes on. */
    private static final class Meeting implements TeamProgram {
        private PerNode<AtomicInteger> here;

        @Override
        public void declare(Declaration graph) {
            here = graph.perNode("here", AtomicInteger::new);
        }

        @Override
        public void compute(Shard shard) {}

        @Override
        public void together(Team team) {
            here.get().incrementAndGet();
            while (here.get().get() < team.size()) {
                team.check();
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void allWorkersOfANodeAreInItAtOnce(int peers) {
        assertThat(clusters.run(peers, graph(peers, BuildOptions.UNDIRECTED), Meeting::new))
                .satisfies(result -> assertThat(result.supersteps()).isEqualTo(1));
    }

    /** One worker fails, all others wait for it. */
    private static final class Broken implements TeamProgram {
        private final CountDownLatch waits = new CountDownLatch(1);
        private PerNode<AtomicInteger> first;

        @Override
        public void declare(Declaration graph) {
            first = graph.perNode("first", AtomicInteger::new);
        }

        @Override
        public void compute(Shard shard) {}

        @Override
        public void together(Team team) {
            if (first.get().getAndIncrement() == 0) {
                throw new IllegalStateException("out of step");
            }
            try {
                while (!waits.await(1, TimeUnit.MILLISECONDS)) {
                    team.check();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void failureOfOneWorkerEndsTheWaitOfTheOthers() {
        String graph = graph(2, BuildOptions.UNDIRECTED);

        assertThatThrownBy(() -> clusters.run(2, graph, Broken::new))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("failed in superstep 0 at the work of its team")
                .hasMessageContaining("out of step");
        assertThat(clusters.run(2, graph, Roll::new).supersteps()).isEqualTo(2);
    }

    /** Every third vertex is written to; who was is asked for in two ways. */
    private static final class Letters implements ShardProgram {
        private LongChannel letters;
        private LongState seen;

        @Override
        public void declare(Declaration graph) {
            letters = graph.longChannel("letters", LongCombiner.SUM);
            seen = graph.longState("seen", 0);
        }

        @Override
        public void compute(Shard shard) {
            if (shard.superstep() == 0) {
                for (long v = shard.first(); v < shard.end(); v++) {
                    if (v % 3 == 0) {
                        letters.send(VERTICES - 1 - v, 1);
                    }
                }
                return;
            }
            long at = letters.nextReceiver(shard.first());
            for (long v = shard.first(); v < shard.end(); v++) {
                boolean next = v == at;
                seen.set(v, next == letters.hasReceived(v) ? next ? 1 : 0 : -1);
                if (next) {
                    at = letters.nextReceiver(v + 1);
                }
            }
            if (at != -1) {
                seen.set(shard.first(), -2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void nextReceiverGoesFromOneReceiverToTheNext(int peers) {
        String graph = graph(peers, BuildOptions.UNDIRECTED);

        clusters.run(peers, graph, Letters::new);

        long[] seen = clusters.longs(peers, graph, "seen");
        for (int v = 0; v < VERTICES; v++) {
            assertThat(seen[v]).as("vertex %d", v).isEqualTo((VERTICES - 1 - v) % 3 == 0 ? 1 : 0);
        }
    }

    /** Counts a vertex's incoming edges, once from its rows, once from what others send along. */
    private static final class Incoming implements ShardProgram {
        private LongChannel arrows;
        private LongState counted;
        private LongState received;

        @Override
        public void declare(Declaration graph) {
            arrows = graph.longChannel("arrows", LongCombiner.SUM);
            counted = graph.longState("counted", 0);
            received = graph.longState("received", 0);
        }

        @Override
        public void compute(Shard shard) {
            for (long v = shard.first(); v < shard.end(); v++) {
                if (shard.superstep() > 0) {
                    received.set(v, arrows.received(v));
                    continue;
                }
                long sum = 0;
                for (int i = 0; i < shard.incoming().degree(v); i++) {
                    sum += shard.incoming().neighbour(v, i) + 1;
                }
                counted.set(v, sum);
                for (int i = 0; i < shard.adjacency().degree(v); i++) {
                    arrows.send(shard.adjacency().neighbour(v, i), v + 1);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void incomingRowsHaveThoseWhoPointAtAVertex(boolean directed) {
        String graph = graph(2, directed ? BuildOptions.DIRECTED : BuildOptions.UNDIRECTED);

        clusters.run(2, graph, Incoming::new);

        assertThat(clusters.longs(2, graph, "counted"))
                .isEqualTo(clusters.longs(2, graph, "received"))
                .isNotEqualTo(new long[VERTICES]);
    }
}
