package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.GraphView.Column;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.script.InvalidScriptException;
import org.starling.graph.VertexValue;

/**
 * Properties of a kept graph in a cluster of real processes: loaded from files, projected, there
 * after a cold start, and the same when a slave and the master are lost in the middle of a job.
 */
@Tag("slow")
@Timeout(300)
final class PropertyProcessTest {
    private static final int PEOPLE = 3_000;

    private static final String LOAD =
            """
            {"name": "load", "tasks": [
              {"task": "graph.load", "graph": "people", "file": "knows.csv", "vertices": "people.csv", "keep": true},
              {"task": "graph.project", "graph": "people", "vertices": "age > 30 and not away and name >= 'p'", "edges": "weight >= 0.5 and since < 2010 and kind != 'owes'", "as": "close", "keep": true},
              {"task": "graph.pagerank", "graph": "close", "iterations": 30},
              {"task": "graph.write", "graph": "close", "state": "age", "file": "age-0.txt"},
              {"task": "graph.write", "graph": "close", "state": "name", "file": "name-0.txt"},
              {"task": "graph.write", "graph": "close", "state": "pagerank", "file": "rank-0.txt"}]}
            """;

    private static final String USE =
            """
            {"name": "use", "tasks": [
              {"task": "graph.project", "graph": "people", "vertices": "age > 30 and not away and name >= 'p'", "edges": "weight >= 0.5 and since < 2010 and kind != 'owes'", "as": "again"},
              {"task": "graph.pagerank", "graph": "again", "iterations": 30},
              {"task": "graph.write", "graph": "close", "state": "age", "file": "age-%1$d.txt"},
              {"task": "graph.write", "graph": "again", "state": "name", "file": "name-%1$d.txt"},
              {"task": "graph.write", "graph": "again", "state": "pagerank", "file": "rank-%1$d.txt"}]}
            """;

    @TempDir Path folder;

    @Test
    void stayThroughAColdStartAndLosses() throws Exception {
        writeFiles();
        try (RealCluster cluster = RealCluster.start(folder, 1, 5)) {
            cluster.awaitEnd(cluster.submit(LOAD), Status.SUCCEEDED);
            assertThat(Files.readAllLines(folder.resolve("age-0.txt")))
                    .hasSizeBetween(100, PEOPLE)
                    .allSatisfy(line -> assertThat(line).matches("\\d+ (3[1-9]|[4-9]\\d)"));
            assertThatThrownBy(() -> cluster.submit(USE.formatted(1).replace("age > 30", "age >")))
                    .isInstanceOf(InvalidScriptException.class)
                    .hasMessageContaining("$.tasks[0].vertices: at character 7 of");

            cluster.processes().stop();
            cluster.startAgain();

            assertThat(cluster.client().graph("close").orElseThrow().graph().columns())
                    .containsExactly(
                            new Column("age", "int", "vertex"),
                            new Column("away", "boolean", "vertex"),
                            new Column("name", "string", "vertex"),
                            new Column("since", "int", "edge"),
                            new Column("kind", "string", "edge"));
            String[] first =
                    Files.readAllLines(folder.resolve("age-0.txt")).getFirst().split(" ", -1);
            assertThat(cluster.client().queries().value("close", "age", Long.parseLong(first[0])))
                    .isEqualTo(new VertexValue("int", Long.parseLong(first[1])));
            assertThat(Files.readAllLines(folder.resolve("name-0.txt")))
                    .allSatisfy(line -> assertThat(line).matches("(\\d+) person \\1 \u674E"));
            assertThat(cluster.client().queries().value("close", "name", Long.parseLong(first[0])))
                    .isEqualTo(new VertexValue("string", "person " + first[0] + " \u674E"));
            cluster.awaitEnd(cluster.submit(USE.formatted(1)), Status.SUCCEEDED);
            requireEqualResults(1);
            goesOnWithoutASlaveAndTheMaster(cluster);
            cluster.client().dropGraph("people");
            cluster.client().dropGraph("close");
            assertThat(cluster.client().graphs()).isEmpty();
        }
    }

    private void goesOnWithoutASlaveAndTheMaster(RealCluster cluster) throws IOException {
        long id = cluster.submit(USE.formatted(2));
        cluster.await(() -> cluster.client().graph("people").orElseThrow().jobs().contains(id));
        cluster.processes().kill(cluster.slave().name());
        int master = cluster.client().status().master();
        cluster.processes().kill(cluster.process(master).name());

        Map<?, ?> report = cluster.awaitEnd(id, Status.SUCCEEDED);

        assertThat((Long) Objects.requireNonNull(report.get("recoveries"))).isPositive();
        requireEqualResults(2);
        cluster.await(() -> cluster.client().graph("people").orElseThrow().jobs().isEmpty());
    }

    private void requireEqualResults(int run) {
        for (String what : new String[] {"age", "name", "rank"}) {
            assertThat(folder.resolve("%s-%d.txt".formatted(what, run)))
                    .hasSameTextualContentAs(folder.resolve(what + "-0.txt"));
        }
    }

    private void writeFiles() throws IOException {
        Random random = new Random(5);
        StringBuilder people = new StringBuilder("id,age:int,away:boolean,name:string\n");
        StringBuilder knows =
                new StringBuilder("source,target,weight:float,since:int,kind:string\n");
        for (int id = 0; id < PEOPLE; id++) {
            people.append(
                    "%d,%d,%b,%s%n"
                            .formatted(
                                    id,
                                    random.nextInt(90),
                                    random.nextInt(9) == 0,
                                    id % 5 == 0 ? "nobody" : "person " + id + " \u674E"));
            for (int i = 0; i < 8; i++) {
                knows.append(
                        "%d,%d,0.%d,%d,%s%n"
                                .formatted(
                                        id,
                                        random.nextInt(PEOPLE),
                                        random.nextInt(10),
                                        1980 + random.nextInt(40),
                                        random.nextBoolean() ? "knows" : "owes"));
            }
        }
        Files.writeString(folder.resolve("people.csv"), people);
        Files.writeString(folder.resolve("knows.csv"), knows);
    }
}
