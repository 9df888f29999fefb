package org.starling.compute.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.InvalidInputException;

final class ScriptFilesTest {
    @TempDir Path temporary;

    private Path scripts;
    private Path work;
    private Path elsewhere;
    private ScriptFiles files;

    @BeforeEach
    void makeFolders() throws IOException {
        Path base = temporary.toRealPath();
        scripts = Files.createDirectory(base.resolve("scripts"));
        work = Files.createDirectory(base.resolve("work"));
        elsewhere = Files.createDirectory(base.resolve("elsewhere"));
        Files.writeString(scripts.resolve("a.graph"), "1 0\n\n");
        Files.writeString(work.resolve("b.graph"), "1 0\n\n");
        Files.writeString(elsewhere.resolve("c.graph"), "1 0\n\n");
        files = ScriptFiles.embedded(scripts, work, List.of());
    }

    @Test
    void readsFilesBesideTheScriptAndInTheWorkingDirectory() {
        assertThat(files.input("a.graph")).isEqualTo(scripts.resolve("a.graph"));
        assertThat(files.input("../work/b.graph")).isEqualTo(work.resolve("b.graph"));
        assertThat(files.input(work.resolve("b.graph").toString()))
                .isEqualTo(work.resolve("b.graph"));
    }

    @Test
    void readsWhatWasSentAlongInThePlaceOfWhatTheScriptNames() {
        Path far = Path.of("/home/ann/scripts");
        ScriptFiles sent =
                ScriptFiles.sent(
                        far,
                        List.of(work),
                        null,
                        Map.of(
                                "/home/ann/data/x.graph", work.resolve("b.graph").toString(),
                                "/home/ann/data/y.graph", work.resolve("b.graph").toString()));

        assertThat(sent.input("../data/x.graph")).isEqualTo(work.resolve("b.graph"));
        assertThat(sent.input("/home/ann/data/x.graph")).isEqualTo(work.resolve("b.graph"));
        assertThat(sent.inputs("../data/x.graph")).hasSize(1);
        assertThat(sent.inputs("../data/*.graph")).hasSize(2);
        assertThat(sent.inputs("../data")).hasSize(2);
        assertThat(sent.in(Path.of("/home/ann/data")).input("x.graph"))
                .isEqualTo(work.resolve("b.graph"));
        assertThatThrownBy(() -> sent.input("../data/z.graph"))
                .hasMessageContaining("outside the folders");
    }

    @Test
    void leavesHiddenAndEmptyFilesOutThatWereSentAlongAsOthers() throws IOException {
        Path brought = Files.createDirectory(work.resolve("brought"));
        Map<String, String> files = new TreeMap<>();
        for (String name : List.of("a*", "ab", "_b", ".c", "d")) {
            Path file = Files.writeString(brought.resolve(name), name.equals("d") ? "" : "1 2\n");
            files.put("/home/ann/" + name, file.toString());
        }
        ScriptFiles sent = ScriptFiles.sent(Path.of("/home/ann"), List.of(work), null, files);

        assertThat(sent.inputs(".")).containsExactly(brought.resolve("a*"), brought.resolve("ab"));
        assertThat(sent.inputs("?b")).containsExactly(brought.resolve("ab"));
        assertThat(sent.inputs("a*")).as("one of that name").containsExactly(brought.resolve("a*"));
        assertThat(sent.inputs("_b")).containsExactly(brought.resolve("_b"));
        assertThat(sent.inputs("d")).containsExactly(brought.resolve("d"));
    }

    @Test
    void refusesWhatWasSentAlongFromOutsideTheRoots() {
        ScriptFiles sent =
                ScriptFiles.sent(
                        Path.of("/home/ann"),
                        List.of(work),
                        null,
                        Map.of("/home/ann/x", elsewhere.resolve("c.graph").toString()));

        assertThatThrownBy(() -> sent.input("x")).hasMessageContaining("outside the folders");
    }

    @Test
    void refusesToReadOutsideTheRoots() {
        assertThatThrownBy(() -> files.input("../elsewhere/c.graph"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("outside the folders that this script may use")
                .hasMessageContaining(work.toString());
        assertThatThrownBy(() -> files.input(elsewhere.resolve("c.graph").toString()))
                .hasMessageContaining("outside the folders");
    }

    @Test
    void saysOnceWhereAFileIsAndHowToAllowIt() {
        String file = elsewhere.resolve("c.graph").toString();

        assertThatThrownBy(() -> files.input(file))
                .hasMessageEndingWith("or allow its folder: run --allow " + elsewhere)
                .satisfies(refused -> assertThat(refused.getMessage()).containsOnlyOnce(file));
    }

    @Test
    void readsFilesInFoldersThatAreAllowed() {
        ScriptFiles allowing = ScriptFiles.embedded(scripts, work, List.of(elsewhere));

        assertThat(allowing.input("../elsewhere/c.graph")).isEqualTo(elsewhere.resolve("c.graph"));
    }

    @Test
    void refusesToReadThroughALinkThatLeadsOutside() throws IOException {
        Files.createSymbolicLink(scripts.resolve("link"), elsewhere.resolve("c.graph"));

        assertThatThrownBy(() -> files.input("link")).hasMessageContaining("outside the folders");
    }

    @Test
    void findsTheFilesOfAPatternOrAFolderInTheirOrder() throws IOException {
        Path parts = Files.createDirectory(scripts.resolve("parts"));
        for (String name : List.of("b.csv", "a.csv", "_SUCCESS", ".hidden.csv", "c.txt")) {
            Files.writeString(parts.resolve(name), "1 2\n");
        }
        Files.createFile(parts.resolve("empty.csv"));
        Files.createDirectory(parts.resolve("inner.csv"));

        assertThat(files.inputs("parts/*.csv"))
                .containsExactly(parts.resolve("a.csv"), parts.resolve("b.csv"));
        assertThat(files.inputs("parts"))
                .containsExactly(
                        parts.resolve("a.csv"), parts.resolve("b.csv"), parts.resolve("c.txt"));
        assertThat(files.inputs("parts/?.txt")).containsExactly(parts.resolve("c.txt"));
        assertThat(files.inputs("a.graph")).containsExactly(scripts.resolve("a.graph"));
    }

    @Test
    void refusesPatternsThatFindNothingOrLeadOutside() throws IOException {
        Files.createSymbolicLink(scripts.resolve("link.graph"), elsewhere.resolve("c.graph"));
        Files.createSymbolicLink(scripts.resolve("folder"), elsewhere);

        assertThatThrownBy(() -> files.inputs("*.csv"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("there is no file \"*.csv\" that has anything in it");
        assertThatThrownBy(() -> files.inputs("none/*.csv"))
                .hasMessageContaining("the folder of \"none/*.csv\" can't be listed");
        assertThatThrownBy(() -> files.inputs("../elsewhere/*"))
                .hasMessageContaining("outside the folders");
        assertThatThrownBy(() -> files.inputs("folder"))
                .hasMessageContaining("outside the folders");
        assertThatThrownBy(() -> files.inputs("l*.graph"))
                .hasMessageContaining("outside the folders");
    }

    @Test
    void followsLinksThatStayInside() throws IOException {
        Files.createSymbolicLink(scripts.resolve("link"), work.resolve("b.graph"));

        assertThat(files.input("link")).isEqualTo(work.resolve("b.graph"));
    }

    @Test
    void suggestsAFileOfNearlyTheSameName() {
        assertThatThrownBy(() -> files.input("aa.graph"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "there is no file \"aa.graph\" in %s; did you mean \"a.graph\"?", scripts);
    }

    @Test
    void doesNotListFoldersOutsideTheRoots() {
        assertThatThrownBy(() -> files.input("../elsewhere/cc.graph"))
                .hasMessageNotContaining("did you mean");
    }

    @Test
    void refusesAFolderAsFile() {
        assertThatThrownBy(() -> files.input(".")).hasMessageContaining("not a file");
        assertThatThrownBy(() -> files.output(".")).hasMessageContaining("is a folder");
    }

    @Test
    void writesNewAndOldFilesInside() {
        assertThat(files.output("new.txt")).isEqualTo(scripts.resolve("new.txt"));
        assertThat(files.output("a.graph")).isEqualTo(scripts.resolve("a.graph"));
        assertThat(files.output("../work/new.txt")).isEqualTo(work.resolve("new.txt"));
    }

    @Test
    void refusesToWriteOutsideAlsoThroughLinks() throws IOException {
        Files.createSymbolicLink(scripts.resolve("folder"), elsewhere);
        Files.createSymbolicLink(scripts.resolve("file"), elsewhere.resolve("c.graph"));
        Files.createSymbolicLink(scripts.resolve("dangling"), elsewhere.resolve("new"));

        assertThatThrownBy(() -> files.output("../elsewhere/x")).hasMessageContaining("outside");
        assertThatThrownBy(() -> files.output("folder/x")).hasMessageContaining("outside");
        assertThatThrownBy(() -> files.output("file")).hasMessageContaining("outside");
        assertThatThrownBy(() -> files.output("dangling"))
                .hasMessageContaining("a link that leads nowhere");
    }

    @Test
    void doesNotTellWhatLiesElsewhereNorWhereLinksThereLead() throws IOException {
        Path there = Files.createDirectory(elsewhere.resolve("there"));
        Files.writeString(there.resolve("file"), "");
        Files.createSymbolicLink(elsewhere.resolve("link"), there);
        Files.createSymbolicLink(elsewhere.resolve("dangling"), elsewhere.resolve("nothing"));

        for (String name : List.of("there/file", "link/file", "dangling", "none", "none/file")) {
            Path asked = elsewhere.resolve(name);
            String refused =
                    "\"%s\" lies outside the folders that this script may use".formatted(asked);
            assertThatThrownBy(() -> files.input(asked.toString())).hasMessageStartingWith(refused);
            assertThatThrownBy(() -> files.output(asked.toString()))
                    .hasMessageStartingWith(refused)
                    .hasMessageNotContaining("/nothing");
        }
    }

    @Test
    void goesOnWithoutAFolderThatWasAllowedAndIsGone() throws IOException {
        Path gone = temporary.toRealPath().resolve("gone");

        ScriptFiles left = ScriptFiles.ofCluster(scripts, List.of(scripts, gone));

        assertThat(left.input("a.graph")).isEqualTo(scripts.resolve("a.graph"));
        assertThatThrownBy(() -> left.output(gone.resolve("x").toString()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("outside the folders that this script may use (" + scripts);
        assertThatThrownBy(() -> ScriptFiles.ofCluster(gone, List.of(scripts, gone)))
                .hasMessage("there is no folder " + gone);
        ScriptFiles elsewhere = ScriptFiles.ofCluster(scripts, List.of(gone));
        assertThatThrownBy(() -> elsewhere.input("a.graph"))
                .hasMessageContaining("lies outside the folders that this script may use ()");
        assertThatThrownBy(() -> elsewhere.inputs("*.graph"))
                .hasMessageContaining("lies outside the folders that this script may use ()");
        assertThatThrownBy(() -> elsewhere.output("new.txt"))
                .hasMessageContaining("lies outside the folders that this script may use ()");
    }

    @Test
    void asksForTheFolderOfANewFile() {
        assertThatThrownBy(() -> files.output("results/x.txt"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "the folder of \"results/x.txt\" does not exist; make %s",
                        scripts.resolve("results"));
    }

    @Test
    void refusesNamesThatAreNone() {
        assertThatThrownBy(() -> files.input("")).hasMessageContaining("empty");
        assertThatThrownBy(() -> files.input("a\0b")).hasMessageContaining("not a file's name");
    }
}
