package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

final class DotTextTest {
    @TempDir Path folder;

    private Path convert(String edges, boolean directed) throws IOException {
        Path list = Files.writeString(folder.resolve("a.el"), edges);
        Path file = folder.toRealPath().resolve("a.dot");
        GraphConversion.convert(
                FileFormat.EDGE_LIST,
                Parameters.of("file", list.toString()).with("directed", directed),
                file,
                FileFormat.DOT);
        return file;
    }

    @Test
    void writesEdgesWithAndWithoutDirection() throws IOException {
        assertThat(convert("1 2\n2 18446744073709551615\n", false))
                .hasContent(
                        """
                        graph {
                          1;
                          2;
                          18446744073709551615;
                          1 -- 2;
                          2 -- 18446744073709551615;
                        }
                        """);
        assertThat(convert("1 2 0.5\n2 1 3\n", true))
                .hasContent(
                        """
                        digraph {
                          1;
                          2;
                          1 -> 2 [weight="0.5", label="0.5"];
                          2 -> 1 [weight=3, label=3];
                        }
                        """);
    }

    @Test
    void refusesWhatNobodyDraws() {
        StringBuilder star = new StringBuilder();
        for (int leaf = 1; leaf <= DotText.MAX_VERTICES; leaf++) {
            star.append("0 ").append(leaf).append('\n');
        }

        assertThatThrownBy(() -> convert(star.toString(), false))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("at most 10,000 vertices and 100,000 edges")
                .hasMessageContaining("10,001");
        assertThat(folder.resolve("a.dot")).doesNotExist();
        assertThat(folder.resolve("a.dot.part")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "17, 17",
                "-3, -3",
                "007, 007",
                "Ann, \"Ann\"",
                "node, \"node\"",
                "`Ann \"B\"`, \"Ann \\\"B\\\"\"",
                "`a\\`, \"a\\\\\"",
                "`a\nb`, \"a\\nb\"",
                "`<b>`, \"<b>\"",
                "``, \"\""
            })
    void quotesIdsAndLabels(String text, String word) {
        assertThat(DotText.word(text)).isEqualTo(word);
    }

    @Test
    void readsNone() {
        assertThatThrownBy(() -> FileFormat.DOT.source(Parameters.of("file", "a.dot")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("a.dot: DOT is written but not read");
    }
}
