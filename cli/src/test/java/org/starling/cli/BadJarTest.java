package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.compute.jars.JarRules;
import org.starling.graph.ApiVersion;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Task;

/**
 * Jars that can't be used: one sentence and exit code 3 from {@code run} and from {@code submit},
 * before a cluster starts or hears of them.
 */
@Timeout(60)
final class BadJarTest {
    private static final String SCRIPT = "{\"tasks\": [{\"task\": \"my.work\"}]}";

    private static final String TASK =
            """
            package my;
            import org.starling.graph.*;
            public final class %s implements Task {
                %s
                @Override public TaskSignature signature() {
                    return TaskSignature.of("%s", "Works.");
                }
                @Override public TaskResult run(TaskContext context, Parameters arguments) {
                    %s
                    return new TaskResult();
                }
            }
            """;

    private static final String PROGRAMS =
            """
            package my;
            import java.util.Map;
            import org.starling.graph.*;
            public final class Programs implements ProgramProvider {
                @Override public Map<String, ProgramFactory> programs() {
                    return Map.of("algorithms.pagerank", parameters -> null);
                }
            }
            """;

    private static final String SOURCES =
            """
            package my;
            import org.starling.graph.*;
            public final class Sources implements EdgeSourceProvider {
                @Override public String name() { return "kronecker"; }
                @Override public EdgeSource create(Parameters parameters) { return null; }
            }
            """;

    @TempDir Path folder;
    private final FakeService service = new FakeService();
    private final FakeCluster cluster = new FakeCluster();
    private final Screen screen = new Screen();

    interface Maker {
        void make(Path folder) throws IOException;
    }

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("s.json"), SCRIPT);
    }

    static Stream<Arguments> table() {
        return Stream.of(
                bad("no jar of that name", _ -> {}, "there is no jar "),
                bad(
                        "not a zip",
                        f -> Files.writeString(jar(f), "hello"),
                        "my.jar is no jar, or only a part"),
                bad("empty", f -> Files.createFile(jar(f)), "my.jar is no jar, or only a part"),
                bad("cut in half", BadJarTest::cut, "my.jar is no jar, or only a part"),
                bad(
                        "of 2 GB",
                        BadJarTest::huge,
                        "my.jar has 2048 MiB, and a jar may have 64 MiB here"),
                bad(
                        "without providers",
                        f -> good().entry(service(Task.class), new byte[0]).build(jar(f)),
                        "my.jar brings no task, program or edge source: name the classes in META-INF/services/"),
                bad(
                        "a service that isn't there",
                        f -> good().service(Task.class, "my.Work", "my.Gone").build(jar(f)),
                        "my.jar: META-INF/services/org.starling.graph.Task names the class my.Gone, which is not there"),
                bad(
                        "a constructor that throws",
                        f ->
                                task(
                                                "Work",
                                                "public Work() { throw new IllegalStateException(\"boom\"); }",
                                                "my.work",
                                                "")
                                        .build(jar(f)),
                        "my.Work of my.jar, a Task, can't be made: java.lang.IllegalStateException: boom"),
                bad(
                        "an initializer that throws",
                        f ->
                                task(
                                                "Work",
                                                "static final int N = Integer.parseInt(\"x\");",
                                                "my.work",
                                                "")
                                        .build(jar(f)),
                        "my.Work of my.jar, a Task, can't be made: java.lang.ExceptionInInitializerError"),
                bad(
                        "no public constructor",
                        f -> task("Work", "private Work() {}", "my.work", "").build(jar(f)),
                        "my.Work Unable to get public no-arg constructor"),
                bad(
                        "not a task at all",
                        f ->
                                new JarBuilder()
                                        .source("my.Work", "package my; public class Work {}")
                                        .service(Task.class, "my.Work")
                                        .build(jar(f)),
                        "my.Work not a subtype"),
                bad(
                        "a task named like a built-in one",
                        f -> task("Work", "", "graph.load", "").build(jar(f)),
                        "the task \"graph.load\" is brought by both org.starling.tasks.LoadGraph of Starling and my.Work of my.jar"),
                bad(
                        "a program named like a built-in one",
                        f ->
                                new JarBuilder()
                                        .source("my.Programs", PROGRAMS)
                                        .service(ProgramProvider.class, "my.Programs")
                                        .build(jar(f)),
                        "the program \"algorithms.pagerank\" is brought by both org.starling.algorithms."),
                bad(
                        "a source named like a built-in one",
                        f ->
                                new JarBuilder()
                                        .source("my.Sources", SOURCES)
                                        .service(EdgeSourceProvider.class, "my.Sources")
                                        .build(jar(f)),
                        "the edge source \"kronecker\" is brought by both org.starling.loaders.KroneckerProvider of Starling and my.Sources of my.jar"),
                bad(
                        "names that clash within it",
                        f ->
                                task("Work", "", "my.work", "")
                                        .source(
                                                "my.Twin",
                                                TASK.formatted("Twin", "", "my.work", ""))
                                        .service(Task.class, "my.Work", "my.Twin")
                                        .build(jar(f)),
                        "the task \"my.work\" is brought by both my.Work of my.jar and my.Twin of my.jar"),
                bad(
                        "of another major version of the API",
                        f -> good().attribute(ApiVersion.MANIFEST_ATTRIBUTE, "2.1").build(jar(f)),
                        "my.jar was built against version 2.1 of graph-api (Starling-Api-Version in its manifest), and here is version 1"),
                bad(
                        "for a newer Java",
                        f -> good().entry("my/New.class", newer()).build(jar(f)),
                        "my.jar can't be used: its class my.New was compiled for Java 99, and here is Java "),
                bad(
                        "a damaged class",
                        f -> good().entry("my/New.class", new byte[] {1, 2}).build(jar(f)),
                        "my.jar can't be used: the file of its class my.New is none"),
                bad(
                        "a class that unpacks to very much",
                        f -> good().entry("my/Big.class", new byte[17 << 20]).build(jar(f)),
                        "my.jar can't be used: my/Big.class has more than 16 MiB unpacked"),
                bad(
                        "ends its process",
                        f -> task("Work", "", "my.work", "System.exit(0);").build(jar(f)),
                        "my.jar can't be used: its class my.Work calls System.exit, which would end the process of a node"),
                bad(
                        "halts it",
                        f ->
                                task("Work", "", "my.work", "Runtime.getRuntime().halt(0);")
                                        .build(jar(f)),
                        "my.jar can't be used: its class my.Work calls Runtime.halt"),
                bad(
                        "ends it by a method reference",
                        f ->
                                task(
                                                "Work",
                                                "",
                                                "my.work",
                                                "java.util.List.of(1).forEach(System::exit);")
                                        .build(jar(f)),
                        "my.jar can't be used: its class my.Work calls System.exit"),
                bad(
                        "sees the engine",
                        BadJarTest::engine,
                        "my.jar: the class my.Work uses org.starling.compute.jars.JobCode, which jobs can't see"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void refuses(String what, Maker maker, String sentence) throws IOException {
        maker.make(folder);

        for (String word : List.of("run", "submit")) {
            ExitCode code = command(word);

            assertThat(code).as(screen.err()).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(screen.err().lines().filter(line -> line.startsWith("starling: ")))
                    .hasSize(word.equals("run") ? 1 : 2)
                    .allSatisfy(line -> assertThat(line).contains(sentence));
            assertThat(screen.out()).isEmpty();
        }
        assertThat(cluster.closes).hasValue(0);
        assertThat(service.jars().asked()).isZero();
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void refusesNamesThatClashBetweenJars() throws IOException {
        good().build(jar(folder));
        task("Other", "", "my.work", "").build(folder.resolve("other.jar"));

        assertThat(command("run", "--jar", "other.jar")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err())
                .contains(
                        "the task \"my.work\" is brought by both my.Work of my.jar and my.Other of other.jar");
    }

    /** Two versions of one jar, for example: the older one would run in silence. */
    @Test
    void refusesAProviderThatIsInTwoJars() throws IOException {
        good().build(jar(folder));
        task("Work", "static final int NEWER = 1;", "my.work", "")
                .build(folder.resolve("newer.jar"));
        Files.writeString(folder.resolve("s.json"), SCRIPT);

        for (String word : List.of("run", "submit")) {
            assertThat(command(word, "--jar", "newer.jar")).isEqualTo(ExitCode.BAD_INPUT);
        }

        assertThat(screen.err().lines().filter(line -> line.startsWith("starling: ")))
                .hasSize(2)
                .containsOnly(
                        "starling: the class my.Work, a Task, is in both my.jar and newer.jar; leave one of them out, or give its class another name");
        assertThat(cluster.used).isEmpty();
        assertThat(service.jars().list()).isEmpty();
    }

    @Test
    void refusesJarsWhereCodeOfUsersIsSwitchedOff() throws IOException {
        good().build(jar(folder));
        Files.writeString(folder.resolve("starling.json"), "{\"userCode\": false}");

        assertThat(command("run")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(screen.err()).contains("code of users is switched off here: leave out --jar");

        Files.delete(folder.resolve("starling.json"));
        service.jars().setRules(new JarRules(false, JarRules.MAX_BYTES));
        assertThat(command("submit")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(service.jars().list()).isEmpty();
    }

    @Test
    void takesTheBoundOfTheConfiguration() throws IOException {
        byte[] noise = new byte[4096];
        new java.util.Random(1).nextBytes(noise);
        good().entry("noise", noise).build(jar(folder));
        Files.writeString(folder.resolve("starling.json"), "{\"maxJarBytes\": \"1KiB\"}");

        assertThat(command("run")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err()).contains("a jar may have 1024 bytes here").contains("maxJarBytes");
    }

    @Test
    void namesTheNearestTaskOfAJar() throws IOException {
        good().build(jar(folder));
        Files.writeString(folder.resolve("s.json"), "{\"tasks\": [{\"task\": \"my.wrok\"}]}");

        assertThat(command("run")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err()).contains("$.tasks[0].task", "my.wrok", "my.work");
    }

    @Test
    void letsAJarSeeWhatAnotherOfTheSameJobBrings() throws IOException {
        Path library =
                new JarBuilder()
                        .source(
                                "lib.Name",
                                "package lib; public class Name { public static String get() { return \"my.work\"; } }")
                        .build(folder.resolve("lib.jar"));
        new JarBuilder()
                .source(
                        "my.Work",
                        TASK.formatted("Work", "", "x", "").replace("\"x\"", "lib.Name.get()"))
                .against(library)
                .service(Task.class, "my.Work")
                .build(jar(folder));
        Files.writeString(folder.resolve("s.json"), "{\"tasks\": [{\"task\": \"my.work\"}]}");

        ExitCode code = command("run", "--jar", "lib.jar");

        assertThat(code).as(screen.err()).isEqualTo(ExitCode.DONE);
        assertThat(cluster.used)
                .extracting(each -> each.jar().name())
                .containsExactly("my.jar", "lib.jar");
    }

    private ExitCode command(String word, String... more) {
        List<String> words = new ArrayList<>(List.of(word, "s.json", "--jar", "my.jar"));
        words.addAll(Arrays.asList(more));
        List<Command> commands =
                List.of(new RunCommand(cluster::start), new SubmitCommand(this::find));
        return new Commands(commands)
                .run(words.toArray(String[]::new), screen.terminal(folder), new Interruption());
    }

    private FakeService find(CommandLine line, Terminal terminal) {
        return service;
    }

    private static Arguments bad(String what, Maker maker, String sentence) {
        return Arguments.of(what, maker, sentence);
    }

    private static Path jar(Path folder) {
        return folder.resolve("my.jar");
    }

    private static String service(Class<?> service) {
        return "META-INF/services/" + service.getName();
    }

    private static JarBuilder good() {
        return task("Work", "", "my.work", "");
    }

    private static JarBuilder task(String type, String member, String name, String body) {
        return new JarBuilder()
                .source("my." + type, TASK.formatted(type, member, name, body))
                .service(Task.class, "my." + type);
    }

    private static void cut(Path folder) throws IOException {
        byte[] whole = Files.readAllBytes(good().build(jar(folder)));
        Files.write(jar(folder), Arrays.copyOf(whole, whole.length / 2));
    }

    private static void huge(Path folder) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(jar(folder).toFile(), "rw")) {
            file.setLength(2L << 30); // takes no room on the disk
        }
    }

    /** A class file whose header says Java 99. */
    private static byte[] newer() {
        return new byte[] {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0, (byte) 143};
    }

    private static void engine(Path folder) throws IOException {
        task("Work", "", "my.work", "org.starling.compute.jars.JobCode.builtIn();")
                .against(JarBuilder.location(JarRules.class))
                .build(jar(folder));
    }
}
