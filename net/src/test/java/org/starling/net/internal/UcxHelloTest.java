package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;

/** Pins what is said before a connection over UCX, and what is refused. */
@Timeout(10)
class UcxHelloTest {

    private static final UcxHello HELLO =
            new UcxHello(0x1122334455667788L, 258, 3, 131_072, 5L << 32 | 1, new byte[] {9, 8});

    @Test
    void isMagicVersionClusterNodeFrameFlagsLengthKeyAddress() {
        assertThat(HexFormat.of().formatHex(HELLO.bytes()))
                .isEqualTo(
                        "53545258"
                                + "03000000"
                                + "8877665544332211"
                                + "0201"
                                + "0300"
                                + "00000200"
                                + "00000000"
                                + "02000000"
                                + "0100000005000000"
                                + "0908");
    }

    @Test
    void isReadBackFieldByField() throws Exception {
        UcxHello read = read(HELLO.bytes());

        assertThat(read.nodeId()).isEqualTo(258);
        assertThat(read.incarnation()).isEqualTo(3);
        assertThat(read.maxFrameBytes()).isEqualTo(131_072);
        assertThat(read.key()).isEqualTo(5L << 32 | 1);
        assertThat(read.address()).containsExactly(9, 8);
    }

    @Test
    void refusesWhatIsNoNodeOfThisClusterOverUcx() {
        assertRefused(0, (byte) 'G', "stranger");
        assertRefused(3, (byte) 'L', "\"ethernet\"");
        assertRefused(4, (byte) 9, "version 9");
        assertRefused(8, (byte) 1, "belongs to");
    }

    @Test
    void refusesAddressSizesPastTheLimitBeforeAllocating() {
        assertRefused(30, (byte) 2, "address of 131074 bytes");
        assertRefused(31, (byte) 0x80, "address of -");
        byte[] empty = HELLO.bytes();
        empty[28] = 0;
        assertThatThrownBy(() -> read(empty)).hasMessageContaining("address of 0 bytes");
    }

    @Test
    void tellsAnEndFromNonsense() {
        for (int length = 0; length < HELLO.bytes().length; length++) {
            byte[] cut = Arrays.copyOf(HELLO.bytes(), length);

            assertThatThrownBy(() -> read(cut)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void messageHeadersAreKeyAndPosition() {
        long address = NativeMemory.reserve(UcxMessageLayout.BYTES);
        UcxMessageLayout.write(address, 0x0102030405060708L, 0x1112131415161718L);
        byte[] bytes = new byte[UcxMessageLayout.BYTES];
        NativeMemory.copyToArray(address, bytes, 0, bytes.length);

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("0807060504030201" + "1817161514131211");
        assertThat(UcxMessageLayout.key(address)).isEqualTo(0x0102030405060708L);
        assertThat(UcxMessageLayout.position(address)).isEqualTo(0x1112131415161718L);
        NativeMemory.release(address, UcxMessageLayout.BYTES);
    }

    @Test
    void keysOfClosedConnectionsFindNothing() {
        UcxSlots<String> slots = new UcxSlots<>();
        long first = slots.add("first");
        long second = slots.add("second");
        slots.remove(first);
        long third = slots.add("third"); // in the place of the first

        assertThat(third).isNotEqualTo(first);
        assertThat(slots.get(first)).isNull();
        assertThat(slots.get(second)).isEqualTo("second");
        assertThat(slots.get(third)).isEqualTo("third");
        assertThat(slots.values()).containsExactlyInAnyOrder("second", "third");
        for (long key : new long[] {0, -1, Long.MIN_VALUE, third + 1, third + (1L << 32)}) {
            assertThat(slots.get(key)).as("key %d", key).isNull();
        }
    }

    private static void assertRefused(int offset, byte value, String reason) {
        byte[] bytes = HELLO.bytes();
        bytes[offset] = value;

        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining(reason);
    }

    private static UcxHello read(byte[] bytes) throws java.io.IOException {
        return UcxHello.read(new ByteArrayInputStream(bytes), HELLO.clusterId());
    }
}
