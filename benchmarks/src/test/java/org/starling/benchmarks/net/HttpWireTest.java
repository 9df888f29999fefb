package org.starling.benchmarks.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers as text, and texts that are none. */
final class HttpWireTest {
    private static final long[] ODD_NUMBERS = {
        0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 53 | 1, 127, 128
    };

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void bringsNumbersUnchanged(boolean json) throws IOException {
        HttpWire.Form form = json ? new HttpWire.Json() : new HttpWire.Xml();

        assertThat(form.numbers(form.text(ODD_NUMBERS))).isEqualTo(ODD_NUMBERS);
        assertThat(form.numbers(form.text(new long[0]))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "[1.5]", "[1", "{}"})
    void refusesJsonThatHasNoNumbers(String text) {
        assertThatThrownBy(() -> new HttpWire.Json().numbers(text)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<numbers><n>x</n></numbers>",
                "<numbers><n>1</n>",
                "<!DOCTYPE n [<!ENTITY e '1'>]><numbers><n>&e;</n></numbers>"
            })
    void refusesXmlThatHasNoNumbers(String text) {
        assertThatThrownBy(() -> new HttpWire.Xml().numbers(text)).isInstanceOf(IOException.class);
    }
}
