package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in a checkout of its own, with a JDK and a Maven that only say what they were asked
 * for.
 */
final class LauncherTest {
    private static final List<String> TOOLS =
            List.of(
                    "bash",
                    "env",
                    "find",
                    "dirname",
                    "readlink",
                    "touch",
                    "mkdir",
                    "mv",
                    "rm",
                    "grep",
                    "tail",
                    "flock",
                    "cat",
                    "cp");

    @TempDir Path temporary;

    private Path checkout;
    private Path bin;
    private Path library;
    private final Map<String, String> environment = new TreeMap<>();

    @BeforeEach
    void makeCheckout() throws IOException {
        checkout = Files.createDirectory(temporary.resolve("a check out"));
        Files.copy(Checkout.root().resolve("starling"), checkout.resolve("starling"));
        makeExecutable(checkout.resolve("starling"));
        library = checkout.resolve("cli/target/starling/lib");
        bin = Files.createDirectory(temporary.resolve("bin"));
        for (String tool : TOOLS) {
            Path file = Path.of("/usr/bin", tool);
            if (Files.exists(file)) {
                Files.createSymbolicLink(bin.resolve(tool), file);
            }
        }
        environment.put("PATH", bin.toString());
        environment.put("STARLING_JDK_FOLDERS", temporary.resolve("jdk s") + "/*");
        makeJdk(temporary.resolve("jdk s/old"), "17.0.15");
    }

    @Test
    void saysWhatToInstallWhenThereIsNoJdk() throws Exception {
        ProcessRun run = launch(temporary, "tasks");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo(
                        "starling: no JDK 25 or newer found: install one (for example Eclipse"
                                + " Temurin 25), or set JAVA_HOME to it.\n");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void takesAnyJdkThatIsNewEnough() throws Exception {
        Files.createDirectories(library);
        Path jdk = makeJdk(temporary.resolve("jdk s/new"), "26");

        assertThat(launch(temporary, "tasks").out()).startsWith("java of " + jdk + "\n");
    }

    @Test
    void prefersTheJdkOfTheEnvironment() throws Exception {
        Files.createDirectories(library);
        makeJdk(temporary.resolve("jdk s/new"), "25");
        Path home = makeJdk(temporary.resolve("home of java"), "25.0.3");
        environment.put("JAVA_HOME", home.toString());

        assertThat(launch(temporary, "tasks").out()).startsWith("java of " + home + "\n");
    }

    @Test
    void findsTheJdkOnThePathThroughLinks() throws Exception {
        Files.createDirectories(library);
        Path jdk = makeJdk(temporary.resolve("elsewhere"), "25.0.3");
        Files.createSymbolicLink(temporary.resolve("alternative"), jdk.resolve("bin/java"));
        Files.createSymbolicLink(bin.resolve("java"), temporary.resolve("alternative"));

        assertThat(launch(temporary, "tasks").out()).startsWith("java of " + jdk + "\n");
    }

    @Test
    void keepsEveryArgumentWholeThroughLinksAndFromAnyFolder() throws Exception {
        Files.createDirectories(library);
        makeJdk(temporary.resolve("jdk s/new"), "25");
        Path elsewhere = Files.createDirectories(temporary.resolve("else where/deep"));
        Path link = elsewhere.resolve("my starling");
        Files.createSymbolicLink(link, Path.of("../../a check out/starling"));
        environment.put("STARLING_JAVA_OPTS", "-Done=1  -Dtwo=2");
        environment.put("JAVA_OPTS", "-Dthree=3");

        ProcessRun run =
                launch(
                        List.of(
                                link.toString(),
                                "run",
                                "a b",
                                "",
                                "*",
                                "it's \"so\"",
                                "-P",
                                "x=$y\\"),
                        elsewhere);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines())
                .contains(
                        "[-Done=1]",
                        "[-Dtwo=2]",
                        "[-Dthree=3]",
                        "[--enable-native-access=ALL-UNNAMED]",
                        "[" + library.toRealPath() + "/*]",
                        "in " + elsewhere.toRealPath())
                .endsWith(
                        "[org.starling.cli.Main]",
                        "[run]",
                        "[a b]",
                        "[]",
                        "[*]",
                        "[it's \"so\"]",
                        "[-P]",
                        "[x=$y\\]");
    }

    @Test
    void givesLibrariesToCompareWithToNobodyButBenches() throws Exception {
        Files.createDirectories(library);
        makeJdk(temporary.resolve("jdk s/new"), "25");
        String own = library.toRealPath() + "/*";
        String others = checkout.toRealPath().resolve("benchmarks/target/baselines") + "/*";

        assertThat(launch(temporary, "bench").out()).contains("[" + own + ":" + others + "]");
        assertThat(launch(temporary, "run").out()).contains("[" + own + "]");
    }

    @Test
    void saysWhatToInstallWhenItHasToBuildWithoutMaven() throws Exception {
        makeJdk(temporary.resolve("jdk s/new"), "25");
        makeRoom();

        ProcessRun run = launch(temporary, "tasks");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo(
                        "starling: building needs Maven: install Maven 3.8 or newer, so that"
                                + " \"mvn\" is on the PATH.\n");
    }

    @Test
    void buildsWhatIsMissingOrOlderThanItsSourcesAndNothingElse() throws Exception {
        makeJdk(temporary.resolve("jdk s/new"), "25");
        Path source = makeRoom();
        makeMaven(
                "mkdir -p cli/target/starling/lib && touch cli/target/starling/lib/starling-net-1.jar");

        ProcessRun first = launch(temporary, "tasks");
        ProcessRun second = launch(temporary, "tasks");
        setAge(source, -60);
        ProcessRun afterChange = launch(temporary, "tasks");

        assertThat(first.exitCode()).isZero();
        assertThat(first.err())
                .startsWith("starling: building")
                .contains("\nstarling: preparing for fast starts")
                .hasLineCount(2);
        assertThat(first.out()).startsWith("java of ").doesNotContain("maven");
        assertThat(second.err()).isEmpty();
        assertThat(afterChange.err()).startsWith("starling: building");
    }

    @Test
    void saysWhereTheBuildsWordsAreWhenItFails() throws Exception {
        makeJdk(temporary.resolve("jdk s/new"), "25");
        makeRoom();
        makeMaven("echo '[ERROR] Ring.java:7: a semicolon is missing'; exit 1");

        ProcessRun run = launch(temporary, "tasks");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains("a semicolon is missing")
                .contains("starling: the build failed; all it said is in ");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void preparesOnceForFastStarts() throws Exception {
        Path jdk = makeJdk(temporary.resolve("jdk s/new"), "25");
        script(
                jdk.resolve("bin/java"),
                "for a; do case $a in -XX:AOTCacheOutput=*) echo classes > \"${a#*=}\";; esac;"
                        + " done; printf '[%s]\\n' \"$@\"");
        Files.createDirectories(library);
        Path archive = checkout.resolve("cli/target/starling/starling.aot");

        ProcessRun first = launch(temporary, "tasks");
        ProcessRun second = launch(temporary, "tasks");

        assertThat(first.err()).startsWith("starling: preparing for fast starts");
        assertThat(first.out()).contains("[-XX:AOTCache=" + archive.toRealPath() + "]");
        assertThat(second.err()).isEmpty();
        assertThat(second.out()).isEqualTo(first.out());
    }

    @Test
    void runsWhatIsThereWhenToldNotToBuild() throws Exception {
        makeJdk(temporary.resolve("jdk s/new"), "25");
        makeRoom();
        environment.put("STARLING_NO_BUILD", "1");

        ProcessRun nothing = launch(temporary, "tasks");
        Files.createDirectories(library);
        ProcessRun something = launch(temporary, "tasks");

        assertThat(nothing.exitCode()).isEqualTo(2);
        assertThat(nothing.err()).contains("nothing is built");
        assertThat(something.exitCode()).isZero();
    }

    @Test
    void takesTheRuntimeAndTheLibrariesBesideItInAPackage() throws Exception {
        Path home = Files.createDirectory(temporary.resolve("a package"));
        Files.createDirectories(home.resolve("bin"));
        Path launcher = home.resolve("bin/starling");
        Files.copy(Checkout.root().resolve("starling"), launcher);
        makeExecutable(launcher);
        Files.createDirectories(home.resolve("lib"));
        makeJdk(home.resolve("runtime"), "25");
        makeJdk(temporary.resolve("jdk s/new"), "25");
        String inside = home.toRealPath().toString();

        ProcessRun run = launch(List.of(launcher.toString(), "tasks"), temporary);
        ProcessRun node = launch(List.of(launcher.toString(), "node"), temporary);
        ProcessRun refused = launch(List.of(launcher.toString(), "package"), temporary);

        assertThat(run.out())
                .startsWith("java of " + home.resolve("runtime").toRealPath())
                .contains("[" + inside + "/lib/*]")
                .doesNotContain("starling.root");
        assertThat(node.err()).as("no archive for what runs for long").isEmpty();
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("this is one already");
    }

    @Test
    void makesPackagesWithLibrariesThatNoOtherCommandNeeds() throws Exception {
        Files.createDirectories(library);
        makeJdk(temporary.resolve("jdk s/new"), "25");
        Path packager = checkout.toRealPath().resolve("packages/target/packager");

        assertThat(
                        launch(
                                        List.of(
                                                checkout.resolve("starling").toString(),
                                                "package",
                                                "--to",
                                                "x"),
                                        temporary)
                                .out())
                .contains("[" + packager + "/*]")
                .endsWith("[org.starling.packages.PackageMain]\n[--to]\n[x]\n");
    }

    private ProcessRun launch(Path folder, String word) throws Exception {
        return launch(List.of(checkout.resolve("starling").toString(), word), folder);
    }

    private ProcessRun launch(List<String> command, Path folder) throws Exception {
        return ProcessRun.of(command, folder, environment);
    }

    /** A JDK whose java prints its folder, its working directory and its arguments. */
    private static Path makeJdk(Path folder, String version) throws IOException {
        Files.createDirectories(folder.resolve("bin"));
        Files.writeString(folder.resolve("release"), "X=1\nJAVA_VERSION=\"" + version + "\"\n");
        script(
                folder.resolve("bin/java"),
                "echo \"java of "
                        + folder
                        + "\"; printf '[%s]\\n' \"$@\"; echo \"in $PWD\"; printf '[%s]\\n' \"$@\"");
        script(folder.resolve("bin/javac"), "exit 1");
        return folder;
    }

    private void makeMaven(String commands) throws IOException {
        script(bin.resolve("mvn"), "echo maven \"$@\"\n" + commands);
    }

    /** A room without a jar. */
    private Path makeRoom() throws IOException {
        Files.writeString(checkout.resolve("pom.xml"), "<project/>");
        Path source = checkout.resolve("net/src/main/java/Ring.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "class Ring {}");
        Files.writeString(checkout.resolve("net/pom.xml"), "<project/>");
        for (Path file :
                List.of(
                        checkout.resolve("pom.xml"),
                        checkout.resolve("net/pom.xml"),
                        source,
                        checkout.resolve("net/src/main"),
                        checkout.resolve("net/src/main/java"))) {
            setAge(file, 60);
        }
        return source;
    }

    private static void setAge(Path file, long seconds) throws IOException {
        FileTime now = FileTime.from(Instant.now().minusSeconds(seconds));
        Files.setLastModifiedTime(file, now);
    }

    private static void script(Path file, String commands) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + commands + "\n");
        makeExecutable(file);
    }

    private static void makeExecutable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
