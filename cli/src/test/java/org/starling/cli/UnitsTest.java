package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.script.TimeSpan;
import org.starling.graph.InvalidInputException;

final class UnitsTest {
    @ParameterizedTest
    @CsvSource({
        "0B, 0, 0B",
        "1023B, 1023, 1023B",
        "1024B, 1024, 1KiB",
        "256MiB, 268435456, 256MiB",
        "4GiB, 4294967296, 4GiB",
        "4 GiB, 4294967296, 4GiB",
        "1536MiB, 1610612736, 1536MiB",
        "2TiB, 2199023255552, 2TiB"
    })
    void readsAndWritesSizes(String text, long bytes, String shortest) {
        assertThat(ByteSize.parse(text)).isEqualTo(new ByteSize(bytes)).hasToString(shortest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4", "4GB", "-1MiB", "1.5GiB", "GiB", "99999999999999TiB"})
    void refusesWhatIsNoSize(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("size");
    }

    @ParameterizedTest
    @CsvSource({
        "0ms, 0, 0ms",
        "500ms, 500, 500ms",
        "1000ms, 1000, 1s",
        "90s, 90000, 90s",
        "5min, 300000, 5min",
        "2 h, 7200000, 2h",
        "48h, 172800000, 2d"
    })
    void readsAndWritesDurations(String text, long millis, String shortest) {
        assertThat(TimeSpan.parse(text)).isEqualTo(Duration.ofMillis(millis));
        assertThat(TimeSpan.format(Duration.ofMillis(millis))).isEqualTo(shortest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "5 minutes", "-1s", "1.5s", "s"})
    void refusesWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> TimeSpan.parse(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("duration");
    }

    @Test
    void alignsColumns() {
        List<List<String>> rows = List.of(List.of("a", "1"), List.of("bbb", "1,000"));

        assertThat(Columns.left(rows, 2, 1)).isEqualTo("  a   1\n  bbb 1,000\n");
        assertThat(Columns.aligned(rows, 0, 2, 1)).isEqualTo("a        1\nbbb  1,000\n");
    }
}
