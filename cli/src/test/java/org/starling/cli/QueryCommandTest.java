package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code query} over a service without a cluster. */
final class QueryCommandTest {
    @TempDir Path folder;

    private final FakeService service = new FakeService();
    private final Screen screen = new Screen();

    @BeforeEach
    void keepOne() {
        service.keep("web", 10);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "web neighbours 3               | 4 3.5,5 3.5,6 3.5 | 3 neighbours",
                "web neighbours 3 --limit 2     | 4 3.5,5 3.5       | 2 of 3 neighbours, from 0 on (--offset, --limit)",
                "web neighbours 3 --offset 2    | 6 3.5             | 1 of 3 neighbours, from 2 on (--offset, --limit)",
                "web neighbours 1 --direction in | 0 1.5            | 1 neighbour",
                "web value rank 4               | 0.5               | ``",
                "web value place 4              | 0.5 1.5           | ``",
                "web value parent 4             | none              | ``",
                "web path 2 4                   | 2,3,4             | 2 edges",
                "web path 4 2                   | ``                | there is no path from 4 to 2"
            })
    void answers(String words, String out, String err) {
        assertThat(run(words.split(" "))).isEqualTo(ExitCode.DONE);

        assertThat(String.join(",", screen.out().lines().toList())).isEqualTo(out);
        assertThat(String.join(",", screen.err().lines().toList())).isEqualTo(err);
    }

    @Test
    void answersAsJson() {
        assertThat(run("web", "path", "2", "4", "--json")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .isEqualTo(
                        "{\"graph\": \"web\", \"from\": 2, \"to\": 4, \"found\": true, \"complete\": true, \"length\": 2, \"path\": [2, 3, 4], \"visited\": 7}\n");
        assertThat(screen.err()).isEmpty();
    }

    @Test
    void failsWhenASearchEndsAtItsBound() {
        assertThat(run("web", "path", "2", "4", "--max-vertices", "5"))
                .isEqualTo(ExitCode.JOB_FAILED);

        assertThat(screen.err()).contains("no path from 2 to 4 among the 5 vertices");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "web neighbours 77              | BAD_INPUT   | graph \"web\" has no vertex 77",
                "wob neighbours 7               | BAD_INPUT   | no graph \"wob\" is kept",
                "web value rink 7               | BAD_INPUT   | graph \"web\" has no column \"rink\"",
                "web neighbors 7                | WRONG_USAGE | query needs one of neighbours, value and path, found \"neighbors\"; did you mean \"neighbours\"?",
                "web                            | WRONG_USAGE | query needs one of neighbours, value and path",
                "web neighbours                 | WRONG_USAGE | query GRAPH neighbours needs ID, found 0 words",
                "web value 7                    | WRONG_USAGE | query GRAPH value needs COLUMN and ID, found 1 words",
                "web neighbours seven           | BAD_INPUT   | expected an id, a whole number from 0 to 2^64 - 1, found \"seven\"",
                "web neighbours 7 --limit 10001 | WRONG_USAGE | --limit must be a whole number from 0 to 10000",
                "web neighbours 7 --direction inn | WRONG_USAGE | --direction can't be \"inn\"; did you mean \"in\"?",
                "web value rank 7 --limit 3     | WRONG_USAGE | query GRAPH value has no option \"--limit\"",
                "web path 1 2 --time-limit 11s  | WRONG_USAGE | --time-limit can be 10s at most",
                "web path 1 2 --time-limit soon | WRONG_USAGE | --time-limit: expected a duration"
            })
    void refusesWhatMakesNoSense(String words, ExitCode code, String sentence) {
        assertThat(run(words.split(" "))).isEqualTo(code);

        assertThat(screen.err()).contains(sentence);
    }

    @Test
    void saysSoWhenTheClusterCanNotAnswerNow() {
        service.setDown(true);

        assertThat(run("web", "value", "rank", "1")).isEqualTo(ExitCode.NO_CLUSTER);
        assertThat(screen.err()).contains("a part of the graph is being recovered");
    }

    private ExitCode run(String... words) {
        String[] line = new String[words.length + 1];
        line[0] = "query";
        System.arraycopy(words, 0, line, 1, words.length);
        return new Commands(List.of(new QueryCommand((_, _) -> service)))
                .run(line, screen.terminal(folder), new Interruption());
    }
}
