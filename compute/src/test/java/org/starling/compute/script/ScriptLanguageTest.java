package org.starling.compute.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.script.ScriptReport.Status;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/**
 * What scripts can say beside tasks one after another, run with tasks that write down what they
 * did.
 */
final class ScriptLanguageTest {
    @TempDir Path folder;

    private final FakeGraphs graphs = new FakeGraphs();
    private final List<String> ran = new ArrayList<>();

    /** Tries of each value, for tasks that fail at first. */
    private final List<Long> tries = new ArrayList<>();

    @Test
    void takesEarlierResultsAsArguments() {
        run(
                """
                {"tasks": [
                  {"task": "test.list", "as": "found", "size": 3},
                  {"task": "test.add", "as": "sum", "value": "${found.values[2]}"},
                  {"task": "test.add", "value": "${sum.value}", "text": "is ${sum.value} of ${found.size}"}]}
                """);

        assertThat(ran).containsExactly("list 3", "add 3", "add 4 is 4 of 3");
    }

    @Test
    void saysWhereAResultDoesNotFitWhenItRuns() {
        ScriptReport short0 =
                run(
                        """
                        {"tasks": [
                          {"task": "test.list", "as": "found", "size": 1},
                          {"task": "test.add", "value": "${found.values[1]}"}]}
                        """);
        ScriptReport half =
                run(
                        """
                        {"tasks": [
                          {"task": "test.list", "as": "found", "size": 1},
                          {"task": "test.add", "value": "${found.mean}"}]}
                        """);

        assertThat(short0.failure())
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "$.tasks[1].value: ${found.values[1]}: there is no \"1\" in the result");
        assertThat(half.failure())
                .hasMessage("$.tasks[1].value: expected a whole number, found 0.5");
    }

    @Test
    void fillsNamedValuesWithWhatOnlyTheRunKnows() {
        run(
                """
                {"parameters": {"p": 7}, "tasks": [
                  {"task": "test.list", "as": "l", "size": 2},
                  {"task": "test.take", "with": {"a": ["${l.values[0]}", "${p}"], "b": "${l.word}-x",
                    "c": "${l.values}", "d": "${l.mean}", "e": true}}]}
                """);

        assertThat(ran)
                .containsExactly("list 2", "take {a=[1, 7], b=w-x, c=[1, 2], d=0.5, e=true}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"a": {"b": "${l.word}"}}          | $.tasks[1].with: "a" must be a text, a number of 64 bits, true or false, or a list of these; found an object
                    {"a": {"b": "${no.such}"}}         | $.tasks[1].with: "a" must be a text, a number of 64 bits, true or false, or a list of these; found an object
                    {"a": [["${l.word}"]]}             | $.tasks[1].with: "a" must be a text, a number of 64 bits, true or false, or a list of these; found a list
                    {"a": null, "b": "${l.word}"}      | $.tasks[1].with: "a" must be a text, a number of 64 bits, true or false, or a list of these; found null
                    {"a": ["${no.such}"]}              | $.tasks[1].with.a: no earlier task has "as": "no"; did you mean "l"?
                    {"a": "${l.values} of them"}       | $.tasks[1].with.a: "l.values" is a list and can't be a part of a text
                    {"a": "${p}"}                      | $.tasks[1].with.a: no parameter "p"
                    {"a": "${p}", "b": "${l.word}"}    | $.tasks[1].with.a: no parameter "p"
                    "${l.size}"                        | $.tasks[1].with: expected an object of named values, but "l.size" is a whole number
                    "some ${l.word}"                   | $.tasks[1].with: expected an object of named values, but "some ${l.word}" is a text
                    """)
    void looksIntoNamedValuesBeforeItRuns(String values, String error) {
        assertThat(
                        errors(
                                """
                                {"tasks": [{"task": "test.list", "as": "l", "size": 2},
                                  {"task": "test.take", "with": %s}]}
                                """
                                        .formatted(values)))
                .containsExactly(error);
    }

    @Test
    void knowsThatWholeNumbersAreNoTexts() {
        assertThat(
                        errors(
                                """
                                {"tasks": [{"task": "test.list", "as": "l", "size": 2},
                                  {"task": "test.take", "texts": "${l.values}"}]}
                                """))
                .containsExactly(
                        "$.tasks[1].texts: expected a list of texts, but \"l.values\" is a list");
    }

    @Test
    void repeatsWhileAConditionHolds() {
        run(
                """
                {"tasks": [
                  {"task": "test.add", "as": "n", "value": 0},
                  {"while": "n.value < 4", "atMost": 10, "tasks": [
                    {"task": "test.add", "as": "n", "value": "${n.value}"}]},
                  {"task": "test.add", "value": "${n.value}"}]}
                """);

        assertThat(ran).containsExactly("add 0", "add 1", "add 2", "add 3", "add 4");
    }

    @Test
    void endsALoopWhoseConditionNothingChangesAfterItsRounds() {
        run(
                """
                {"tasks": [
                  {"task": "test.add", "as": "n", "value": 0},
                  {"while": "n.value < 4", "atMost": 10, "tasks": [
                    {"task": "test.add", "as": "m", "value": "${n.value}"}]}]}
                """);

        assertThat(ran).hasSize(11);
    }

    @Test
    void takesANameAgainInEachKindOfLoopAndInLoopsInLoops() {
        run(
                """
                {"tasks": [
                  {"task": "test.add", "as": "n", "value": 0},
                  {"repeat": 2, "tasks": [
                    {"if": "n.value < 9", "then": [{"task": "test.add", "as": "n", "value": "${n.value}"}]}]},
                  {"forEach": "x", "in": [10, 20], "tasks": [
                    {"task": "test.add", "as": "m", "value": "${x}"},
                    {"while": "m.value == 11 or m.value == 21", "atMost": 3, "tasks": [
                      {"task": "test.add", "as": "m", "value": "${m.value}"}]}]},
                  {"task": "test.add", "value": "${m.value}"}]}
                """);

        assertThat(ran)
                .containsExactly(
                        "add 0", "add 1", "add 2", "add 10", "add 11", "add 20", "add 21",
                        "add 22");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"task": "test.list", "as": "n", "size": 1}                      | $.tasks[1].tasks[0].as: the result of $.tasks[0] is already called "n"; a loop takes a name again for the same task alone, and not for one that may fail
                    {"task": "test.add", "as": "n", "value": 1, "onFailure": "continue"} | $.tasks[1].tasks[0].as: the result of $.tasks[0] is already called "n"; a loop takes a name again for the same task alone, and not for one that may fail
                    {"parallel": [[{"task": "test.add", "as": "n", "value": 1}]]}    | $.tasks[1].tasks[0].parallel[0][0].as: the result of $.tasks[0] is already called "n"
                    {"if": "n.value < 1", "then": [{"task": "test.add", "as": "n", "value": 1}], "else": [{"task": "test.add", "as": "n", "value": 2}]} | $.tasks[1].tasks[0].else[0].as: the result of $.tasks[1].tasks[0].then[0] is already called "n"
                    """)
    void takesNoNameAgainThatWouldNotBeTheSame(String step, String error) {
        assertThat(
                        errors(
                                """
                                {"tasks": [
                                  {"task": "test.add", "as": "n", "value": 0},
                                  {"while": "n.value < 4", "atMost": 10, "tasks": [%s]}]}
                                """
                                        .formatted(step)))
                .containsExactly(error);
    }

    @Test
    void letsALoopInABranchTakeNoNameThatAnotherBranchSees() {
        assertThat(
                        errors(
                                """
                                {"tasks": [
                                  {"task": "test.add", "as": "n", "value": 0},
                                  {"parallel": [
                                    [{"repeat": 2, "tasks": [{"task": "test.add", "as": "n", "value": "${n.value}"}]}],
                                    [{"task": "test.add", "value": "${n.value}"}]]}]}
                                """))
                .containsExactly(
                        "$.tasks[1].parallel[0][0].tasks[0].as: the result of $.tasks[0] is already called \"n\"");
    }

    @Test
    void goesOverAListThatStandsInTheScript() {
        run(
                """
                {"parameters": {"names": ["a", "b"]}, "tasks": [
                  {"forEach": "name", "in": "${names}", "tasks": [
                    {"task": "test.make", "graph": "g-${name}"},
                    {"if": "name == 'b'", "then": [{"task": "test.use", "graph": "g-${name}"}]}]},
                  {"task": "test.use", "graph": "g-a"}]}
                """);

        assertThat(ran).containsExactly("make g-a", "make g-b", "use g-b", "use g-a");
    }

    @Test
    void goesOverAResult() {
        ScriptReport report =
                run(
                        """
                        {"tasks": [
                          {"task": "test.list", "as": "found", "size": 3},
                          {"forEach": "x", "in": "${found.values}", "tasks": [
                            {"task": "test.add", "as": "sum", "value": "${x}"}]},
                          {"forEach": "x", "in": [7, "${found.size}"], "tasks": [
                            {"task": "test.add", "value": "${x}"}]},
                          {"forEach": "pair", "in": [[1, "one"], [2, "two"]], "tasks": [
                            {"task": "test.add", "value": "${pair[0]}", "text": "${pair[1]}"}]}]}
                        """);

        assertThat(report.failure()).isNull();
        assertThat(ran)
                .containsExactly(
                        "list 3",
                        "add 1",
                        "add 2",
                        "add 3",
                        "add 7",
                        "add 3",
                        "add 1 one",
                        "add 2 two");
    }

    @Test
    void doesNotGoOverMoreThanItWasTold() {
        ScriptReport report =
                run(
                        """
                        {"tasks": [
                          {"task": "test.list", "as": "found", "size": 3},
                          {"forEach": "x", "in": "${found.values}", "atMost": 2, "tasks": [
                            {"task": "test.add", "value": "${x}"}]}]}
                        """);

        assertThat(report.failure())
                .hasMessage(
                        "$.tasks[1].in: 3 elements, more than 2; say how many there may be: \"atMost\": 3");
        assertThat(ran).containsExactly("list 3");
    }

    @Test
    void runsBranchesInTheirOrderAndKnowsTheirResultsAfterwards() {
        run(
                """
                {"tasks": [
                  {"parallel": [
                    [{"task": "test.add", "as": "a", "value": 1}, {"task": "test.add", "value": "${a.value}"}],
                    [{"task": "test.add", "as": "b", "value": 10}]]},
                  {"if": "a.value < b.value", "then": [{"task": "test.count"}]}]}
                """);

        assertThat(ran).containsExactly("add 1", "add 2", "add 10", "count");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{'task': 'test.add', 'as': 'a', 'value': 1}], [{'task': 'test.add', 'value': '${a.value}'}]",
                "[{'task': 'test.make', 'graph': 'g'}], [{'task': 'test.use', 'graph': 'g'}]",
                "[{'task': 'test.make', 'graph': 'g'}], [{'task': 'test.make', 'graph': 'g'}]",
                "[{'task': 'test.drop', 'graph': 'h'}], [{'task': 'test.use', 'graph': 'h'}]",
                "[{'task': 'test.use', 'graph': 'h'}], [{'task': 'test.drop', 'graph': 'h'}]",
                "[{'task': 'test.write', 'file': 'x'}], [{'task': 'test.write', 'file': 'x'}]",
                "[{'task': 'test.write', 'file': 'y'}], [{'task': 'test.read', 'file': 'y'}]"
            })
    void letsNoBranchSeeAnother(String branches) throws IOException {
        Files.writeString(folder.resolve("y"), "");
        String script =
                "{'tasks': [{'task': 'test.make', 'graph': 'h'}, {'parallel': [%s]}]}"
                        .formatted(branches)
                        .replace('\'', '"');

        assertThat(errors(script)).singleElement().asString().startsWith("$.tasks[1].parallel[1]");
    }

    @Test
    void includesOtherScriptsWithTheirOwnNamesAndFolder() throws IOException {
        Files.createDirectory(folder.resolve("lib"));
        Files.writeString(folder.resolve("lib/data.txt"), "");
        write(
                "lib/add.json",
                """
                {"parameters": {"start": 0, "word": "x"}, "tasks": [
                  {"task": "test.read", "file": "data.txt"},
                  {"task": "test.add", "as": "sum", "value": "${start}", "text": "${word}"}]}
                """);

        run(
                """
                {"tasks": [
                  {"task": "test.add", "as": "sum", "value": 1},
                  {"include": "lib/add.json", "as": "one", "parameters": {"start": "${sum.value}"}},
                  {"include": "lib/add.json", "as": "two", "parameters": {"start": "${one.sum.value}", "word": "w"}},
                  {"if": "two.sum.value == 4", "then": [{"task": "test.count"}]}]}
                """);

        assertThat(ran)
                .containsExactly(
                        "add 1", "read data.txt", "add 2 x", "read data.txt", "add 3 w", "count");
    }

    @Test
    void embedsWhatIsIncludedForAClusterThatDoesNotSeeIt() throws IOException {
        write("a.json", "{\"tasks\": [{\"include\": \"sub/b.json\"}]}");
        Files.createDirectory(folder.resolve("sub"));
        write("sub/b.json", "{\"tasks\": [{\"include\": \"../c.json\"}]}");
        write("c.json", "{\"tasks\": [{\"task\": \"test.count\"}]}");
        Path main = write("main.json", "{\"tasks\": [{\"include\": \"a.json\"}]}");
        JobRequest request = JobRequest.read(main, Map.of()).withIncludes(tasks());
        for (String gone : List.of("a.json", "sub/b.json", "c.json")) {
            Files.delete(folder.resolve(gone));
        }

        JobRequest travelled = JobRequest.parse(request.json());

        assertThat(travelled.includes()).containsOnlyKeys("a.json", "sub/b.json", "c.json");
        assertThat(travelled.parse(tasks(), List.of(folder), ExistingGraphs.NONE).taskRuns())
                .isEqualTo(1);
        JobRequest bare = JobRequest.read(main, Map.of());
        assertThat(
                        catchThrowableOfType(
                                InvalidScriptException.class,
                                () -> bare.parse(tasks(), List.of(folder), ExistingGraphs.NONE)))
                .hasMessageContaining("\"a.json\" did not come with the script");
    }

    @Test
    void refusesCirclesAndSaysWhatIsWrongInsideWithThePlace() throws IOException {
        write("a.json", "{\"tasks\": [{\"include\": \"b.json\"}]}");
        write("b.json", "{\"tasks\": [{\"include\": \"a.json\"}]}");
        write("bad.json", "{\"parameters\": {\"n\": 1}, \"tasks\": [{\"task\": \"test.ad\"}]}");

        assertThat(errors("{\"tasks\": [{\"include\": \"a.json\"}]}"))
                .containsExactly(
                        "$.tasks[0].include(a.json).tasks[0].include(b.json).tasks[0].include: \"a.json\" includes itself, by way of 2 scripts");
        assertThat(
                        errors(
                                "{\"tasks\": [{\"include\": \"bad.json\", \"parameters\": {\"m\": 1, \"n\": \"x\"}}]}"))
                .containsExactly(
                        "$.tasks[0].parameters.m: the included script has no parameter \"m\"; did you mean \"n\"?",
                        "$.tasks[0].parameters.n: expected a number, found \"x\"",
                        "$.tasks[0].include(bad.json).tasks[0].task: unknown task \"test.ad\"; did you mean \"test.add\"?");
        assertThat(errors("{\"tasks\": [{\"include\": \"bda.json\"}]}"))
                .singleElement()
                .asString()
                .startsWith("$.tasks[0].include: there is no file \"bda.json\"")
                .contains("did you mean");
        assertThat(errors("{\"tasks\": [{\"include\": \"../x.json\"}]}"))
                .singleElement()
                .asString()
                .contains("lies outside the folders that this script may use");
    }

    @Test
    void goesOnBehindAFailureAndSaysSo() {
        ScriptReport report =
                run(
                        """
                        {"tasks": [
                          {"task": "test.fail", "as": "first", "times": 9, "onFailure": "continue"},
                          {"if": "first.failed", "then": [{"task": "test.add", "value": 1, "text": "${first.error}"}]},
                          {"task": "test.add", "as": "second", "value": 5, "onFailure": "continue"},
                          {"if": "not second.failed and second.value == 6", "then": [{"task": "test.count"}]}]}
                        """);

        assertThat(report.failure()).isNull();
        assertThat(ran)
                .containsExactly(
                        "fail", "add 1 $.tasks[0] (test.fail): try 1 of 9", "add 5", "count");
        assertThat(report.tasks().getFirst().error())
                .isEqualTo("$.tasks[0] (test.fail): try 1 of 9");
        assertThat(report.status()).isEqualTo(Status.SUCCEEDED);
    }

    @Test
    void triesAgainAsOftenAsItIsTold() {
        ScriptReport good =
                run(
                        "{\"tasks\": [{\"task\": \"test.fail\", \"times\": 2, \"onFailure\": {\"retry\": 2}}]}");
        tries.clear();
        ScriptReport bad =
                run(
                        "{\"tasks\": [{\"task\": \"test.fail\", \"times\": 3, \"onFailure\": {\"retry\": 2}}]}");
        tries.clear();
        ScriptReport still =
                run(
                        "{\"tasks\": [{\"task\": \"test.fail\", \"times\": 3, \"onFailure\": {\"retry\": 1, \"then\": \"continue\"}}, {\"task\": \"test.count\"}]}");

        assertThat(good.failure()).isNull();
        assertThat(good.tasks()).hasSize(3);
        assertThat(bad.failure())
                .isInstanceOf(JobFailedException.class)
                .hasMessage("$.tasks[0] (test.fail): try 3 of 3");
        assertThat(still.failure()).isNull();
        assertThat(ran).hasSize(3 + 3 + 2 + 1);
    }

    @Test
    void leavesNoGraphsOfABlockThatIsTriedAgain() {
        ScriptReport report =
                run(
                        """
                        {"tasks": [
                          {"tasks": [
                            {"task": "test.make", "graph": "g"},
                            {"task": "test.make", "graph": "temp"},
                            {"task": "test.drop", "graph": "temp"},
                            {"task": "test.fail", "times": 2}],
                           "onFailure": {"retry": 2}},
                          {"task": "test.use", "graph": "g"}]}
                        """);

        assertThat(report.failure()).isNull();
        assertThat(ran)
                .containsExactly(
                        "make g",
                        "make temp",
                        "drop temp",
                        "fail",
                        "make g",
                        "make temp",
                        "drop temp",
                        "fail",
                        "make g",
                        "make temp",
                        "drop temp",
                        "fail",
                        "use g");
        assertThat(graphs.graphs()).containsExactly("g");
    }

    @Test
    void goesOnBehindABlockWhoseGraphAnotherJobUses() {
        graphs.use("g", true);

        ScriptReport report =
                run(
                        """
                        {"tasks": [
                          {"tasks": [
                            {"task": "test.make", "graph": "g"},
                            {"task": "test.fail", "times": 9}],
                           "onFailure": {"retry": 1, "then": "continue"}},
                          {"task": "test.count"}]}
                        """);

        assertThat(report.failure()).isNull();
        assertThat(ran).containsExactly("make g", "fail", "make g", "count");
        assertThat(report.tasks().get(2).error()).contains("there is a graph \"g\" already");
        assertThat(report.log())
                .contains(
                        "a step that failed has made graph \"g\", which stays: graph \"g\" is in use by job 8");
    }

    @Test
    void knowsGraphsOfATaskThatMayFailOnlyWhereItHasNot() {
        String make =
                "{\"task\": \"test.make\", \"graph\": \"g\", \"as\": \"made\", \"onFailure\": \"continue\"}";
        String use = "{\"task\": \"test.use\", \"graph\": \"g\"}";

        assertThat(errors("{\"tasks\": [" + make + ", " + use + "]}"))
                .singleElement()
                .asString()
                .startsWith("$.tasks[1].graph: graph \"g\" may be missing here");
        assertThat(
                        errors(
                                "{\"tasks\": [%s, {\"if\": \"made.failed\", \"then\": [%s]}]}"
                                        .formatted(make, use)))
                .hasSize(1);
        assertThat(
                        run("{\"tasks\": [%s, {\"if\": \"not made.failed\", \"then\": [%s]}, {\"if\": \"made.failed\", \"then\": [], \"else\": [%s]}]}"
                                        .formatted(make, use, use))
                                .failure())
                .isNull();
    }

    @Test
    void endsATaskThatTakesTooLongAndGoesOn() {
        ScriptReport report =
                run(
                        """
                        {"tasks": [
                          {"task": "test.wait", "timeLimit": "50 ms", "onFailure": "continue"},
                          {"task": "test.add", "value": 1, "timeLimit": "1 h"},
                          {"task": "test.wait", "timeLimit": "20ms"}]}
                        """);

        assertThat(report.status()).isEqualTo(Status.FAILED);
        assertThat(report.failure())
                .isInstanceOf(JobFailedException.class)
                .hasMessage(
                        "$.tasks[2] (test.wait): it has taken longer than its time limit of 20ms");
        assertThat(ran).containsExactly("wait", "add 1", "wait");
    }

    /** Everything at once: after each task another runner takes over with what was remembered. */
    @Test
    void comesToTheSamePlaceWithAnotherMasterWhereverTheFirstOneStopped() throws IOException {
        write(
                "part.json",
                "{\"parameters\": {\"n\": 0}, \"tasks\": [{\"task\": \"test.add\", \"as\": \"sum\", \"value\": \"${n}\"}, {\"task\": \"test.fail\", \"times\": 1, \"onFailure\": {\"retry\": 1}}]}");
        String script =
                """
                {"tasks": [
                  {"task": "test.list", "as": "found", "size": 2},
                  {"forEach": "x", "in": "${found.values}", "tasks": [
                    {"include": "part.json", "as": "part", "parameters": {"n": "${x}"}},
                    {"if": "part.sum.value > 2 or x == 1", "then": [{"task": "test.count", "as": "c"}]}]},
                  {"while": "found.size == 2 and not (found.mean > 1)", "atMost": 3, "tasks": [
                    {"tasks": [
                      {"task": "test.make", "graph": "g"},
                      {"task": "test.fail", "times": 5},
                      {"task": "test.drop", "graph": "g"}],
                     "onFailure": "continue", "as": "block"},
                    {"if": "block.failed", "then": [{"task": "test.count"}]}]},
                  {"task": "test.add", "as": "n", "value": 0},
                  {"while": "n.value < 3", "atMost": 9, "tasks": [
                    {"task": "test.add", "as": "n", "value": "${n.value}"}]},
                  {"parallel": [[{"task": "test.count"}], [{"task": "test.add", "value": 4}]]}]}
                """;
        ScriptReport undisturbed = run(script);
        List<String> all = List.copyOf(ran);
        List<TaskReport> whole = undisturbed.tasks();
        assertThat(undisturbed.failure()).isNull();

        for (int ended : IntStream.rangeClosed(0, whole.size()).toArray()) {
            ran.clear();
            tries.clear();
            graphs.clear();
            whole.subList(0, ended).stream()
                    .filter(task -> task.task().equals("test.fail"))
                    .forEach(task -> tries.add(1L));
            whole.subList(0, ended).stream()
                    .map(TaskReport::task)
                    .filter(List.of("test.make", "test.drop")::contains)
                    .reduce((one, other) -> other)
                    .filter("test.make"::equals)
                    .ifPresent(task -> graphs.make("g"));
            String remembered =
                    JsonText.write(new ScriptProgress(whole.subList(0, ended), 1).tree());

            ScriptReport report = run(script, ScriptProgress.of(JsonText.parse(remembered)));

            assertThat(report.failure()).as("after %d tasks", ended).isNull();
            assertThat(ran).isEqualTo(all.subList(ended, all.size()));
            assertThat(report.tasks().stream().map(TaskReport::error).toList())
                    .isEqualTo(whole.stream().map(TaskReport::error).toList());
        }
    }

    @Test
    void refusesAnObjectWhereForEachWantsAList() {
        assertThat(
                        errors(
                                """
                                {"tasks": [
                                  {"task": "test.list", "as": "found", "size": 3},
                                  {"forEach": "x", "in": {"if": "${found.size}"}, "tasks": [{"task": "test.count"}]}]}
                                """))
                .singleElement()
                .asString()
                .startsWith("$.tasks[1].in: expected a list");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private ScriptReport run(String text) {
        return run(text, ScriptProgress.NONE);
    }

    private ScriptReport run(String text, ScriptProgress from) {
        return new ScriptRunner(parse(text), () -> graphs, ScriptListener.SILENT, from).run();
    }

    private Script parse(String text) {
        ScriptFiles files = new ScriptFiles(folder, List.of(folder));
        return Script.parse("s.json", text, files, Map.of(), tasks());
    }

    private List<String> errors(String text) {
        InvalidScriptException refused =
                catchThrowableOfType(InvalidScriptException.class, () -> parse(text));
        assertThat(refused).as("the script is refused: %s", text).isNotNull();
        return refused.errors().stream().map(ScriptError::toString).toList();
    }

    private TaskCatalog tasks() {
        return TaskCatalog.of(
                task(
                        TaskSignature.of("test.add", "Adds one.")
                                .with(Argument.required("value", Argument.Type.INTEGER, "to what"))
                                .with(Argument.optional("text", Argument.Type.TEXT, "to say"))
                                .returns("value", "integer", "one more"),
                        (context, arguments) -> {
                            String text = arguments.text("text", "");
                            ran.add(("add " + arguments.integer("value") + " " + text).strip());
                            return new TaskResult().put("value", arguments.integer("value") + 1);
                        }),
                task(
                        TaskSignature.of("test.take", "Takes values.")
                                .with(Argument.optional("with", Argument.Type.PARAMETERS, "some"))
                                .with(Argument.optional("texts", Argument.Type.TEXT_LIST, "some")),
                        (context, arguments) -> {
                            ran.add("take " + arguments.nested("with"));
                            return new TaskResult();
                        }),
                task(
                        TaskSignature.of("test.count", "Counts.")
                                .returns("value", "integer", "tasks so far"),
                        (context, arguments) -> {
                            ran.add("count");
                            return new TaskResult().put("value", ran.size());
                        }),
                task(
                        TaskSignature.of("test.list", "Lists.")
                                .with(Argument.required("size", Argument.Type.INTEGER, "how many"))
                                .returns("values", "list of integers", "from 1")
                                .returns("size", "integer", "how many")
                                .returns("mean", "number", "a half")
                                .returns("word", "text", "some"),
                        (context, arguments) -> {
                            ran.add("list " + arguments.integer("size"));
                            long size = arguments.integer("size");
                            return new TaskResult()
                                    .put(
                                            "values",
                                            IntStream.rangeClosed(1, (int) size).boxed().toList())
                                    .put("size", size)
                                    .put("mean", 0.5)
                                    .put("word", "w");
                        }),
                task(
                        TaskSignature.of("test.fail", "Fails at first.")
                                .with(
                                        Argument.required(
                                                "times", Argument.Type.INTEGER, "how often")),
                        (context, arguments) -> {
                            ran.add("fail");
                            tries.add(1L);
                            long times = arguments.integer("times");
                            if ((tries.size() - 1) % (times + 1) < times) {
                                throw new JobFailedException(
                                        "try " + tries.size() + " of " + times);
                            }
                            return new TaskResult();
                        }),
                task(
                        TaskSignature.of("test.wait", "Waits for its end."),
                        (context, arguments) -> {
                            ran.add("wait");
                            while (true) {
                                context.checkCancelled();
                                Thread.onSpinWait();
                            }
                        }),
                task(
                        TaskSignature.of("test.make", "Makes a graph.").with(FakeTask.newGraph()),
                        (context, arguments) -> {
                            ran.add("make " + arguments.text("graph"));
                            graphs.make(arguments.text("graph"));
                            return new TaskResult();
                        }),
                task(
                        TaskSignature.of("test.use", "Uses a graph.").with(FakeTask.graph()),
                        (context, arguments) -> {
                            ran.add("use " + arguments.text("graph"));
                            graphs.require(arguments.text("graph"));
                            return new TaskResult();
                        }),
                task(
                        TaskSignature.of("test.drop", "Drops a graph.")
                                .with(
                                        Argument.required(
                                                "graph", Argument.Type.DROPPED_GRAPH, "which")),
                        (context, arguments) -> {
                            ran.add("drop " + arguments.text("graph"));
                            graphs.drop(arguments.text("graph"));
                            return new TaskResult();
                        }),
                task(
                        TaskSignature.of("test.read", "Reads a file.")
                                .with(Argument.required("file", Argument.Type.INPUT_FILE, "which")),
                        (context, arguments) -> {
                            Path file = context.inputFile(arguments.text("file"));
                            ran.add("read " + file.getFileName());
                            return new TaskResult();
                        }),
                task(
                        TaskSignature.of("test.write", "Writes a file.")
                                .with(
                                        Argument.required(
                                                "file", Argument.Type.OUTPUT_FILE, "which")),
                        (context, arguments) -> new TaskResult()));
    }

    private static FakeTask task(TaskSignature signature, FakeTask.Work work) {
        return new FakeTask(signature, work);
    }
}
