package org.starling.benchmarks.graph500;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected texts are what printf of the C library writes. */
class GeneralFormatTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, -0",
        "1, 1",
        "-1, -1",
        "0.1, 0.1",
        "100000, 100000",
        "999999, 999999",
        "999999.5, 1e+06",
        "999999.4, 999999",
        "1000000, 1e+06",
        "1234567, 1.23457e+06",
        "6.5e7, 6.5e+07",
        "0.0001, 0.0001",
        "0.00001, 1e-05",
        "0.000099999951, 0.0001",
        "0.0258634, 0.0258634",
        "0.02586349, 0.0258635",
        "2.5e-9, 2.5e-09",
        "1e100, 1e+100",
        "1e-310, 1e-310",
        "123456.5, 123456",
        "123457.5, 123458",
        "2.00000050, 2",
        "NaN, nan",
        "Infinity, inf",
        "-Infinity, -inf"
    })
    void writesSixDigitsAsCDoes(double value, String expected) {
        assertThat(GeneralFormat.format(value)).isEqualTo(expected);
    }

    @Test
    void writesElevenDigitsAsCDoes() {
        assertThat(GeneralFormat.format(16775818, 11)).isEqualTo("16775818");
        assertThat(GeneralFormat.format(99999999999.0, 11)).isEqualTo("99999999999");
        assertThat(GeneralFormat.format(274877906944.0, 11)).isEqualTo("2.7487790694e+11");
        assertThat(GeneralFormat.format(1.0 / 3, 11)).isEqualTo("0.33333333333");
    }
}
