package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.Letters.Letter;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.LongState;
import org.starling.graph.RecordChannel;
import org.starling.graph.RecordCursor;
import org.starling.graph.RecordLayout;
import org.starling.graph.RecordLayout.LongField;
import org.starling.graph.RecordMessage;
import org.starling.graph.RunResult;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Messages that are not combined: all of them come, in the order that is promised. */
final class RecordChannelTest {
    private static final int VERTICES = 700;
    private static final TestEdges EDGES = TestEdges.random(3, VERTICES, 2_500);

    @AutoClose private static final Clusters clusters = new Clusters();

    static Stream<Arguments> sizesAndGraphs() {
        return Stream.of(1, 3, 5)
                .flatMap(peers ->
                        Stream.of(
                                        BuildOptions.UNDIRECTED,
                                        BuildOptions.DIRECTED.withoutIncoming(),
                                        BuildOptions.DIRECTED.withWideNeighbours())
                                .map(options -> Arguments.of(peers, options)));
    }

    @ParameterizedTest
    @MethodSource("sizesAndGraphs")
    void comeInTheOrderOfSendersAndOfSending(int peers, BuildOptions options) {
        ModelGraph model = new ModelGraph(EDGES, options.directed());
        String graph = clusters.build(peers, EDGES, options);

        RunResult run = clusters.run(peers, graph, Letters::new);

        Simulation expected = new Simulation(model);
        assertThat(clusters.longs(peers, graph, Letters.HASH)).isEqualTo(expected.hashes);
        assertThat(run.messages()).isEqualTo(expected.sent);
        assertThat(run.supersteps()).isEqualTo(Letters.LAST + 2);
    }

    /** The same by one thread, with lists. */
    private static final class Simulation {
        final long[] hashes;
        long sent;
        private final ModelGraph model;
        private List<List<Letter>> letters;
        private List<Long> notes;

        Simulation(ModelGraph model) {
            this.model = model;
            this.hashes = new long[model.vertices()];
            Arrays.fill(hashes, 1);
            begin();
            for (int v = 0; v < hashes.length; v++) {
                write(v, 0);
            }
            for (int superstep = 1; superstep <= Letters.LAST + 1; superstep++) {
                List<List<Letter>> received = letters;
                List<Long> last = notes;
                begin();
                for (int v = 0; v < hashes.length; v++) {
                    boolean noted = v == hashes.length - 1 && !last.isEmpty();
                    if (!received.get(v).isEmpty() || noted) {
                        read(v, received.get(v), noted ? last : List.of());
                        if (superstep <= Letters.LAST) {
                            write(v, superstep);
                        }
                    }
                }
            }
        }

        private void begin() {
            letters = new ArrayList<>();
            for (int v = 0; v < hashes.length; v++) {
                letters.add(new ArrayList<>());
            }
            notes = new ArrayList<>();
        }

        private void read(int v, List<Letter> read, List<Long> noted) {
            hashes[v] = 31 * hashes[v] + read.size();
            read.forEach(letter -> hashes[v] = letter.into(hashes[v]));
            noted.forEach(note -> hashes[v] = 31 * hashes[v] + note);
        }

        private void write(int v, int superstep) {
            long hash = hashes[v];
            if (Letters.speaks(v, superstep)) {
                Letter letter = new Letter(v, superstep, hash, v * 0.5f, hash * 0.25);
                model.out.get(v).keySet().forEach(target -> send(target, letter));
            }
            if (Letters.writes(v, superstep)) {
                send(0, new Letter(v, 0, hash + 1, 0, 0));
                Letter second = new Letter(v, -superstep, hash + 1, 0, 0);
                send(0, second);
                send((int) Letters.other(v, superstep, hashes.length), second);
                notes.add(7L * v + superstep + 5);
                sent++;
            }
        }

        private void send(int target, Letter letter) {
            letters.get(target).add(letter);
            sent++;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void areReadByWholeShardsToo(int peers) {
        String graph = clusters.build(peers, EDGES, BuildOptions.UNDIRECTED);

        clusters.run(peers, graph, Census::new);

        long[] found = clusters.longs(peers, graph, "sum");
        ModelGraph model = new ModelGraph(EDGES, false);
        for (int v = 0; v < VERTICES; v++) {
            long expected = model.out.get(v).keySet().stream().mapToLong(t -> t + 1L).sum();
            assertThat(found[v]).as("vertex %d", v).isEqualTo(expected);
        }
    }

    /** Sums what neighbours say. */
    private static final class Census implements ShardProgram {
        private LongState sum;
        private RecordChannel channel;
        private LongField said;

        @Override
        public void declare(Declaration graph) {
            sum = graph.longState("sum", 0);
            RecordLayout layout = new RecordLayout();
            said = layout.longField("said");
            channel = graph.recordChannel("said", layout);
        }

        @Override
        public void compute(Shard shard) {
            if (shard.superstep() == 0) {
                for (long v = shard.first(); v < shard.end(); v++) {
                    channel.message(v).set(said, v + 1).sendToNeighbours();
                }
            }
            for (long v = channel.nextReceiver(shard.first());
                    v >= 0;
                    v = channel.nextReceiver(v + 1)) {
                for (RecordCursor read = channel.received(v); read.next(); ) {
                    sum.set(v, sum.get(v) + read.get(said));
                }
            }
        }
    }

    @Test
    void refusesARunWhoseMessagesDoNotFit() {
        String graph = clusters.build(3, EDGES, BuildOptions.UNDIRECTED);

        assertThatThrownBy(() -> clusters.run(3, graph, () -> new Clumsy(1L << 44, _ -> {})))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageMatching(
                        "program test.program needs up to [0-9,]+ MiB of memory on nodes .* for its"
                                + " columns and messages on graph \"graph-\\d+\", but [0-9,]+ MiB are"
                                + " available there; .*");
    }

    @Test
    void refusesMistakes() {
        mistake(
                clumsy -> clumsy.message().send(VERTICES),
                "there is no vertex with ordinal 700 to send to; the graph has 700 vertices");
        mistake(clumsy -> clumsy.message().send(-1), "there is no vertex with ordinal -1");
        mistake(
                clumsy -> clumsy.message().set(new RecordLayout().longField("foreign"), 1),
                "field \"foreign\" is none of channel \"c\"");
        mistake(
                clumsy -> clumsy.channel.received(0).get(clumsy.field),
                "the cursor stands on no message");
        mistake(clumsy -> clumsy.channel.message(VERTICES), "is not in the shard being computed");
        mistake(
                clumsy -> clumsy.layout.intField("late"),
                "field \"late\" comes too late: a channel has been declared");
    }

    private static void mistake(Consumer<Clumsy> act, String sentence) {
        String graph = clusters.build(1, EDGES, BuildOptions.UNDIRECTED);
        assertThatThrownBy(() -> clusters.run(1, graph, () -> new Clumsy(1, act)))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining(sentence);
    }

    /** Does something at its first vertex. */
    private static final class Clumsy implements VertexProgram {
        private final long messages;
        private final Consumer<Clumsy> act;
        private final RecordLayout layout = new RecordLayout();
        private final LongField field = layout.longField("field");
        private RecordChannel channel;

        Clumsy(long messages, Consumer<Clumsy> act) {
            this.messages = messages;
            this.act = act;
        }

        private RecordMessage message() {
            return channel.message(0);
        }

        @Override
        public void declare(Declaration graph) {
            channel = graph.recordChannel("c", layout, messages);
        }

        @Override
        public void start(Vertex v) {
            if (v.ordinal() == 0) {
                act.accept(this);
            }
        }

        @Override
        public void compute(Vertex v) {}
    }
}
