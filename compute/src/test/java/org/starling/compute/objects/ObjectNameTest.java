package org.starling.compute.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;

class ObjectNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"s3://data/a b+c%20#?.csv", "s3://data/", "s3://my.data-2/x//y"})
    void readsKeysAsTheyStand(String text) {
        assertThat(ObjectName.isName(text)).isTrue();
        assertThat(ObjectName.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    s3://data         | names a bucket alone
                    s3:///key         | names no bucket
                    s3://a/key        | names no bucket
                    s3://a@b.c/key    | names no bucket
                    s3://a..b/key     | names no bucket
                    s3://data:80/key  | names no bucket
                    s3://data/a/../b  | with . or .. between slashes
                    s3://data/..      | with . or .. between slashes
                    """,
            delimiter = '|')
    void refusesWhatCanBeNoObject(String text, String words) {
        assertThatThrownBy(() -> ObjectName.parse(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(words);
    }

    @Test
    void refusesKeysThatWouldChangeATerminalOrAreTooLong() {
        assertThatThrownBy(() -> ObjectName.parse("s3://data/a\u001b[2J"))
                .hasMessageContaining("control characters")
                .hasMessageNotContaining("\u001b");
        assertThatThrownBy(() -> ObjectName.parse("s3://data/" + "ü".repeat(513)))
                .hasMessageContaining("more than 1024 bytes");
    }

    @ParameterizedTest
    @CsvSource({
        "s3://data/a/part-*.csv, a/part-, part-1.csv, part-1.csv.gz",
        "s3://data/a/p?rt[1].csv, a/p, part[1].csv, part1.csv",
        "s3://data/a/, a/, anything, ",
        "s3://data/*, '', x, "
    })
    void matchesTheLastPartOfKeys(String text, String prefix, String match, String other) {
        ObjectName name = ObjectName.parse(text);

        assertThat(name.isFolder() || name.isPattern()).isTrue();
        assertThat(name.literalPrefix()).isEqualTo(prefix);
        assertThat(match).matches(name.lastPattern());
        if (other != null) {
            assertThat(other).doesNotMatch(name.lastPattern());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "s3://data, s3://data/a, true",
        "s3://data/, s3://data/a/b, true",
        "s3://data/a, s3://data/a/b, true",
        "s3://data/a/, s3://data/a, true",
        "s3://data/a, s3://data/ab, false",
        "s3://data/a, s3://data/, false",
        "s3://data, s3://database/a, false",
        "s3://*, s3://anything/a, true"
    })
    void liesInAPlaceOrNot(String place, String name, boolean isIn) {
        assertThat(ObjectPlace.parse(place).covers(ObjectName.parse(name), false)).isEqualTo(isIn);
        assertThat(ObjectPlace.parse(place).covers(ObjectName.parse(name), true)).isFalse();
        String writable = place.replace("s3:", "s3+write:");
        assertThat(ObjectPlace.parse(writable).covers(ObjectName.parse(name), true))
                .isEqualTo(isIn);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://", "s3://a b/c", "s3://data/a*", "s3://*/a", "s3://data/../x"})
    void refusesWhatIsNoPlace(String place) {
        assertThatThrownBy(() -> ObjectPlace.parse(place))
                .isInstanceOf(InvalidInputException.class);
    }
}
