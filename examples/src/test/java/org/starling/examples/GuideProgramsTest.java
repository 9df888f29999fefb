package org.starling.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.ClusterOptions;
import org.starling.compute.ComputeCluster;
import org.starling.compute.JobListener;
import org.starling.graph.BuildOptions;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.RowCursor;
import org.starling.graph.StateCursor;
import org.starling.testkit.GraphResult;
import org.starling.testkit.TestGraph;
import org.starling.testkit.Trial;

/** The programs of the guide do what it says, and the guide shows them as they are. */
final class GuideProgramsTest {
    private static final Path CLUB = Path.of("scripts/karate.graph").toAbsolutePath();
    private static final Path GUIDE = Path.of("../docs/guide/programs.md").toAbsolutePath();
    private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final int MEMBERS = 34;

    private static ComputeCluster cluster;
    private static GraphSession session;

    /** Neighbours by ordinal. */
    private static final List<long[]> ROWS = new ArrayList<>();

    private static final long[] IDS = new long[MEMBERS];

    @BeforeAll
    static void startCluster() {
        cluster = ComputeCluster.start(ClusterOptions.of(3, false));
        session = cluster.session(JobListener.SILENT);
        session.build(
                "club", "metis", Parameters.of("file", CLUB.toString()), BuildOptions.UNDIRECTED);
        try (RowCursor rows = session.rows("club")) {
            while (rows.next()) {
                IDS[(int) rows.ordinal()] = rows.id();
                long[] row = new long[rows.degree()];
                Arrays.setAll(row, rows::target);
                ROWS.add(row);
            }
        }
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @Test
    void twoSweepsFindTheDiameter() {
        session.run("club", GuideProgramsProvider.TWO_SWEEPS, Parameters.of("source", 1));

        assertThat(doubles("stepsOut")).satisfies(out -> assertThat(max(out)).isEqualTo(3));
        assertThat(doubles("stepsBack")).satisfies(back -> assertThat(max(back)).isEqualTo(5));
    }

    @Test
    void theCheapestNeighbourGetsTheSecondPrice() {
        session.run("club", GuideProgramsProvider.SECOND_PRICE, Parameters.NONE);

        double[] winners = doubles("winner");
        double[] paid = doubles("paid");
        for (int v = 0; v < MEMBERS; v++) {
            long[] row = ROWS.get(v);
            double[] asked = Arrays.stream(row).mapToDouble(GuideProgramsTest::asked).toArray();
            double best = Arrays.stream(asked).min().orElseThrow();
            int place = 0;
            while (asked[place] > best) {
                place++;
            }
            assertThat(winners[v]).isEqualTo((double) row[place]);
            Arrays.sort(asked);
            assertThat(paid[v]).isEqualTo(row.length > 1 ? asked[1] : Double.POSITIVE_INFINITY);
        }
    }

    private static double asked(long ordinal) {
        return (100.0 + IDS[(int) ordinal] % 7) / ROWS.get((int) ordinal).length;
    }

    @Test
    void placesWhereOneCanOnlyGoOnAreTakenOut() {
        session.build(
                "paths", "metis", Parameters.of("file", CLUB.toString()), BuildOptions.UNDIRECTED);

        session.run("paths", GuideProgramsProvider.CONTRACTION, Parameters.NONE);

        int vertices = 0;
        try (RowCursor rows = session.rows("paths")) {
            for (; rows.next(); vertices++) {
                assertThat(rows.degree()).as("vertex %d", rows.id()).isNotEqualTo(2);
            }
        }
        assertThat(session.info("paths").vertices()).isEqualTo(vertices).isLessThan(MEMBERS);
        session.drop("paths");
    }

    @Tag("thorough")
    @Test
    void contractionIsTheSameOnPeersThatAreLostInTheMiddle() {
        assertContractsTheSame(2);
    }

    @Tag("slow")
    @Test
    void contractionIsTheSameWhereverPeersAreLost() {
        assertContractsTheSame(40);
    }

    private static void assertContractsTheSame(int losses) {
        TestGraph roads = TestGraph.undirected();
        for (int i = 0; i < 400; i++) {
            roads.edge(i, (i + 1) % 400, 1 + i % 3);
            if (i % 5 == 0) {
                roads.edge(i, (i * 7 + 3) % 400, 2);
            }
        }

        GraphResult result = Trial.on(roads).withLosses(losses).run(Contraction::new);

        assertThat(result.info().vertices()).isLessThan(300);
    }

    @Test
    void neighboursHaveCloserVectorsThanOthers() {
        session.run("club", GuideProgramsProvider.EMBEDDING, Parameters.NONE);

        float[][] vectors = new float[MEMBERS][];
        try (StateCursor cursor = session.read("club", "embedding")) {
            while (cursor.next()) {
                float[] vector = new float[cursor.length()];
                for (int i = 0; i < vector.length; i++) {
                    vector[i] = (float) cursor.asDouble(i);
                }
                vectors[(int) cursor.ordinal()] = vector;
            }
        }
        double near = 0;
        double all = 0;
        int edges = 0;
        for (int v = 0; v < MEMBERS; v++) {
            for (long w : ROWS.get(v)) {
                near += distance(vectors[v], vectors[(int) w]);
                edges++;
            }
            for (float[] other : vectors) {
                all += distance(vectors[v], other);
            }
        }
        assertThat(near / edges).isLessThan(0.8 * all / (MEMBERS * (MEMBERS - 1)));
    }

    @Test
    void tiesAreCountedByWhenTheyBegan(@TempDir Path folder) throws IOException {
        Path ties =
                Files.writeString(
                        folder.resolve("ties.csv"),
                        "source,target,weight:float,since:int\n1,2,1,1990\n1,3,1,2005\n2,3,1,1985\n");
        Path people =
                Files.writeString(
                        folder.resolve("people.csv"), "id,born:int\n1,1980\n2,1970\n3,1982\n");
        session.build(
                "ties",
                "edgelist",
                Parameters.of("file", ties.toString()).with("vertices", people.toString()),
                BuildOptions.UNDIRECTED);

        session.run("ties", GuideProgramsProvider.EARLY_TIES, Parameters.NONE);

        List<Long> early = new ArrayList<>();
        try (StateCursor cursor = session.read("ties", "early")) {
            while (cursor.next()) {
                early.add(cursor.asLong());
            }
        }
        assertThat(early).containsExactly(1L, 0L, 1L);
    }

    private static double distance(float[] left, float[] right) {
        double sum = 0;
        for (int i = 0; i < left.length; i++) {
            sum += (left[i] - right[i]) * (left[i] - right[i]);
        }
        return Math.sqrt(sum);
    }

    private static double[] doubles(String state) {
        double[] values = new double[MEMBERS];
        try (StateCursor cursor = session.read("club", state)) {
            while (cursor.next()) {
                values[(int) cursor.ordinal()] = cursor.asDouble();
            }
        }
        return values;
    }

    private static double max(double[] values) {
        return Arrays.stream(values).max().orElseThrow();
    }

    @Test
    void theGuideShowsProgramsAsTheyAre() throws IOException {
        String sources;
        try (Stream<Path> files = Files.list(Path.of("src/main/java/org/starling/examples"))) {
            sources =
                    files.filter(file -> file.toString().endsWith(".java"))
                            .map(GuideProgramsTest::flat)
                            .collect(Collectors.joining("\n\n"));
        }
        List<String> shown =
                CODE.matcher(Files.readString(GUIDE)).results().map(r -> r.group(1)).toList();

        assertThat(shown).hasSizeGreaterThanOrEqualTo(3);
        assertThat(shown)
                .allSatisfy(code -> assertThat(sources).contains(flat(code.strip()).strip()));
    }

    private static String flat(Path file) {
        try {
            return flat(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without what stands before a line's first word. */
    private static String flat(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
