package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.script.JsonText;
import org.starling.graph.ApiVersion;

/** Projects for jobs of one's own. What is in them is compiled and tested by room examples. */
final class NewCommandTest {
    private static final Pattern PLUGIN =
            Pattern.compile(
                    "<artifactId>(maven-[a-z]+-plugin)</artifactId>\\s*<version>([^<]+)</version>");

    @TempDir Path folder;

    private final Screen screen = new Screen();

    @Test
    void writesAProjectThatIsCalledLikeItsFolder() throws IOException {
        assertThat(run("new", "my-job")).isEqualTo(ExitCode.DONE);

        assertThat(files())
                .containsExactly(
                        ".gitignore",
                        "README.md",
                        "pom.xml",
                        "scripts/my-job.json",
                        "scripts/roads.edges",
                        "src/main/java/myjob/FindFarthest.java",
                        "src/main/java/myjob/Programs.java",
                        "src/main/java/myjob/ShortestPaths.java",
                        "src/main/java/myjob/package-info.java",
                        "src/main/resources/META-INF/services/org.starling.graph.ProgramProvider",
                        "src/main/resources/META-INF/services/org.starling.graph.Task",
                        "src/test/java/myjob/RoadsTest.java");
        assertThat(text("pom.xml"))
                .contains("<artifactId>my-job</artifactId>")
                .contains("<groupId>myjob</groupId>")
                .contains("<Starling-Api-Version>" + ApiVersion.MAJOR + "</Starling-Api-Version>")
                .contains("<" + ApiVersion.MANIFEST_ATTRIBUTE + ">");
        assertThat(text("src/main/java/myjob/Programs.java"))
                .contains("package myjob;")
                .contains("\"myjob.shortestPaths\"");
        assertThat(text("scripts/my-job.json")).contains("\"task\": \"myjob.farthest\"");
        assertThat(text("src/main/resources/META-INF/services/org.starling.graph.Task"))
                .isEqualTo("myjob.FindFarthest\n");
        for (String file : files()) {
            assertThat(text(file))
                    .as(file)
                    .doesNotContainPattern("@[a-z]+@")
                    .doesNotContain("examples");
        }
        assertThat(screen.out()).contains("wrote 12 files").contains("cd my-job && mvn package");
    }

    @Test
    void tellsProgramsWhatItWrote() {
        assertThat(run("new", "job", "--json")).isEqualTo(ExitCode.DONE);

        assertThat(String.valueOf(JsonText.parse(screen.out())))
                .contains("name=job")
                .contains("src/main/java/job/ShortestPaths.java");
    }

    @Test
    void takesAnEmptyFolder() throws IOException {
        Files.createDirectory(folder.resolve("job"));

        assertThat(run("new", "job")).isEqualTo(ExitCode.DONE);
    }

    @Test
    void leavesAFolderAloneThatHasSomethingInIt() throws IOException {
        Files.createDirectory(folder.resolve("job"));
        Files.writeString(folder.resolve("job/notes"), "mine");

        assertThat(run("new", "job")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err()).contains("job is not empty; take a folder that is");
        assertThat(files()).containsExactly("notes");
    }

    @Test
    void refusesAFileAndAFolderThatCantBeMade() throws IOException {
        Files.writeString(folder.resolve("job"), "mine");

        assertThat(run("new", "job")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("new", "job/inner")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(Files.readString(folder.resolve("job"))).isEqualTo("mine");
        assertThat(screen.err().lines()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"My-Job", "7up", "a--b", "job-", "a b", "int", "java", "org"})
    void refusesNamesThatNothingCanBear(String name) throws IOException {
        assertThat(run("new", name)).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err())
                .startsWith("starling: a project can't be called \"" + name + "\": ");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void needsOneFolder() {
        assertThat(run("new")).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(screen.err()).contains("new needs one folder, found 0");
    }

    /** So that a machine that has built Starling has all that the project needs. */
    @Test
    void takesThePluginsOfThisBuild() throws IOException {
        run("new", "job");
        String ours = Files.readString(Checkout.root().resolve("pom.xml"));

        Matcher plugins = PLUGIN.matcher(text("pom.xml"));

        List<String> versions = PLUGIN.matcher(ours).results().map(NewCommandTest::plugin).toList();
        assertThat(plugins.results().map(NewCommandTest::plugin).toList())
                .hasSizeGreaterThan(4)
                .allMatch(versions::contains);
    }

    /** The program in README is the one that the project has. */
    @Test
    void hasTheProgramOfReadme() throws IOException {
        run("new", "job");
        String program = text("src/main/java/job/ShortestPaths.java");

        String shown = program.substring(program.indexOf("/** Shortest paths"));

        assertThat(Files.readString(Checkout.root().resolve("README.md"))).contains(shown);
    }

    private static String plugin(MatchResult found) {
        return found.group(1) + " " + found.group(2);
    }

    private ExitCode run(String... words) {
        return Commands.all().run(words, screen.terminal(folder), new Interruption());
    }

    private List<String> files() throws IOException {
        try (Stream<Path> made = Files.list(folder)) {
            Path project = made.findFirst().orElseThrow();
            try (Stream<Path> files = Files.walk(project)) {
                return files.filter(Files::isRegularFile)
                        .map(file -> project.relativize(file).toString())
                        .sorted()
                        .toList();
            }
        }
    }

    private String text(String file) throws IOException {
        try (Stream<Path> made = Files.list(folder)) {
            return Files.readString(made.findFirst().orElseThrow().resolve(file));
        }
    }
}
