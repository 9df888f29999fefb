package org.starling.net.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.starling.net.MalformedMessageException;

/**
 * What {@link ChecksumWire} puts before a run of bytes, little-endian.
 *
 * <pre>
 *   0        2        4          8
 *   +--------+--------+----------+--- - - - ---+
 *   | bytes  | ~bytes | checksum | bytes       |
 *   +--------+--------+----------+--- - - - ---+
 *   bytes     length of what follows, 1 to 32 KiB
 *   ~bytes    its complement, as nobody should wait for the end of a record that has none
 *   checksum  CRC32C of what follows
 * </pre>
 */
final class ChecksumRecordLayout {

    static final int HEADER_BYTES = 8;

    /** Most bytes behind one header. */
    static final int MAX_BYTES = 32 << 10;

    private ChecksumRecordLayout() {}

    static void write(ByteBuffer to, int bytes, int checksum) {
        to.order(ByteOrder.LITTLE_ENDIAN);
        to.putShort((short) bytes).putShort((short) ~bytes).putInt(checksum).flip();
    }

    static int bytes(long header) {
        return (int) header & 0xFFFF;
    }

    static int sum(long header) {
        return (int) (header >>> 32);
    }

    /** Checks the length. */
    static void check(long header) {
        int bytes = bytes(header);
        int complement = (int) (header >>> 16) & 0xFFFF;
        if (bytes < 1 || bytes > MAX_BYTES || (bytes ^ complement) != 0xFFFF) {
            throw new MalformedMessageException(
                    "no record with a checksum; make \"checksums\" equal everywhere");
        }
    }
}
