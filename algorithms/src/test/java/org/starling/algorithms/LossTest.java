package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.algorithms.components.ConnectedComponents;
import org.starling.compute.JobListener;
import org.starling.compute.internal.group.MasterSession;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.StateCursor;

/**
 * The algorithms while a slave vanishes: results, files included, are those of an undisturbed job.
 */
@Timeout(60)
final class LossTest {
    private static final int SCALE = 9;
    private static final int CLIQUES_SCALE = 8;

    @TempDir private static Path root;

    private static Left expected;
    private static int supersteps;

    /** What a job left. */
    private record Left(
            Bfs.Result bfs,
            List<Long> levels,
            List<Long> parents,
            List<Double> scores,
            ConnectedComponents.Result components,
            List<Long> component,
            MaximalCliques.Result cliques,
            List<String> cliqueLines) {
        /** Arrays in results are compared by their text. */
        String text() {
            return bfs.reached()
                    + " "
                    + List.of(levels, parents, scores, components, component, cliques)
                    + cliqueLines;
        }
    }

    @BeforeAll
    static void runUndisturbed() throws IOException {
        int[] count = new int[1];
        try (LossyGroup group = new LossyGroup(root, "undisturbed")) {
            MasterSession session = group.elasticMaster(listener(() -> count[0]++));
            expected = job(session, root.resolve("undisturbed.txt"));
            assertThat(session.recoveryEvents()).isEmpty();
        }
        supersteps = count[0];
        assertThat(expected.cliqueLines).hasSizeGreaterThan(100);
    }

    private static JobListener listener(Runnable onSuperstep) {
        return new JobListener() {
            @Override
            public void progress(String what, long done, long total) {}

            @Override
            public void superstep(int superstep, long active, long messages) {
                onSuperstep.run();
            }
        };
    }

    private static Left job(GraphSession session, Path file) throws IOException {
        build(session, "g", SCALE);
        build(session, "small", CLIQUES_SCALE);
        Bfs.Result bfs = Bfs.run(session, "g", 1, true);
        PageRank.run(session, "g", new PageRank.Options(0.85, 10, 0, 3), true);
        ConnectedComponents.Result components = ConnectedComponents.run(session, "g", true);
        MaximalCliques.Result cliques = MaximalCliques.run(session, "small", 3, file, true);
        List<Double> scores = new ArrayList<>();
        try (StateCursor cursor = session.read("g", PageRank.PAGERANK)) {
            while (cursor.next()) {
                scores.add(cursor.asDouble());
            }
        }
        return new Left(
                bfs,
                longs(session, Bfs.LEVEL),
                longs(session, Bfs.PARENT),
                scores,
                components,
                longs(session, ConnectedComponents.COMPONENT),
                cliques,
                Files.readAllLines(file));
    }

    private static void build(GraphSession session, String graph, int scale) {
        session.build(graph, "kronecker", Parameters.of("scale", scale), BuildOptions.UNDIRECTED);
    }

    private static List<Long> longs(GraphSession session, String state) {
        List<Long> values = new ArrayList<>();
        try (StateCursor cursor = session.read("g", state)) {
            while (cursor.next()) {
                values.add(cursor.asLong());
            }
        }
        return values;
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(ints = 14)
    void changesNothing(int at) throws IOException {
        losesOne(at);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6, 8, 9, 11, 16, 18, 20, 22, 23, 25, 27, 28})
    void changesNothingWhereverItHappens(int at) throws IOException {
        losesOne(at);
    }

    private static void losesOne(int at) throws IOException {
        try (LossyGroup group = new LossyGroup(root, "killed-" + at)) {
            int[] count = new int[1];
            MasterSession session =
                    group.master(
                            listener(() -> {
                                if (++count[0] == Math.min(at, supersteps - 1)) {
                                    group.kill(at % LossyGroup.PEERS);
                                }
                            }));

            Left left = job(session, group.folder.resolve("cliques.txt"));

            assertThat(left.text()).isEqualTo(expected.text());
            assertThat(session.recoveryEvents()).hasSize(1);
            try (var files = Files.list(group.folder)) {
                assertThat(files.map(Path::getFileName).map(Path::toString))
                        .noneMatch(name -> name.contains(".part-"));
            }
        }
    }

    @Tag("slow")
    @Test
    void survivesTwoLossesOneAfterTheOther() throws IOException {
        try (LossyGroup group = new LossyGroup(root, "twice")) {
            int[] count = new int[1];
            MasterSession session =
                    group.master(
                            listener(() -> {
                                count[0]++;
                                if (count[0] == 5 || count[0] == 17) {
                                    group.awaitPromise();
                                    group.kill(count[0] == 5 ? 1 : 2);
                                }
                            }));

            Left left = job(session, group.folder.resolve("cliques.txt"));

            assertThat(left.text()).isEqualTo(expected.text());
            assertThat(session.recoveryEvents()).hasSize(2);
        }
    }
}
