package org.starling.loaders;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where things lie in a gzip member that says how large it is. Immutable.
 *
 * <pre>
 * 0   magic      4 bytes: 1F 8B, 8 (deflated), 4 (extra fields, and nothing else that is optional)
 * 4   time, kind of compression, system   6 bytes
 * 10  extra      2 bytes: bytes of the extra fields
 * 12  fields     of each 2 bytes of name, 2 of length, and what it has;
 *                that of the name BC has 2 bytes: the size of the member, less 1
 *     deflated text
 *     trailer    4 bytes CRC32 of the text, 4 its length
 * </pre>
 *
 * @param bytes its size
 * @param headerBytes bytes before the deflated text
 */
record GzipBlock(int bytes, int headerBytes) {
    /** Most bytes of a member, and of its text. */
    static final int MAX_BYTES = 1 << 16;

    /** Bytes behind the deflated text. */
    static final int TRAILER_BYTES = 8;

    private static final int MAGIC = 0x04_08_8B_1F;
    private static final int FIELDS_AT = 12;
    private static final int SIZE_FIELD = 'B' | 'C' << Byte.SIZE;
    private static final int FIELD_HEADER_BYTES = 4;

    /**
     * Reads the header that comes next, and moves behind it.
     *
     * @return null if there is none, or the file is too short for what it says
     */
    static @Nullable GzipBlock read(BinaryFile file, long fileBytes) throws IOException {
        long left = fileBytes - file.offset() - FIELDS_AT - TRAILER_BYTES;
        if (left < 0 || file.nextInt() != MAGIC) {
            return null;
        }
        file.skip(Integer.BYTES + Short.BYTES);
        int extra = file.nextShort();
        if (extra > left) {
            return null;
        }
        int bytes = 0;
        int rest = extra;
        while (rest >= FIELD_HEADER_BYTES) {
            int name = file.nextShort();
            int length = file.nextShort();
            rest -= FIELD_HEADER_BYTES + length;
            if (rest < 0) {
                return null;
            }
            if (name == SIZE_FIELD && length == Short.BYTES) {
                bytes = file.nextShort() + 1;
            } else {
                file.skip(length);
            }
        }
        file.skip(rest);
        GzipBlock block = new GzipBlock(bytes, FIELDS_AT + extra);
        boolean fits = bytes - block.headerBytes - TRAILER_BYTES <= left - extra;
        return block.packedBytes() > 0 && fits ? block : null;
    }

    /** Bytes of the deflated text. */
    int packedBytes() {
        return bytes - headerBytes - TRAILER_BYTES;
    }
}
