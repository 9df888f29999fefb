package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.BuildOptions;
import org.starling.graph.Declaration;
import org.starling.graph.JobFailedException;
import org.starling.graph.PhaseGlobal;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Programs of several phases do in each what they say, whoever computes. */
final class PhasesTest {
    private static final TestEdges EDGES = TestEdges.random(7, 600, 500);

    @AutoClose private static final Clusters clusters = new Clusters();

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void goesFromPhaseToPhaseAsItsMasterSays(int peers) {
        ModelGraph model = new ModelGraph(EDGES, false);
        String graph = clusters.build(peers, EDGES, BuildOptions.UNDIRECTED);

        clusters.run(peers, graph, PhasedFlood::new);

        long[][] expected = components(model);
        assertThat(clusters.longs(peers, graph, PhasedFlood.GREATEST)).isEqualTo(expected[0]);
        assertThat(clusters.longs(peers, graph, PhasedFlood.COUNTED)).isEqualTo(expected[1]);
    }

    @Test
    void refusesAPhaseThatAVertexSets() {
        String graph = clusters.build(1, EDGES, BuildOptions.UNDIRECTED);

        assertThatThrownBy(() -> clusters.run(1, graph, Meddler::new))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("global \"phase\" can be set in afterSuperstep only");
    }

    /** Greatest id of each vertex's component, and what it has been told. */
    private static long[][] components(ModelGraph model) {
        long[] greatest = new long[model.vertices()];
        long[] told = new long[model.vertices()];
        Arrays.fill(greatest, -1);
        for (int v = 0; v < model.vertices(); v++) {
            if (greatest[v] < 0) {
                boolean[] seen = new boolean[model.vertices()];
                Deque<Integer> open = new ArrayDeque<>();
                open.add(v);
                seen[v] = true;
                long most = 0;
                long size = 0;
                while (!open.isEmpty()) {
                    int next = open.remove();
                    most = Math.max(most, model.ids[next]);
                    size++;
                    for (int other : model.out.get(next).keySet()) {
                        if (!seen[other]) {
                            seen[other] = true;
                            open.add(other);
                        }
                    }
                }
                for (int member = 0; member < seen.length; member++) {
                    if (seen[member]) {
                        greatest[member] = most;
                        told[member] = 1000 * size + 2;
                    }
                }
            }
        }
        return new long[][] {greatest, told};
    }

    private static final class Meddler implements VertexProgram {
        private enum Phase {
            ONLY
        }

        private PhaseGlobal<Phase> phase;

        @Override
        public void declare(Declaration graph) {
            phase = graph.phaseGlobal("phase", Phase.class);
        }

        @Override
        public void start(Vertex v) {
            phase.set(Phase.ONLY);
        }

        @Override
        public void compute(Vertex v) {}
    }
}
