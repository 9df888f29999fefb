package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.script.JsonText;

/** Commands in this process, on a cluster without graphs. */
final class CommandsTest {
    @TempDir Path folder;

    private final FakeCluster cluster = new FakeCluster();
    private final Screen screen = new Screen();

    @Test
    void runsAScriptAndReportsIt() throws IOException {
        script("{\"tasks\": [{\"task\": \"test.obey\", \"as\": \"a\", \"number\": 1234}]}");

        assertThat(run("run", "s.json", "--peers", "3")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out().replaceAll("\\d+\\.\\d+", "0.0"))
                .isEqualTo(
                        """
                        s.json: succeeded in 0.0 s on 3 peers in this process

                          task           seconds  supersteps  messages
                          test.obey (a)    0.0           0         0

                        test.obey (a)
                              number  1,234
                              list    [1, 2]
                              map     {"5": 2}
                        """);
        assertThat(screen.err().lines().map(line -> line.replaceAll("\\d+\\.\\d+", "0.0")))
                .containsExactly(
                        "reading s.json",
                        "starting 3 peers in this process",
                        "nothing is promised",
                        "[1/1] test.obey (a)",
                        "      done in 0.0 s");
        assertThat(cluster.closes).hasValue(1);
    }

    @Test
    void printsOneJsonObjectForPrograms() throws IOException {
        script("{\"tasks\": [{\"task\": \"test.obey\"}]}");

        assertThat(run("run", "s.json", "--processes", "--json")).isEqualTo(ExitCode.DONE);

        assertThat(JsonText.parse(screen.out()))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("status", "succeeded")
                .containsEntry("peers", 1L)
                .containsEntry("processes", true)
                .containsEntry("recoveries", 0L)
                .containsOnlyKeys(
                        "script", "status", "seconds", "peers", "processes", "recoveries", "tasks");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    fail   | JOB_FAILED     | starling: $.tasks[0] (test.obey): told to fail
                    refuse | BAD_INPUT      | starling: $.tasks[0] (test.obey): told to refuse
                    break  | INTERNAL_ERROR | starling: internal error: java.lang.IllegalStateException: told to break
                    """)
    void tellsFailuresApart(String order, ExitCode code, String sentence) throws IOException {
        script("{\"tasks\": [{\"task\": \"test.obey\", \"order\": \"" + order + "\"}]}");

        assertThat(run("run", "s.json", "--json")).isEqualTo(code);

        assertThat(screen.err().lines())
                .contains(sentence)
                .noneMatch(line -> line.contains("at org."));
        assertThat(JsonText.parse(screen.out()))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("status", "failed")
                .containsKey("error");
        assertThat(cluster.closes).hasValue(1);
    }

    @Test
    void stopsItsClusterAlsoWhenMemoryRunsOut() throws IOException {
        script("{\"tasks\": [{\"task\": \"test.obey\", \"order\": \"exhaust\"}]}");

        assertThat(run("run", "s.json")).isEqualTo(ExitCode.INTERNAL_ERROR);

        assertThat(screen.err()).contains("OutOfMemoryError: told to exhaust");
        assertThat(cluster.closes).hasValue(1);
    }

    @Test
    void showsWhereAnErrorCameFromWhenVerbose() throws IOException {
        script("{\"tasks\": [{\"task\": \"test.obey\", \"order\": \"break\"}]}");

        run("run", "s.json", "--verbose");

        assertThat(screen.err()).contains("at org.starling.cli.ObedientTask.run");
    }

    @Test
    void handsParametersToTheScript() throws IOException {
        script(
                "{\"parameters\": {\"n\": 1}, \"tasks\": [{\"task\": \"test.obey\", \"number\":"
                        + " \"${n}\"}]}");

        assertThat(run("run", "s.json", "-P", "n=77")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out()).contains("number  77");
    }

    @Test
    void refusesAScriptThatIsWrongWithEveryReason() throws IOException {
        script("{\"tasks\": [{\"task\": \"test.oby\"}, {\"task\": \"test.obey\", \"ordr\": 1}]}");

        assertThat(run("run", "s.json", "-P", "x=1", "--json")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err().lines())
                .containsExactly(
                        "reading s.json",
                        "starling: s.json: -P x: the script has no parameter \"x\"",
                        "starling: s.json: $.tasks[0].task: unknown task \"test.oby\"; did you"
                                + " mean \"test.obey\"?",
                        "starling: s.json: $.tasks[1].ordr: unknown argument; did you mean"
                                + " \"order\"?");
        assertThat(JsonText.parse(screen.out()))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("status", "failed")
                .extractingByKey("errors", InstanceOfAssertFactories.LIST)
                .hasSize(3)
                .contains(Map.of("path", "-P x", "error", "the script has no parameter \"x\""));
        assertThat(cluster.closes).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    rnu                          | starling: unknown command "rnu"; did you mean "run"?
                    --verzion                    | starling: unknown option "--verzion"; valid: config, generate, graph500, run, tasks
                    run                          | starling: run needs one script, found 0; see starling run --help
                    run a b                      | starling: run needs one script, found 2; see starling run --help
                    run a --peer 2               | starling: "run" has no option "--peer" (did you mean --peers?); see starling run --help
                    run a --peers                | starling: run: missing argument for option: peers; see starling run --help
                    run a --peers 0              | starling: --peers must be a whole number from 1 to 64, found "0"
                    run a --peers two            | starling: --peers must be a whole number from 1 to 64, found "two"
                    run a -P x                   | starling: -P wants key=value, found "x"
                    run a -P x=1 -P x=2          | starling: -P x was given more than once
                    graph500                     | starling: --scale is missing
                    graph500 9                   | starling: graph500 takes options only, found "9"
                    generate                     | starling: generate needs one of kronecker, uniform and grid
                    generate kroneker            | starling: generate needs one of kronecker, uniform and grid, found "kroneker"; did you mean "kronecker"?
                    config                       | starling: config needs one of init, check and show
                    config chek                  | starling: config needs one of init, check and show, found "chek"; did you mean "check"?
                    tasks all                    | starling: tasks takes options only, found "all"
                    shell start                  | starling: unknown command "shell"; valid: config, generate, graph500, run, tasks
                    """)
    void refusesWordsThatMakeNoSense(String line, String sentence) {
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.WRONG_USAGE);

        assertThat(screen.err().lines()).containsExactly(sentence);
        assertThat(screen.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "run, --peers",
        "graph500, --skip-validation",
        "generate, --seeds",
        "config, --config",
        "tasks, --markdown"
    })
    void explainsEachCommand(String command, String option) {
        assertThat(run(command, "--help")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .startsWith("Usage: starling " + command)
                .contains(option)
                .contains("--json");
        assertThat(screen.err()).isEmpty();
    }

    @Test
    void listsAllCommands() {
        assertThat(run("--help")).isEqualTo(ExitCode.DONE);
        assertThat(run()).isEqualTo(ExitCode.WRONG_USAGE);

        assertThat(screen.out()).contains("graph500").contains("Exit codes");
        assertThat(screen.err()).isEqualTo(screen.out());
    }

    @Test
    void namesItsVersion() {
        assertThat(run("--version")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out()).matches("starling \\d+\\.\\d+\\.\\d+\\S*\n");
    }

    @Test
    void writesChecksAndShowsConfigurations() throws IOException {
        assertThat(run("config", "init")).isEqualTo(ExitCode.DONE);
        assertThat(run("config", "check")).isEqualTo(ExitCode.DONE);
        assertThat(run("config", "init")).isEqualTo(ExitCode.BAD_INPUT);
        Files.writeString(folder.resolve("starling.json"), "{\"peers\": 4}");
        script("{\"tasks\": []}");
        assertThat(run("run", "s.json")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .contains("starling.json is right")
                .contains("s.json: succeeded")
                .contains("on 4 peers in this process");
        assertThat(screen.err()).contains("starling.json exists; remove it first");
    }

    @Test
    void showsWhatHolds() throws IOException {
        Files.writeString(folder.resolve("c.json"), "{\"memoryPerPeer\": \"1024MiB\"}");

        assertThat(run("config", "show", "--config", "c.json")).isEqualTo(ExitCode.DONE);

        assertThat(JsonText.parse(screen.out()))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("memoryPerPeer", "1GiB")
                .containsEntry("peers", 1L);
    }

    @ParameterizedTest
    @CsvSource({"uniform, 64", "grid, 24"})
    void generatesOtherGraphsThanTheBenchmarks(String generator, long edges) {
        assertThat(
                        run(
                                "generate",
                                generator,
                                "--scale",
                                "4",
                                "--edgefactor",
                                "4",
                                "--seeds",
                                "2,3",
                                "--hash",
                                "--json"))
                .isEqualTo(ExitCode.DONE);

        assertThat(JsonText.parse(screen.out()))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsEntry("edges", edges)
                .containsOnlyKeys("edges", "sumSource", "sumTarget", "edgeHash", "weightHash");
        assertThat(cluster.closes).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({"config check", "config show --config x.json", "run s.json --config x.json"})
    void refusesAConfigurationThatIsNotThere(String line) {
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err())
                .contains("there is no configuration")
                .contains("starling config init");
    }

    @Test
    void reportsAClusterThatDoesNotStart() throws IOException {
        script("{\"tasks\": []}");
        Commands commands =
                new Commands(
                        List.of(
                                new RunCommand((settings, progress) -> {
                                    throw new ClusterException(
                                            "peer 2 did not answer",
                                            new IOException("connection refused"));
                                })));

        ExitCode code =
                commands.run(
                        new String[] {"run", "s.json"},
                        screen.terminal(folder),
                        new Interruption());

        assertThat(code).isEqualTo(ExitCode.NO_CLUSTER);
        assertThat(screen.err()).endsWith("starling: peer 2 did not answer\n");
    }

    private void script(String text) throws IOException {
        Files.writeString(folder.resolve("s.json"), text);
    }

    private ExitCode run(String... words) {
        Commands commands =
                new Commands(
                        List.of(
                                new RunCommand(cluster::start),
                                new Graph500Command(cluster::start),
                                new GenerateCommand(),
                                new ConfigCommand(),
                                new TasksCommand()));
        return commands.run(words, screen.terminal(folder), new Interruption());
    }
}
