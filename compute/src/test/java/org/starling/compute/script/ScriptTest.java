package org.starling.compute.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;

/** What the checker says, error by error. */
final class ScriptTest {
    private static final String LOAD =
            "{\"task\": \"graph.load\", \"graph\": \"g\", \"file\": \"a.graph\"}";
    private static final String DROP = "{\"task\": \"graph.drop\", \"graph\": \"g\"}";
    private static final String BFS = "{\"task\": \"graph.bfs\", \"graph\": \"g\", \"source\": 1}";

    @TempDir Path folder;

    private ScriptFiles files;

    @BeforeEach
    void makeFiles() throws IOException {
        Files.writeString(folder.resolve("a.graph"), "1 0\n\n");
        files = new ScriptFiles(folder, List.of(folder));
    }

    @Test
    void acceptsAScriptThatIsRight() {
        Script script =
                parse(
                        """
                        {"name": "all of it",
                         "parameters": {"file": "a.graph", "source": 1, "rounds": 3},
                         "tasks": [
                          {"task": "graph.load", "graph": "g", "file": "${file}"},
                          {"task": "graph.bfs", "as": "b", "graph": "g", "source": "${source}"},
                          {"if": "b.reached > 1",
                           "then": [{"task": "graph.pagerank", "graph": "g"}],
                           "else": [{"task": "graph.write", "graph": "g", "file": "out.txt"}]},
                          {"repeat": "${rounds}", "tasks": [
                            {"task": "graph.generate", "graph": "h", "seeds": [2, "0x3"]},
                            {"task": "graph.drop", "graph": "h"}]},
                          {"task": "graph.drop", "graph": "g"}]}
                        """);

        assertThat(script.name()).isEqualTo("all of it");
        assertThat(script.taskRuns()).isEqualTo(10);
        assertThat(script.outputs()).containsExactly(files.output("out.txt"));
    }

    @Test
    void knowsTheFilesOfAllItsBranchesAndRounds() {
        String write = "{\"task\": \"graph.write\", \"graph\": \"g\", \"file\": \"%s\"}";
        String choice =
                "{\"if\": \"b.verified\", \"then\": [%s], \"else\": [{\"repeat\": 2, \"tasks\": [%s]}]}"
                        .formatted(write.formatted("x.txt"), write.formatted("y.txt"));
        String bfs = BFS.replace("\"task\"", "\"as\": \"b\", \"task\"");

        Script script =
                parse(
                        "{\"tasks\": [%s, %s, %s, %s]}"
                                .formatted(LOAD, bfs, write.formatted("y.txt"), choice));

        assertThat(script.outputs()).containsExactly(files.output("x.txt"), files.output("y.txt"));
    }

    @Test
    void isCalledAfterItsFileWhenItHasNoName() {
        assertThat(parse("{\"tasks\": []}").name()).isEqualTo("s.json");
    }

    /** Tasks after a graph "g" was loaded: each error with the place and the whole sentence. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"task": "graph.bsf", "graph": "g"}                                   | $.tasks[1].task: unknown task "graph.bsf"; did you mean "graph.bfs"?
                    {"task": 7}                                                           | $.tasks[1].task: expected the name of a task, found 7
                    {"task": "graph.bfs", "graph": "g", "sorce": 1, "source": 1}          | $.tasks[1].sorce: unknown argument; did you mean "source"?
                    {"task": "graph.bfs", "graph": "g"}                                   | $.tasks[1]: task "graph.bfs" needs "source" (where to begin)
                    {"task": "graph.bfs", "graph": "g", "source": "1"}                    | $.tasks[1].source: expected a whole number, found "1"
                    {"task": "graph.bfs", "graph": "g", "source": 1.5}                    | $.tasks[1].source: expected a whole number, found 1.5
                    {"task": "graph.bfs", "graph": "g", "source": 9223372036854775808}    | $.tasks[1].source: 9223372036854775808 does not fit into 64 bits
                    {"task": "graph.bfs", "graph": "g", "source": null}                   | $.tasks[1].source: expected a whole number, found null
                    {"task": "graph.bfs", "graph": "g", "source": 1, "verify": "yes"}     | $.tasks[1].verify: expected true or false, found "yes"
                    {"task": "graph.bfs", "graph": ["g"], "source": 1}                    | $.tasks[1].graph: expected the name of a graph, found a list
                    {"task": "graph.bfs", "graph": "gg", "source": 1}                     | $.tasks[1].graph: no earlier task makes a graph "gg"; did you mean "g"?
                    {"task": "graph.pagerank", "graph": "g", "damping": "high"}           | $.tasks[1].damping: expected a number, found "high"
                    {"task": "graph.pagerank", "graph": "g", "damping": 1}                | $.tasks[1]: "damping" must be below 1
                    {"task": "graph.write", "graph": "g", "file": "b", "state": {}}       | $.tasks[1].state: expected a text, found an object
                    {"task": "graph.write", "graph": "g", "file": "../b"}                 | $.tasks[1].file: "../b" (
                    {"task": "graph.load", "graph": "h", "file": "b.graph"}               | $.tasks[1].file: there is no file "b.graph"
                    {"task": "graph.load", "graph": "g", "file": "a.graph"}               | $.tasks[1].graph: graph "g" already exists; drop it before or take another name
                    {"task": "graph.load", "graph": "", "file": "a.graph"}                | $.tasks[1].graph: a graph's name has 1 to 255 bytes, not 0
                    {"task": "graph.load", "graph": "h", "file": "a.graph", "format": "mets"} | $.tasks[1].format: expected one of auto, metis, found "mets"; did you mean "metis"?
                    {"task": "graph.generate", "graph": "h", "seeds": 2}                  | $.tasks[1].seeds: expected a list of whole numbers, found 2
                    {"task": "graph.generate", "graph": "h", "seeds": [2, -3]}            | $.tasks[1].seeds: expected whole numbers from 0 to 2^64 - 1, found -3 at [1]
                    {"task": "graph.generate", "graph": "h", "seeds": ["0xgg"]}           | $.tasks[1].seeds: expected whole numbers from 0 to 2^64 - 1, found "0xgg" at [0]
                    {"task": "graph.generate", "graph": "h", "seeds": ["18446744073709551616"]} | $.tasks[1].seeds: expected whole numbers from 0 to 2^64 - 1, found "18446744073709551616" at [0]
                    {"task": "graph.compare", "graphs": "g"}                              | $.tasks[1].graphs: expected a list of names of graphs, found "g"
                    {"task": "graph.compare", "graphs": ["g", 7]}                         | $.tasks[1].graphs: expected the name of a graph, found 7
                    {"task": "graph.compare", "graphs": ["g", "gg"]}                      | $.tasks[1].graphs: no earlier task makes a graph "gg"; did you mean "g"?
                    {"task": "graph.compare", "graphs": ["g"], "labels": ["a.graph", "b"]} | $.tasks[1].labels: there is no file "b"
                    {"task": "graph.bfs", "graph": "g", "source": 1, "as": "a b"}         | $.tasks[1].as: expected a name of letters, digits, '_' and '-', found "a b"
                    {"tsk": "graph.bfs", "graph": "g"}                                    | $.tasks[1]: expected one of "task", "if", "repeat", "while", "forEach", "parallel", "include", "tasks"; did you mean "task"?
                    "graph.bfs"                                                           | $.tasks[1]: expected an object with "task", found "graph.bfs"
                    {"if": "b.reached > 1", "then": []}                                   | $.tasks[1].if: no earlier task has "as": "b"
                    {"if": 1, "then": []}                                                 | $.tasks[1].if: expected a condition like "name.result > 1", found 1
                    {"repeat": 0, "tasks": []}                                            | $.tasks[1].repeat: expected a whole number from 1 to 100000, found 0
                    {"repeat": 2}                                                         | $.tasks[1]: "repeat" needs "tasks" with a list of tasks
                    {"repeat": 2, "tasks": {}}                                            | $.tasks[1].tasks: expected a list of tasks, found an object
                    {"repeat": 2, "tasks": [], "task_s": 1}                               | $.tasks[1].task_s: unknown name; did you mean "tasks"?
                    {"task": "graph.bfs", "graph": "${G}", "source": 1}                   | $.tasks[1].graph: no parameter "G"
                    """)
    void names(String task, String error) {
        List<String> errors = errors("{\"tasks\": [" + LOAD + ", " + task + "]}");

        assertThat(errors).hasSize(1);
        assertThat(errors.getFirst())
                .startsWith(error.startsWith("$.tasks[1].file") ? start(error) : error);
    }

    @Test
    void wantsExplanationsOnlyIfItSaysSo() {
        assertThat(errors("{\"explain\": 1, \"tasks\": []}"))
                .containsExactly("$.explain: expected true or false, found 1");
        assertThat(errors("{\"explained\": true, \"tasks\": []}"))
                .containsExactly("$.explained: unknown name; did you mean \"explain\"?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0                      | 0
                    12                     | 12
                    18446744073709551615   | -1
                    "0xffffffffffffffff"   | -1
                    "9223372036854775808"  | -9223372036854775808
                    """)
    void takesIdsAsUnsignedNumbers(String written, long id) {
        ArgumentReader reader =
                new ArgumentReader(
                        new ScriptFiles(folder, List.of(folder)), TaskCatalog.JarNames.NONE);
        Argument argument = Argument.required("source", Argument.Type.ID, "where to begin");

        assertThat(
                        reader.read(
                                argument,
                                JsonText.parse(written),
                                new ScriptScope(ExistingGraphs.NONE)))
                .isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "18446744073709551616", "\"x\"", "true", "[1]"})
    void refusesIdsThatAreNone(String written) {
        ArgumentReader reader =
                new ArgumentReader(
                        new ScriptFiles(folder, List.of(folder)), TaskCatalog.JarNames.NONE);
        Argument argument = Argument.required("source", Argument.Type.ID, "where to begin");

        assertThatThrownBy(() ->
                        reader.read(
                                argument,
                                JsonText.parse(written),
                                new ScriptScope(ExistingGraphs.NONE)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("expected an id, a whole number from 0 to 2^64 - 1, found ");
    }

    @Test
    void reportsAllErrorsAtOnceInTheOrderOfTheScript() {
        List<String> errors =
                errors(
                        """
                        {"nam": "x", "parameters": {"p": null}, "tasks": [
                          {"task": "graph.laod", "graph": "g"},
                          {"task": "graph.bfs", "graph": "g", "source": "a", "verify": 1},
                          {"task": "graph.bfs", "graph": "h", "source": "${p}"}]}
                        """);

        assertThat(errors)
                .containsExactly(
                        "$.nam: unknown name; did you mean \"name\"?",
                        "$.parameters.p: expected a text, a number, a flag or a list of these as"
                                + " default, found null",
                        "$.tasks[0].task: unknown task \"graph.laod\"; did you mean"
                                + " \"graph.load\"?",
                        "$.tasks[1].source: expected a whole number, found \"a\"",
                        "$.tasks[1].verify: expected true or false, found 1",
                        "$.tasks[2].graph: no earlier task makes a graph \"h\"");
    }

    @Test
    void doesNotBlameLaterTasksForAGraphThatAWrongTaskWouldMake() {
        List<String> errors =
                errors("{\"tasks\": [" + LOAD.replace("load", "laod") + ", " + BFS + "]}");

        assertThat(errors).hasSize(1);
    }

    @Test
    void findsAGraphThatWasDropped() {
        assertThat(errors("{\"tasks\": [" + LOAD + ", " + DROP + ", " + BFS + "]}"))
                .containsExactly("$.tasks[2].graph: graph \"g\" was dropped by an earlier task");
    }

    @Test
    void knowsGraphsThatExistBeforeIt() {
        ExistingGraphs g = ExistingGraphs.of(List.of("g"));
        String dropped = "{\"tasks\": [" + BFS + ", " + DROP + ", " + LOAD + ", " + BFS + "]}";

        assertThat(parse(dropped, g).taskRuns()).isEqualTo(4);
        assertThat(errors("{\"tasks\": [" + LOAD + "]}", g))
                .containsExactly(
                        "$.tasks[0].graph: graph \"g\" already exists; drop it before or take"
                                + " another name");
        assertThat(errors("{\"tasks\": [" + BFS.replace("\"g\"", "\"gg\"") + "]}", g))
                .containsExactly(
                        "$.tasks[0].graph: no earlier task makes a graph \"gg\"; did you mean"
                                + " \"g\"?");
    }

    @Test
    void blamesNoScriptForGraphsThatNobodyHasAskedTheClusterFor() {
        String script = "{\"tasks\": [" + BFS + ", " + DROP + ", " + LOAD + "]}";

        assertThat(parse(script, ExistingGraphs.UNKNOWN).taskRuns()).isEqualTo(3);
        assertThat(errors("{\"tasks\": [" + DROP + ", " + BFS + "]}", ExistingGraphs.UNKNOWN))
                .containsExactly("$.tasks[1].graph: graph \"g\" was dropped by an earlier task");
    }

    @Test
    void findsAGraphThatOnlyOneBranchMakes() {
        String script =
                """
                {"tasks": [
                  {"task": "graph.generate", "graph": "a"},
                  {"task": "graph.bfs", "as": "b", "graph": "a", "source": 1},
                  {"if": "b.reached > 1", "then": [%s], "else": [%s]},
                  %s, %s]}
                """;

        assertThat(errors(script.formatted(LOAD, "", BFS, LOAD)))
                .containsExactly(
                        "$.tasks[3].graph: graph \"g\" may be missing here: it depends on an"
                                + " earlier \"if\", \"while\", \"forEach\" or \"onFailure\"",
                        "$.tasks[4].graph: graph \"g\" may already exist: it depends on an"
                                + " earlier \"if\", \"while\", \"forEach\" or \"onFailure\"");
        assertThat(parse(script.formatted(LOAD, LOAD, BFS, DROP)).taskRuns()).isEqualTo(5);
    }

    @Test
    void findsWhatGoesWrongOnlyInTheSecondRound() {
        String script = "{\"tasks\": [{\"repeat\": %s, \"tasks\": [" + LOAD + "]}]}";

        assertThat(errors(script.formatted("2")))
                .containsExactly(
                        "$.tasks[0].tasks[0].graph: graph \"g\" already exists; drop it before or"
                                + " take another name (in the second round of \"repeat\")");
        assertThat(parse(script.formatted("1")).taskRuns()).isEqualTo(1);
    }

    @Test
    void findsADuplicateNameOfResults() {
        String named = BFS.replace("}", ", \"as\": \"b\"}");

        assertThat(errors("{\"tasks\": [" + LOAD + ", " + named + ", " + named + "]}"))
                .containsExactly("$.tasks[2].as: the result of $.tasks[1] is already called \"b\"");
    }

    @Test
    void findsAConditionOnAResultThatItsTaskDoesNotHave() {
        String named = BFS.replace("}", ", \"as\": \"b\"}");
        String asked = "{\"if\": \"b.reachd > 1\", \"then\": []}";

        assertThat(errors("{\"tasks\": [" + LOAD + ", " + named + ", " + asked + "]}"))
                .containsExactly(
                        "$.tasks[2].if: task \"graph.bfs\" has no result \"reachd\"; did you mean"
                                + " \"reached\"?");
    }

    @Test
    void letsLaterTasksReadWhatEarlierOnesWrite() {
        String write = "{\"task\": \"graph.write\", \"graph\": \"g\", \"file\": \"new.graph\"}";
        String read = "{\"task\": \"graph.load\", \"graph\": \"h\", \"file\": \"new.graph\"}";

        assertThat(parse("{\"tasks\": [" + LOAD + ", " + write + ", " + read + "]}").taskRuns())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"tasks": [}   | line 1, column 12: not JSON
                    {"tasks": [],} | line 1, column 14: not JSON
                    [1]            | $: expected an object with "tasks", found a list
                    {}             | $: a script needs "tasks" with a list of tasks
                    {"tasks": 1}   | $.tasks: expected a list of tasks, found 1
                    {"name": 1, "tasks": []} | $.name: expected a text, found 1
                    {"parameters": 1, "tasks": []} | $.parameters: expected an object
                    """)
    void refusesTextThatIsNoScript(String text, String error) {
        assertThat(errors(text)).hasSize(1).first().asString().startsWith(error);
    }

    @Test
    void takesParametersFromOutsideInTheTypeOfTheirDefaults() {
        String script =
                """
                {"parameters": {"source": 1, "graph": "g", "check": false, "seeds": [2, 3]},
                 "tasks": [
                  {"task": "graph.generate", "graph": "the-${graph}-${source}", "seeds": "${seeds}"},
                  {"task": "graph.bfs", "graph": "the-7-9", "source": "${source}",
                   "verify": "${check}"}]}
                """;

        Script checked =
                Script.parse(
                        "s.json",
                        script,
                        files,
                        Map.of("source", "9", "graph", "7", "check", "true", "seeds", "[4, 5]"),
                        FakeTask.catalog());

        Step.Call generate = (Step.Call) checked.steps().get(0);
        Step.Call bfs = (Step.Call) checked.steps().get(1);
        assertThat(generate.arguments().integers("seeds")).containsExactly(4, 5);
        assertThat(bfs.arguments().integer("source")).isEqualTo(9);
        assertThat(bfs.arguments().flag("verify")).isTrue();
    }

    @Test
    void refusesParametersFromOutsideThatItDoesNotKnowOrOfAnotherType() {
        String script = "{\"parameters\": {\"scale\": 10, \"on\": true}, \"tasks\": []}";

        InvalidScriptException refused =
                catchThrowableOfType(
                        InvalidScriptException.class,
                        () ->
                                Script.parse(
                                        "s.json",
                                        script,
                                        files,
                                        Map.of("scael", "1", "on", "1"),
                                        FakeTask.catalog()));

        assertThat(refused.errors().stream().map(ScriptError::toString))
                .containsExactlyInAnyOrder(
                        "-P scael: the script has no parameter \"scael\"; did you mean \"scale\"?",
                        "-P on: expected true or false, found \"1\"");
    }

    @Test
    void holdsItsBounds() {
        String many = String.join(", ", Collections.nCopies(10_001, BFS));
        String block = "{\"repeat\": 1, \"tasks\": [";
        String deep = block.repeat(9) + "]}".repeat(9);
        String endless =
                "{\"repeat\": 1000, \"tasks\": [{\"repeat\": 1000, \"tasks\": [" + BFS + "]}]}";

        assertThat(errors("{\"tasks\": [" + LOAD + ", " + many + "]}"))
                .containsExactly("$.tasks: more than 10000 tasks");
        assertThat(errors("{\"tasks\": [" + deep + "]}"))
                .singleElement()
                .asString()
                .endsWith("blocks are nested deeper than 8 levels");
        assertThat(errors("{\"tasks\": [" + LOAD + ", " + endless + "]}"))
                .containsExactly("$.tasks: up to 1000001 tasks would run, more than 100000");
    }

    @Test
    void readsFromAFileAndNamesItInEveryLine() throws IOException {
        Path file = folder.resolve("bad.json");
        Files.writeString(file, "{\"tasks\": [{\"task\": \"x\"}, {\"task\": \"y\"}]}");

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("bad.json: $.tasks[0]")
                .hasMessageContaining("\nbad.json: $.tasks[1]");
    }

    @Test
    void refusesFilesThatAreNoScripts() throws IOException {
        Path large = folder.resolve("large.json");
        Path binary = folder.resolve("binary.json");
        Files.write(large, new byte[ScriptBounds.MAX_SCRIPT_BYTES + 1]);
        Files.write(binary, new byte[] {(byte) 0xff, (byte) 0xfe});

        assertThatThrownBy(() -> read(folder.resolve("missing.json")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("there is no script");
        assertThatThrownBy(() -> read(large)).hasMessageContaining("too large for a script");
        assertThatThrownBy(() -> read(binary)).hasMessageContaining("is not UTF-8 text");
    }

    private Script read(Path file) {
        JobRequest read = JobRequest.read(file, Map.of());
        return Script.parse(read.label(), read.script(), files, Map.of(), FakeTask.catalog());
    }

    private Script parse(String text) {
        return parse(text, ExistingGraphs.NONE);
    }

    private Script parse(String text, ExistingGraphs existing) {
        return Script.parse(
                "s.json", text, files, Map.of(), FakeTask.catalog(), Includes.ofFiles(), existing);
    }

    private List<String> errors(String text) {
        return errors(text, ExistingGraphs.NONE);
    }

    private List<String> errors(String text, ExistingGraphs existing) {
        InvalidScriptException refused =
                catchThrowableOfType(InvalidScriptException.class, () -> parse(text, existing));
        assertThat(refused).as("the script is refused: %s", text).isNotNull();
        return refused.errors().stream().map(ScriptError::toString).toList();
    }

    /** Sentences about files go on with a path of this machine. */
    private static String start(String error) {
        return error.replaceFirst(" is outside$", " is ");
    }
}
