package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Ids that are texts: which can be some, and how they stand in lines. */
final class TextIdTest {
    private static final List<String> TRAPS =
            List.of(
                    "7",
                    "007",
                    "a b",
                    " a",
                    "a ",
                    "a\tb",
                    "\"",
                    "\"a\"",
                    "a\"b",
                    "#",
                    "%a",
                    "-1",
                    "-12",
                    "a\nb",
                    "\u00E9",
                    "e\u0301",
                    "\uD83D\uDE00",
                    "a,b",
                    "a;b");

    @Test
    void comeBackFromLines() {
        String line = TRAPS.stream().map(TextId::field).collect(Collectors.joining(" "));

        assertThat(TextId.fields(line)).isEqualTo(TRAPS);
        assertThat(TextId.field("007")).isEqualTo("007");
        assertThat(TextId.field("a \"b\"")).isEqualTo("\"a \"\"b\"\"\"");
        assertThat(TextId.field("-1")).isEqualTo("\"-1\"");
        assertThat(TextId.fields("")).isEmpty();
    }

    @Test
    void areQuotedIfAnySeparatorThatIsTriedIsInThem() {
        assertThat(List.of("a,b", "a;b", "a\tb", "a b"))
                .allSatisfy(id -> assertThat(TextId.field(id)).isEqualTo('"' + id + '"'));
    }

    @Test
    void haveNoHalvesOfCharacters() {
        TRAPS.forEach(TextId::requireWhole);

        for (String half : List.of("\uD83D", "a\uDE00", "\uDE00\uD83D", "\uD83Da")) {
            assertThatThrownBy(() -> TextId.requireWhole(half))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("found a text with half of a character, \\u");
        }
    }

    @Test
    void areAnyTextsOfUtf8ThatAreNeitherEmptyNorTooLong() {
        for (String good : TRAPS) {
            require(good.getBytes(StandardCharsets.UTF_8));
        }
        require(new byte[TextId.MAX_BYTES]);

        assertThatThrownBy(() -> require(new byte[0])).hasMessageContaining("an empty text");
        assertThatThrownBy(() -> require(new byte[TextId.MAX_BYTES + 1]))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("up to 65520 bytes, found one of 65521");
        byte[][] none = {
            {(byte) 0xE9},
            {(byte) 0xC0, (byte) 0x80},
            {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            {'a', (byte) 0xF0}
        };
        for (byte[] bytes : none) {
            assertThatThrownBy(() -> require(bytes)).hasMessageContaining("in UTF-8");
        }
    }

    private static void require(byte[] utf8) {
        TextId.require(utf8, 0, utf8.length);
    }
}
