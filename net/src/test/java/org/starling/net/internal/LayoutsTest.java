package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;

/** Pins the bytes on the wire: when one of these fails, {@link FrameLayout#VERSION} must change. */
@Timeout(10)
class LayoutsTest {

    private final long address = NativeMemory.reserve(64);

    @AfterEach
    void release() {
        NativeMemory.release(address, 64);
    }

    @Test
    void frameHeaderIsLengthTypeKindInLittleEndian() {
        NativeMemory.putLong(address, FrameLayout.header(FrameLayout.RAW, 0x1234, 0x0A0B0C));

        assertThat(bytes(8)).isEqualTo("0c0b0a00" + "3412" + "05" + "8b");
    }

    @Test
    void frameHeaderIsReadBackFieldByField() {
        long header = FrameLayout.header(FrameLayout.GOODBYE, 32767, Integer.MAX_VALUE);

        assertThat(FrameLayout.kind(header)).isEqualTo(FrameLayout.GOODBYE);
        assertThat(FrameLayout.type(header)).isEqualTo(32767);
        assertThat(FrameLayout.length(header)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void framesTakeMultiplesOf8Bytes() {
        assertThat(FrameLayout.aligned(8)).isEqualTo(8);
        assertThat(FrameLayout.aligned(9)).isEqualTo(16);
        assertThat(FrameLayout.aligned(16)).isEqualTo(16);
    }

    @Test
    void fragmentHeaderIsStreamKindFlagsType() {
        NativeMemory.putLong(
                address,
                FragmentLayout.header(
                        0x01020304, FrameLayout.REQUEST, FragmentLayout.LAST, 0x7FFE));

        assertThat(bytes(8)).isEqualTo("04030201" + "02" + "02" + "fe7f");
    }

    @Test
    void fragmentHeaderIsReadBackFieldByField() {
        long header = FragmentLayout.header(-7, FrameLayout.MESSAGE, FragmentLayout.FIRST, 32767);

        assertThat(FragmentLayout.stream(header)).isEqualTo(-7);
        assertThat(FragmentLayout.kind(header)).isEqualTo(FrameLayout.MESSAGE);
        assertThat(FragmentLayout.flags(header)).isEqualTo(FragmentLayout.FIRST);
        assertThat(FragmentLayout.type(header)).isEqualTo(32767);
    }

    @Test
    void handshakeIsMagicVersionClusterNodeIncarnationFrameChecksum() {
        HandshakeLayout.write(address, 0x1122334455667788L, 258, 3, 131072);

        assertThat(bytes(HandshakeLayout.BYTES))
                .isEqualTo(
                        "5354524c"
                                + "03000000"
                                + "8877665544332211"
                                + "0201"
                                + "0300"
                                + "00000200"
                                + "dd8a03f1");
        assertThat(new String(HexFormat.of().parseHex(bytes(4)), StandardCharsets.US_ASCII))
                .isEqualTo("STRL");
    }

    @Test
    void handshakeRefusesStrangersOtherVersionsAndClusters() {
        HandshakeLayout.write(address, 7, 3, 0, 4096);
        assertThatCode(() -> HandshakeLayout.check(address, 7)).doesNotThrowAnyException();

        assertThatThrownBy(() -> HandshakeLayout.check(address, 8))
                .hasMessageContaining("cluster 7");
        NativeMemory.putInt(address + 4, 99);
        assertThatThrownBy(() -> HandshakeLayout.check(address, 7))
                .hasMessageContaining("version 99");
        NativeMemory.putInt(address, 0x20544547);
        assertThatThrownBy(() -> HandshakeLayout.check(address, 7))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("stranger");
    }

    @Test
    void confirmationIsThePositionInLittleEndian() {
        ConfirmationLayout.write(address, 0x0102030405060708L);

        assertThat(bytes(16)).isEqualTo("0807060504030201" + "f7f8f9fafbfcfdfe");
        assertThat(ConfirmationLayout.position(address)).isEqualTo(0x0102030405060708L);
    }

    @Test
    void everyChangeOfAByteOfAFrameHeaderIsSeen() {
        for (int length : new int[] {8, 16, 24, 4096, Limits.MAX_BUFFER_BYTES}) {
            long header = FrameLayout.header(FrameLayout.SKIP, 0x55AA, length);
            assertThat(FrameLayout.isSound(header)).isTrue();
            for (int change = 1; change < 256; change++) {
                for (int at = 0; at < 8; at++) {
                    assertThat(FrameLayout.isSound(header ^ (long) change << (8 * at))).isFalse();
                }
            }
        }
        assertThat(FrameLayout.isSound(0)).isFalse();
    }

    @Test
    void everyChangeOfAByteOfAHandshakeIsSeen() {
        HandshakeLayout.write(address, 7, 3, 0, 4096);
        for (int at = 0; at < HandshakeLayout.BYTES; at++) {
            byte before = NativeMemory.getByte(address + at);
            for (int change = 1; change < 256; change++) {
                NativeMemory.putByte(address + at, (byte) (before ^ change));
                assertThatThrownBy(() -> HandshakeLayout.check(address, 7))
                        .isInstanceOf(MalformedMessageException.class);
            }
            NativeMemory.putByte(address + at, before);
        }
        assertThatCode(() -> HandshakeLayout.check(address, 7)).doesNotThrowAnyException();
    }

    @Test
    void everyChangeOfAByteOfAConfirmationIsSeen() {
        ConfirmationLayout.write(address, 1 << 20);
        for (int at = 0; at < ConfirmationLayout.BYTES; at++) {
            byte before = NativeMemory.getByte(address + at);
            NativeMemory.putByte(address + at, (byte) (before + 1));
            assertThatThrownBy(() -> ConfirmationLayout.position(address))
                    .isInstanceOf(MalformedMessageException.class);
            NativeMemory.putByte(address + at, before);
        }
    }

    private String bytes(int count) {
        byte[] bytes = new byte[count];
        NativeMemory.copyToArray(address, bytes, 0, count);
        return HexFormat.of().formatHex(bytes);
    }
}
