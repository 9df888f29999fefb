package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.cluster.BenchOrder;
import org.starling.compute.script.JsonText;

/**
 * Real processes, killed in the middle of a job: whoever it is and wherever, all results and files
 * are those of an undisturbed run of the same script on the same cluster. Breadth-first search,
 * PageRank, components and maximal cliques; supersteps with and without a checkpoint before them,
 * between tasks, and in the middle of files.
 *
 * <p>{@code -Dstarling.killSuite.scale=16} takes a larger graph than the usual one of scale 14;
 * {@code -Dstarling.killSuite.rounds=60} kills two processes in each of so many rounds where places
 * are drawn, {@code -Dstarling.killSuite.seed=N} draws them once more.
 */
@Tag("slow")
@Timeout(300)
final class KillSuiteTest {
    private static final int SCALE = Integer.getInteger("starling.killSuite.scale", 14);
    private static final int ROUNDS = Integer.getInteger("starling.killSuite.rounds", 3);
    private static final long SEED = Long.getLong("starling.killSuite.seed", System.nanoTime());

    /** Tasks are counted from 0; the kills below name them by their numbers. */
    private static final String SCRIPT =
            """
            {"name": "kill suite", "parameters": {"scale": 14}, "tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": "${scale}"},
              {"task": "graph.bfs", "graph": "g", "source": 1},
              {"task": "graph.write", "graph": "g", "state": "level", "file": "levels.txt"},
              {"task": "graph.write", "graph": "g", "state": "parent", "file": "parents.txt"},
              {"task": "graph.pagerank", "graph": "g", "iterations": 60},
              {"task": "graph.write", "graph": "g", "state": "pagerank", "file": "ranks.txt"},
              {"task": "graph.wcc", "graph": "g"},
              {"task": "graph.write", "graph": "g", "state": "component", "file": "components.txt"},
              {"task": "graph.generate", "graph": "small", "generator": "kronecker", "scale": 12},
              {"task": "graph.cliques", "graph": "small", "minimumSize": 3, "file": "cliques.txt"}]}
            """;

    private static final String SETTINGS =
            """
            {"threadsPerPeer": 1, "memoryPerPeer": "256MiB"}
            """;

    private static final int FILES = 5;

    /** Files of states, and the cliques. */
    private static final long LINES = 4L * (1 << SCALE) + 770_000;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slave@task=1,superstep=2 master@task=4,superstep=5",
                "master@task=6,superstep=1 slave@task=9,write=1",
                "master@task=5,write=3 master@task=9,superstep=0",
                "slave@task=2 master@task=9,write=1",
                "slave@task=4 master@task=8",
                "slave@task=4,superstep=40 slave@task=4,superstep=40",
            })
    void leavesTheSameResultsWithRunsThatBeginAnew(String kills) throws IOException {
        Map<?, ?> report = disturbed(kills, 0);

        assertThat((Long) report.get("recoveries")).isGreaterThanOrEqualTo(2);
    }

    /** A checkpoint after every third superstep, so the run goes on from one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "slave@task=4,superstep=11 slave@task=6,superstep=4",
                "master@task=1,superstep=4 slave@task=9,superstep=1",
                "slave@task=4,superstep=50 master@task=4,superstep=50",
                "master@task=4,superstep=55 master@task=4",
            })
    void leavesTheSameResultsWithRunsThatGoOn(String kills) throws IOException {
        Map<?, ?> report = disturbed(kills, 3);

        List<?> events = (List<?>) Objects.requireNonNull(report.get("recoveryEvents"));
        assertThat(events).hasSizeGreaterThanOrEqualTo(2);
        assertThat(events)
                .extracting(event -> (Long) ((Map<?, ?>) event).get("resumedAt"))
                .as("a run went on in its middle")
                .anyMatch(superstep -> superstep > 0);
    }

    /** Loops over results, a retry and failures that the script goes on behind; 12 tasks end. */
    private static final String LOOPS =
            """
            {"name": "loops", "parameters": {"scale": 12}, "tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 12},
              {"task": "graph.pagerank", "as": "pr", "graph": "g", "iterations": 20, "top": 3},
              {"forEach": "hit", "in": "${pr.top}", "tasks": [
                {"task": "graph.bfs", "as": "search", "graph": "g", "source": "${hit[0]}"}]},
              {"task": "graph.write", "graph": "g", "state": "parent", "file": "parents.txt"},
              {"tasks": [
                {"task": "graph.generate", "graph": "h", "generator": "uniform", "scale": 8},
                {"task": "graph.bfs", "graph": "h", "source": 123456}],
               "as": "block", "onFailure": {"retry": 1, "then": "continue"}},
              {"if": "block.failed", "then": [
                {"task": "graph.wcc", "graph": "g"},
                {"task": "graph.write", "graph": "g", "state": "component", "file": "components.txt"}]}]}
            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "master@task=3 master@task=7",
                "slave@task=4,superstep=2 master@task=9",
                "master@task=8 slave@task=10",
            })
    void comesToTheSamePlaceInLoopsAndFailures(String kills) throws IOException {
        Map<?, ?> report = disturbed(LOOPS, 2, 2L << 12, kills, 0);

        assertThat((Long) report.get("recoveries")).isGreaterThanOrEqualTo(2);
    }

    /** Parts are written by all slaves at once; 4 tasks end. */
    private static final String PARTS =
            """
            {"name": "parts", "parameters": {"scale": 14}, "tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": "${scale}"},
              {"task": "graph.wcc", "graph": "g"},
              {"task": "graph.bfs", "graph": "g", "source": 1},
              {"task": "graph.write", "graph": "g", "columns": ["component", "level"],
               "file": "table", "format": "csv", "parts": true}]}
            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slave@task=3,write=0 master@task=3,write=0",
                "master@task=3,write=0 slave@task=3,write=0",
                "slave@task=3,write=0 slave@task=3,write=0",
            })
    void leavesTheSamePartsWhoeverIsLostOverThem(String kills) throws IOException {
        Map<?, ?> report = disturbed(PARTS, 1, 1L << SCALE, kills, 0);

        assertThat((Long) report.get("recoveries")).isGreaterThanOrEqualTo(2);
    }

    private static final String KEEP =
            """
            {"name": "keep", "tasks": [
              {"task": "graph.generate", "graph": "web", "generator": "kronecker", "scale": 12, "keep": true},
              {"task": "graph.pagerank", "graph": "web", "iterations": 20},
              {"task": "graph.publish", "graph": "web", "state": "pagerank", "as": "rank"}]}
            """;

    private static final String GOSSIP =
            """
            {"name": "gossip", "tasks": [
              {"task": "my.gossip", "as": "talk", "graph": "web", "rounds": 24, "pauseMillis": 40},
              {"task": "graph.write", "graph": "web", "state": "digest", "file": "digests.txt"},
              {"task": "graph.bfs", "graph": "web", "source": 1},
              {"task": "graph.write", "graph": "web", "state": "level", "file": "web-levels.txt"},
              {"task": "graph.write", "graph": "web", "state": "rank", "file": "kept-ranks.txt"},
              {"task": "my.rewire", "as": "wires", "graph": "web", "rounds": 5, "pauseMillis": 30},
              {"task": "graph.write", "graph": "web", "state": "seen", "file": "rewired.txt"},
              {"task": "graph.wcc", "graph": "web"},
              {"task": "graph.write", "graph": "web", "state": "component", "file": "rewired-components.txt"}]}
            """;

    private static final String RANKS =
            """
            {"name": "ranks", "tasks": [
              {"task": "graph.pagerank", "graph": "web", "iterations": 60},
              {"task": "graph.write", "graph": "web", "state": "pagerank", "file": "web-ranks.txt"},
              {"task": "my.gossip", "as": "talk", "graph": "web", "rounds": 12, "pauseMillis": 20},
              {"task": "graph.write", "graph": "web", "state": "digest", "file": "fewer-digests.txt"},
              {"task": "graph.generate", "graph": "own", "generator": "uniform", "scale": 10, "keep": true},
              {"task": "my.gossip", "as": "own", "graph": "own", "rounds": 9, "pauseMillis": 20},
              {"task": "graph.publish", "graph": "own", "state": "digest", "as": "words"},
              {"task": "graph.wcc", "graph": "own"},
              {"task": "graph.publish", "graph": "own", "state": "component", "as": "part"},
              {"task": "graph.pagerank", "graph": "own", "iterations": 10},
              {"task": "graph.publish", "graph": "own", "state": "pagerank", "as": "rank"},
              {"task": "graph.bfs", "graph": "own", "source": 1},
              {"task": "graph.publish", "graph": "own", "state": "level", "as": "part", "replace": true},
              {"task": "graph.write", "graph": "own", "state": "part", "file": "own-levels.txt"},
              {"task": "graph.write", "graph": "own", "state": "words", "file": "own-words.txt"},
              {"task": "graph.drop", "graph": "own"},
              {"task": "my.rewire", "as": "wires", "graph": "web", "rounds": 3, "pauseMillis": 20},
              {"task": "graph.write", "graph": "web", "state": "seen", "file": "fewer-rewired.txt"},
              {"task": "graph.write", "graph": "web", "state": "rank", "file": "ranks-left.txt"}]}
            """;

    /**
     * Two jobs at once, with code from jars, on a graph that stays through all rounds. Both publish
     * columns or change graphs, each its own version.
     */
    @ParameterizedTest
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    @ValueSource(ints = {0, 4})
    void leavesTheSameResultsOfJarsAndKeptGraphsThroughDrawnKills(int checkpointSupersteps)
            throws IOException {
        GossipJar.build(folder.resolve("gossip.jar"));
        RewireJar.build(folder.resolve("rewire.jar"));
        List<String> words = new ArrayList<>();
        words.addAll(List.of("--first", write("keep.json", KEEP)));
        words.addAll(List.of("--script", write("gossip.json", GOSSIP)));
        words.addAll(List.of("--script", write("ranks.json", RANKS)));
        words.addAll(List.of("--jar", "gossip.jar", "--jar", "rewire.jar"));
        words.addAll(List.of("--rounds", "" + ROUNDS, "--seed", "" + SEED));

        Map<?, ?> compared = compared(bench(words, checkpointSupersteps));

        assertThat(compared.get("rounds")).isEqualTo((long) ROUNDS);
        assertThat(compared.get("files")).isEqualTo(11L);
        assertThat((Long) compared.get("kills")).isPositive(); // some come too late
    }

    private Map<?, ?> disturbed(String kills, int checkpointSupersteps) throws IOException {
        return disturbed(SCRIPT, FILES, LINES, kills, checkpointSupersteps);
    }

    private Map<?, ?> disturbed(
            String script, int files, long lines, String kills, int checkpointSupersteps)
            throws IOException {
        List<String> words = new ArrayList<>();
        words.addAll(List.of("--script", write("suite.json", script)));
        words.addAll(List.of("-P", "scale=" + SCALE, "--compare"));
        for (String kill : kills.split(" ", -1)) {
            words.addAll(List.of("--kill", kill));
        }
        Map<?, ?> report = bench(words, checkpointSupersteps);
        Map<?, ?> compared = compared(report);
        assertThat(compared.get("files")).isEqualTo((long) files);
        assertThat((Long) compared.get("values")).isGreaterThanOrEqualTo(lines);
        return report;
    }

    private Map<?, ?> bench(List<String> more, int checkpointSupersteps) throws IOException {
        List<String> words = new ArrayList<>(List.of("bench", "job", "--json"));
        words.addAll(List.of("--config", write("settings.json", SETTINGS), "--peers", "5"));
        words.addAll(List.of("--checkpoint-supersteps", "" + checkpointSupersteps));
        words.addAll(more);
        Screen screen = new Screen();

        ExitCode code =
                new Commands(List.of(new BenchCommand()))
                        .run(
                                words.toArray(String[]::new),
                                screen.terminal(folder),
                                new Interruption());

        assertThat(code).as("%s%s", screen.err(), screen.out()).isEqualTo(ExitCode.DONE);
        return (Map<?, ?>) Objects.requireNonNull(JsonText.parse(screen.out()));
    }

    private static Map<?, ?> compared(Map<?, ?> report) {
        Map<?, ?> compared = (Map<?, ?>) Objects.requireNonNull(report.get(BenchOrder.COMPARED));
        assertThat(compared.get(BenchOrder.DIFFERENCES)).isEqualTo(0L);
        return compared;
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }
}
