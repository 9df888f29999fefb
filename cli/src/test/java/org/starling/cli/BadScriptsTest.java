package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.script.InvalidScriptException;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.Script;
import org.starling.compute.script.ScriptError;
import org.starling.compute.script.ScriptFiles;
import org.starling.compute.script.ScriptSchema;
import org.starling.compute.script.TaskCatalog;

/** Scripts with mistakes: by hand, and made of good ones by changing them at random. */
final class BadScriptsTest {
    private static final int FEW = 400;
    private static final int MANY = 10_000;
    private static final String SEED = "starling.scripts.seed";

    @TempDir Path folder;

    private final TaskCatalog tasks = TaskCatalog.onClassPath();
    private final FakeCluster cluster = new FakeCluster();
    private final Schema schema =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(JsonText.write(ScriptSchema.of(tasks.signatures())));

    /**
     * A line of the table.
     *
     * @param shape whether the schema sees it
     */
    private record Bad(boolean shape, String script, String place, String sentence) {}

    @BeforeEach
    void makeFiles() throws IOException {
        Files.writeString(folder.resolve("part.json"), GoodScripts.PART);
        Files.writeString(folder.resolve("edges.txt"), "0 1\n1 2\n");
    }

    @Test
    void refusesEachWithPlaceAndSentenceAndRunsNothing() throws IOException {
        List<Bad> table = table();

        assertThat(table).hasSizeGreaterThanOrEqualTo(50);
        for (Bad bad : table) {
            Screen screen = new Screen();
            Files.writeString(folder.resolve("bad.json"), bad.script);

            ExitCode code = run(screen, "run", "bad.json");

            assertThat(code).as(bad.script).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(screen.err())
                    .as(bad.script)
                    .contains("starling: bad.json: " + bad.place)
                    .contains(bad.sentence)
                    .doesNotContain("internal error");
        }
        assertThat(cluster.closes).as("clusters that were started").hasValue(0);
    }

    @Test
    void checksWithoutACluster() throws IOException {
        Screen good = new Screen();
        Screen bad = new Screen();
        Files.writeString(folder.resolve("good.json"), GoodScripts.ALL.getFirst());
        Files.writeString(folder.resolve("bad.json"), "{\"tasks\": [{\"task\": \"x\"}]}");

        assertThat(run(good, "run", "good.json", "--check", "--peers", "2"))
                .isEqualTo(ExitCode.DONE);
        assertThat(run(bad, "run", "bad.json", "--check")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(good.out().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")))
                .startsWith(
                        "good.json: up to 6 tasks, memory of 2 peers together; nothing was run",
                        "step | memory | what is known",
                        "graph.generate | 1 MiB | g: about 256 vertices, 4,096 edges",
                        "graph.pagerank (pr) | 1 MiB | algorithms.pagerank")
                .contains("graph.info | not known before it runs");
        assertThat(cluster.closes).hasValue(0);
    }

    @Test
    void findsTheShapeOfScriptsRightByTheSchemaAsByTheCheck() throws IOException {
        for (String good : GoodScripts.ALL) {
            assertThat(schema.validate(good, InputFormat.JSON)).as(good).isEmpty();
            parse(good);
        }
        try (Stream<Path> examples = Files.list(Checkout.root().resolve("examples/scripts"))) {
            for (Path example :
                    examples.filter(file -> file.toString().endsWith(".json")).toList()) {
                assertThat(schema.validate(Files.readString(example), InputFormat.JSON)).isEmpty();
            }
        }
        for (Bad bad : table()) {
            if (!bad.place.equals("line") && !bad.sentence.contains("only with")) {
                assertThat(schema.validate(bad.script, InputFormat.JSON).isEmpty())
                        .as(bad.script)
                        .isEqualTo(!bad.shape);
            }
        }
    }

    @Test
    void knowsEveryTaskAndArgumentByItsSchema() {
        Map<?, ?> definitions = map(ScriptSchema.of(tasks.signatures()).get("$defs"));

        for (String task : tasks.names()) {
            Map<?, ?> definition = map(definitions.get(task));
            Map<?, ?> properties = map(definition.get("properties"));
            tasks.find(task)
                    .orElseThrow()
                    .signature()
                    .arguments()
                    .forEach(argument ->
                            assertThat(properties.containsKey(argument.name()))
                                    .as(task + " " + argument.name())
                                    .isTrue());
        }
    }

    @Test
    void refusesChangedScriptsWithPlacesOrAcceptsThem() {
        change(FEW);
    }

    @Test
    @Tag("slow")
    void refusesTenThousandChangedScriptsWithPlacesOrAcceptsThem() {
        change(MANY);
    }

    private void change(int scripts) {
        long seed = Long.getLong(SEED, new Random().nextLong());
        System.out.println("-D" + SEED + "=" + seed);
        ScriptChanger changer = new ScriptChanger(new Random(seed), tasks);
        int refused = 0;
        for (int i = 0; i < scripts; i++) {
            String good = GoodScripts.ALL.get(i % GoodScripts.ALL.size());
            String changed = changer.change(good);
            String what = "-D%s=%d, script %d: %s".formatted(SEED, seed, i, changed);
            try {
                parse(changed);
                if (changed.contains("\"in\": []")) {
                    continue; // what never runs is not looked at
                }
                assertThat(schema.validate(changed, InputFormat.JSON))
                        .as("the schema takes what the check takes; " + what)
                        .isEmpty();
            } catch (InvalidScriptException wrong) {
                refused++;
                for (ScriptError error : wrong.errors()) {
                    assertThat(error.path()).as(what).matches("\\$.*|line \\d+.*");
                    assertThat(error.error()).as(what).isNotBlank().doesNotContain("null pointer");
                }
            } catch (RuntimeException bug) {
                throw new AssertionError(what, bug);
            }
        }
        assertThat(refused).as("of " + scripts).isGreaterThan(scripts / 3);
    }

    private void parse(String text) {
        Path file = folder.resolve("changed.json");
        try {
            Files.writeString(file, text);
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
        JobRequest read = JobRequest.read(file, Map.of());
        ScriptFiles files = ScriptFiles.embedded(folder, folder, List.of());
        Script script = Script.parse(read.label(), read.script(), files, Map.of(), tasks);
        assertThat(script.taskRuns()).isGreaterThanOrEqualTo(0);
    }

    private ExitCode run(Screen screen, String... words) {
        Commands commands =
                new Commands(List.of(new RunCommand(cluster::start), new TasksCommand()));
        return commands.run(words, screen.terminal(folder), new Interruption());
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return (Map<?, ?>) Objects.requireNonNull(value);
    }

    private static List<Bad> table() throws IOException {
        try (InputStream stream =
                Objects.requireNonNull(
                        BadScriptsTest.class.getResourceAsStream("/scripts/bad.txt"))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(BadScriptsTest::bad)
                    .toList();
        }
    }

    private static Bad bad(String line) {
        String[] cells = line.split(" \\| ", 4);
        String step = cells[1].replace('\'', '"');
        String script = step.startsWith("!") ? step.substring(1) : GoodScripts.PREFIX + step + "]}";
        return new Bad(cells[0].equals("shape"), script, cells[2], cells[3].strip());
    }
}
