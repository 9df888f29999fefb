package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleVectorState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.StateCursor;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** States of vectors: computed, read, written, and read by later programs. */
final class VectorStateTest {
    private static final int VERTICES = 2_000;
    private static final TestEdges EDGES = TestEdges.random(9, VERTICES, 5_000);

    @AutoClose private static final Clusters clusters = new Clusters();

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void holdWhatAProgramComputes(int peers) throws IOException {
        ModelGraph model = new ModelGraph(EDGES, false);
        double[][] expected = simulated(model);
        String graph = clusters.build(peers, EDGES, BuildOptions.UNDIRECTED);

        clusters.run(peers, graph, Averages::new);
        clusters.run(peers, graph, Norms::new);

        double[] norms = clusters.doubles(peers, graph, Norms.NORM);
        try (StateCursor places = clusters.session(peers).read(graph, Averages.PLACE);
                StateCursor steps = clusters.session(peers).read(graph, Averages.STEPS)) {
            while (places.next()) {
                assertThat(steps.next()).isTrue();
                double[] own = expected[(int) places.ordinal()];
                assertThat(places.length()).isEqualTo(Averages.LENGTH);
                for (int i = 0; i < own.length; i++) {
                    assertThat(places.asDouble(i)).isEqualTo(own[i]);
                }
                assertThat(places.asDouble()).isEqualTo(own[0]);
                assertThat(norms[(int) places.ordinal()]).isEqualTo(0 + own[0] + own[1] + own[2]);
                assertThat(steps.asLong(0)).isEqualTo(Averages.LAST);
                assertThat(steps.asLong(1)).isEqualTo(model.out.get((int) steps.ordinal()).size());
            }
        }
        assertThat(written(peers, graph, Averages.PLACE).get(5))
                .isEqualTo(line(5, expected[model.ordinal(5)]));
        int degree = model.out.get(model.ordinal(7)).size();
        assertThat(written(peers, graph, Averages.NUMBERS).get(7))
                .isEqualTo("7 7 " + degree * Averages.LAST);
        assertThat(written(peers, graph, Averages.HALVES).get(0))
                .isEqualTo("0 0.0 0.0 0.0 0.0 2.0");
    }

    private static String line(long id, double[] values) {
        return id + " " + values[0] + " " + values[1] + " " + values[2];
    }

    private List<String> written(int peers, String graph, String state) throws IOException {
        Path file = folder.resolve(state);
        clusters.session(peers).write(graph, state, file);
        return Files.readAllLines(file);
    }

    private static double[][] simulated(ModelGraph model) {
        double[][] places = new double[model.vertices()][Averages.LENGTH];
        for (int v = 0; v < places.length; v++) {
            for (int i = 0; i < Averages.LENGTH; i++) {
                places[v][i] = model.ids[v] * (i + 0.5);
            }
        }
        for (int superstep = 1; superstep <= Averages.LAST; superstep++) {
            double[][] next = new double[places.length][];
            for (int v = 0; v < places.length; v++) {
                next[v] = places[v].clone();
                for (int sender : model.in.get(v).keySet()) {
                    for (int i = 0; i < Averages.LENGTH; i++) {
                        next[v][i] = Averages.next(next[v][i], places[sender][i]);
                    }
                }
            }
            places = next;
        }
        return places;
    }

    @Test
    void refuseOtherTypesLengthsAndIndexes() {
        String graph = clusters.build(1, EDGES, BuildOptions.UNDIRECTED);
        clusters.run(1, graph, Averages::new);

        assertThatThrownBy(() -> clusters.run(1, graph, () -> new Norms(4)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("has no state \"place\" of type double[4]; it has ")
                .hasMessageContaining("place is double[3]");
        assertThatThrownBy(() -> clusters.run(1, graph, () -> new Wild(0, 0)))
                .hasMessageContaining("vectors of 0 elements; from 1 to 1024 are possible");
        assertThatThrownBy(() -> clusters.run(1, graph, () -> new Wild(2, 2)))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("Index 2 out of bounds for length 2");
    }

    /** Writes an element. */
    private static final class Wild implements VertexProgram {
        private final int length;
        private final int index;
        private DoubleVectorState state;

        Wild(int length, int index) {
            this.length = length;
            this.index = index;
        }

        @Override
        public void declare(Declaration graph) {
            state = graph.doubleVectorState("wild", length);
        }

        @Override
        public void start(Vertex v) {
            state.set(v, index, 1);
        }

        @Override
        public void compute(Vertex v) {}
    }
}
