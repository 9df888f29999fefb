package org.starling.benchmarks.studies.calls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.MalformedMessageException;

/** Bytes and texts that are no calls. */
final class MalformedCallsTest {
    @Test
    void writesTheBytesThatItsLayoutDraws() {
        Call call = new Call(CallPattern.FACTORS, 258, -1, new long[] {7});

        assertThat(HexFormat.of().formatHex(CallLayout.bytes(call).array()))
                .isEqualTo(
                        "00000019"
                                + "06"
                                + "0000000000000102"
                                + "ffffffffffffffff"
                                + "0000000000000007");
        assertThat(
                        HexFormat.of()
                                .formatHex(CallLayout.bytes(new Answer(3, new long[] {4})).array()))
                .isEqualTo("00000010" + "0000000000000003" + "0000000000000004");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "05",
                "090000000000000000000000000000000a",
                "05000000000000000000000000000000000001"
            })
    void refusesBytesThatAreNoCall(String hex) {
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));

        assertThatThrownBy(() -> CallLayout.call(bytes))
                .isInstanceOf(MalformedMessageException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MAX_VALUE, CallLayout.MAX_BYTES + 1})
    void refusesLengthsBeforeTheyAreAllocated(int length) {
        assertThatThrownBy(() -> CallLayout.checkedLength(length))
                .isInstanceOf(MalformedMessageException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"pattern\":9}",
                "{\"pattern\":1,\"other\":2}",
                "{\"pattern\":1,\"vector\":[1.5]}"
            })
    void refusesJsonThatIsNoCall(String text) {
        assertThatThrownBy(() -> new JsonForm().call(text.getBytes(UTF_8)))
                .isInstanceOfAny(
                        IOException.class,
                        MalformedMessageException.class,
                        NumberFormatException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<answer number='1'/>",
                "<call pattern='1' first='0'/>",
                "<call pattern='1' first='0' second='0'><e>x</e></call>",
                "<!DOCTYPE call [<!ENTITY e '1'>]>"
                        + "<call pattern='1' first='0' second='0'><e>&e;</e></call>"
            })
    void refusesXmlThatIsNoCall(String text) {
        assertThatThrownBy(() -> new XmlForm().call(text.getBytes(UTF_8)))
                .isInstanceOf(IOException.class);
    }
}
