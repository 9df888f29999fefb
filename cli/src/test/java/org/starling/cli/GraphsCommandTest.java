package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.script.JsonText;

/** {@code graphs} over a service without a cluster. */
final class GraphsCommandTest {
    @TempDir Path folder;

    private final FakeService service = new FakeService();
    private final Screen screen = new Screen();

    @BeforeEach
    void keepTwo() {
        service.keep("web", 1_000_000);
        service.keep("a graph", 3);
    }

    @Test
    void listsWhatIsKept() {
        assertThat(run("list")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out().lines())
                .containsExactly(
                        "  graph    vertices   edges      kind        columns  memory   copies",
                        "  a graph  3          6          undirected  1        1.0 MiB  3",
                        "  web      1,000,000  2,000,000  undirected  1        1.0 MiB  3");
    }

    @Test
    void listsThemAsJson() {
        assertThat(run("list", "--json")).isEqualTo(ExitCode.DONE);

        assertThat(JsonText.parse(screen.out()))
                .extracting("graphs")
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .first()
                .isEqualTo(
                        Map.of(
                                "name",
                                "a graph",
                                "vertices",
                                3L,
                                "edges",
                                6L,
                                "directed",
                                false,
                                "weighted",
                                false,
                                "ids",
                                "number",
                                "columns",
                                List.of(
                                        Map.of(
                                                "name", "rank",
                                                "type", "double",
                                                "of", "vertex")),
                                "bytes",
                                1L << 20,
                                "copies",
                                3L));
    }

    @Test
    void tellsAllAboutOne() {
        assertThat(run("info", "a graph")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .contains("columns    rank (double)")
                .contains("made       2026-01-02T03:04:05Z")
                .contains("last used  2026-02-03T04:05:06Z")
                .contains("used by    job 7")
                .contains("peer 3     3 vertices in 2 shards, 1.0 MiB");
    }

    @Test
    void dropsRenamesAndCopies() {
        assertThat(run("rename", "web", "net")).isEqualTo(ExitCode.DONE);
        assertThat(run("copy", "net", "more")).isEqualTo(ExitCode.DONE);
        assertThat(run("drop", "a graph")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out().lines())
                .containsExactly(
                        "graph \"web\" is called \"net\"",
                        "graph \"net\" is copied to \"more\"",
                        "graph \"a graph\" is dropped");
        assertThat(service.graphs())
                .extracting(graph -> graph.name())
                .containsExactly("more", "net");
    }

    @Test
    void forgetsAll() {
        assertThat(run("forget", "--accept-loss")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out()).isEqualTo("no graphs are kept\n");
        assertThat(service.graphs()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''         | 2 | graphs needs one of list, info, drop, rename, copy and forget
                    lst        | 2 | graphs needs one of list, info, drop, rename, copy and forget, found "lst"; did you mean "list"?
                    list web   | 2 | graphs list takes no name, found 1; see starling graphs --help
                    info       | 2 | graphs info takes one name, found 0; see starling graphs --help
                    rename web | 2 | graphs rename takes two names, found 1; see starling graphs --help
                    info wep   | 3 | no graph "wep" is kept; did you mean "web"?
                    drop wep   | 3 | no graph "wep" is kept
                    forget     | 2 | graphs forget needs --accept-loss
                    """)
    void refuses(String words, int code, String sentence) {
        assertThat(run(words.isEmpty() ? new String[0] : words.split(" ", -1)).number())
                .isEqualTo(code);

        assertThat(screen.err()).isEqualTo("starling: " + sentence + "\n");
        assertThat(screen.out()).isEmpty();
    }

    private ExitCode run(String... words) {
        String[] line = new String[words.length + 1];
        line[0] = "graphs";
        System.arraycopy(words, 0, line, 1, words.length);
        return new Commands(List.of(new GraphsCommand((_, _) -> service)))
                .run(line, screen.terminal(folder), new Interruption());
    }
}
