package org.starling.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** What people and spreadsheets get to see. */
final class TableTest {
    private final Table table = new Table("name", "count", "micros");

    @Test
    void linesNumbersUpOnTheRightAndRoundsThem() {
        table.add("a", 1, 0.123456).add("longer", 20_000L, 123456.7).add("none", null, 2e-9);

        assertThat(table.text())
                .isEqualTo(
                        """
                        name    count   micros
                        a           1    0.123
                        longer  20000  123,457
                        none        -  2.0e-09
                        """);
    }

    @Test
    void quotesWhatWouldBreakALineOfValues() {
        table.add("a, \"b\"\n", 1, 0.1234567).add("plain", null, 1e7);

        assertThat(table.csv())
                .isEqualTo(
                        "name,count,micros\r\n\"a, \"\"b\"\"\n\",1,0.123457\r\nplain,,10000000\r\n");
    }

    @Test
    void namesCellsInItsTree() {
        table.add("a", 1, 0.5);

        assertThat(table.tree()).hasSize(1);
        assertThat(table.tree().getFirst())
                .containsEntry("name", "a")
                .containsEntry("count", 1)
                .containsEntry("micros", 0.5);
    }

    @Test
    void refusesRowsThatDoNotFit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.add("a", 1))
                .withMessageContaining("2 cells for 3 columns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.add("a", 1, Double.NaN))
                .withMessageContaining("NaN");
        assertThat(table.tree()).isEmpty();
    }
}
