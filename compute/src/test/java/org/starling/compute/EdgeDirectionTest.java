package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleChannel;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.EdgeDirection;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.RunResult;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.Vertex;
import org.starling.graph.VertexChannel;
import org.starling.graph.VertexProgram;

/** Broadcasts along edges, against them, and both ways. */
final class EdgeDirectionTest {
    private static final long SEED = 7;
    private static final int VERTICES = 400;
    private static final int EDGES = 1_500;

    @AutoClose private static final Clusters clusters = new Clusters();

    @ParameterizedTest
    @CsvSource({"2, OUTGOING", "3, BOTH"})
    void reachesThoseWhoLieInTheDirection(int peers, EdgeDirection direction) {
        for (BuildOptions options :
                new BuildOptions[] {
                    BuildOptions.DIRECTED,
                    BuildOptions.UNDIRECTED,
                    BuildOptions.DIRECTED.withWideNeighbours()
                }) {
            TestEdges edges = TestEdges.random(SEED, VERTICES, EDGES);
            ModelGraph model = new ModelGraph(edges, options.directed());
            String graph = clusters.build(peers, edges, options);
            for (int speakEvery : new int[] {200, 3, 1}) {
                int every = speakEvery;
                RunResult result = clusters.run(peers, graph, () -> new Call(direction, every));

                long[] sums = clusters.longs(peers, graph, "sum");
                long[] counts = clusters.longs(peers, graph, "count");
                long[] callers = clusters.longs(peers, graph, "caller");
                long messages = 0;
                for (int v = 0; v < VERTICES; v++) {
                    long[] said =
                            senders(model, v, direction, options.directed())
                                    .filter(u -> u % every == 0)
                                    .toArray();
                    String what =
                            "%s at %d, every %d, seed %d".formatted(direction, v, every, SEED);
                    assertThat(sums[v]).as(what).isEqualTo(LongStream.of(said).sum());
                    assertThat(counts[v]).as(what).isEqualTo(said.length);
                    assertThat(callers[v])
                            .as(what)
                            .isEqualTo(LongStream.of(said).min().orElse(VertexChannel.NONE));
                    messages += 3L * said.length;
                }
                assertThat(result.messages()).isEqualTo(messages);
            }
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "1, OUTGOING",
        "1, INCOMING",
        "1, BOTH",
        "2, INCOMING",
        "2, BOTH",
        "3, OUTGOING",
        "3, INCOMING"
    })
    void reachesThoseWhoLieInTheDirectionInMoreCases(int peers, EdgeDirection direction) {
        reachesThoseWhoLieInTheDirection(peers, direction);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "1, false", "3, true", "3, false"})
    void showsRowsOfIncomingEdges(int peers, boolean directed) {
        TestEdges edges = TestEdges.random(SEED, VERTICES, EDGES);
        ModelGraph model = new ModelGraph(edges, directed);
        String graph = clusters.build(peers, edges, new BuildOptions(directed, false));

        clusters.run(peers, graph, SourceSums::new);

        long[] sums = clusters.longs(peers, graph, "sources");
        for (int v = 0; v < VERTICES; v++) {
            assertThat(sums[v])
                    .isEqualTo(model.in.get(v).keySet().stream().mapToLong(u -> u + 1).sum());
        }
    }

    private static LongStream senders(
            ModelGraph model, int v, EdgeDirection direction, boolean directed) {
        LongStream along = model.in.get(v).keySet().stream().mapToLong(u -> u);
        LongStream against = model.out.get(v).keySet().stream().mapToLong(u -> u);
        return switch (direction) {
            case OUTGOING -> along;
            case INCOMING -> against;
            case BOTH -> directed ? LongStream.concat(along, against) : along;
        };
    }

    /** Some vertices speak once, on three channels; everybody writes down what they hear. */
    private static final class Call implements VertexProgram {
        private final EdgeDirection direction;
        private final int speakEvery;
        private LongChannel ordinals;
        private DoubleChannel ones;
        private VertexChannel calls;
        private LongState sum;
        private LongState count;
        private LongState caller;

        Call(EdgeDirection direction, int speakEvery) {
            this.direction = direction;
            this.speakEvery = speakEvery;
        }

        @Override
        public void declare(Declaration graph) {
            ordinals = graph.longChannel("ordinals", LongCombiner.SUM, direction);
            ones = graph.doubleChannel("ones", DoubleCombiner.SUM, direction);
            calls = graph.vertexChannel("calls", direction);
            sum = graph.longState("sum", 0);
            count = graph.longState("count", 0);
            caller = graph.longState("caller", VertexChannel.NONE);
        }

        @Override
        public void start(Vertex v) {
            if (v.ordinal() % speakEvery == 0) {
                ordinals.broadcast(v, v.ordinal());
                ones.broadcast(v, 1);
                calls.broadcast(v);
            }
        }

        @Override
        public void compute(Vertex v) {
            sum.set(v, ordinals.received(v));
            count.set(v, (long) ones.received(v));
            caller.set(v, calls.received(v));
        }
    }

    /** Adds up who points at each vertex. */
    private static final class SourceSums implements ShardProgram {
        private LongState sources;

        @Override
        public void declare(Declaration graph) {
            sources = graph.longState("sources", 0);
        }

        @Override
        public void compute(Shard shard) {
            for (long v = shard.first(); v < shard.end(); v++) {
                long sum = 0;
                for (int i = 0; i < shard.incoming().degree(v); i++) {
                    sum += shard.incoming().neighbour(v, i) + 1;
                }
                sources.set(v, sum);
            }
        }
    }
}
