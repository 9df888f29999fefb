package org.starling.loaders;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The text of gzip members, one behind the other up to the end of a file. What is no member is
 * damage, and so is another checksum or length than a member says. (The JDK's stream takes a member
 * whose header is damaged for the end of the file; that of commons-compress holds names of any
 * length in memory.) Source: RFC 1952. Confined to the thread that reads; owns its stream and one
 * buffer.
 */
final class GzipText extends InputStream {
    private static final int BUFFER_BYTES = 1 << 16;

    private static final int MAGIC = 0x8B_1F;
    private static final int DEFLATED = 8;

    /** Bytes of the header that say nothing about the text: time, kind of compression, system. */
    private static final int PASSED_BYTES = 6;

    private static final int WITH_CHECKSUM = 2;
    private static final int WITH_EXTRA = 4;
    private static final int WITH_NAME = 8;
    private static final int WITH_COMMENT = 16;
    private static final int UNKNOWN = 0xE0;

    private final InputStream file;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 headerChecksum = new CRC32();
    private final CRC32 checksum = new CRC32();
    private final byte[] packed = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private boolean inMember;

    private GzipText(InputStream file) {
        this.file = file;
    }

    /**
     * Opens what a file holds.
     *
     * @throws IOException if it begins with no header of a member
     */
    static InputStream open(InputStream file) throws IOException {
        GzipText text = new GzipText(file);
        text.inMember = text.begin();
        return text;
    }

    @Override
    public int read() throws IOException {
        return UnpackedText.next(this);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (inMember) {
            int some = inflate(into, offset, length);
            if (some > 0) {
                checksum.update(into, offset, some);
                return some;
            }
            if (inflater.finished()) {
                end();
                inMember = begin();
            } else {
                require();
                inflater.setInput(packed, position, limit - position);
                position = limit;
            }
        }
        return -1;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        file.close();
    }

    private int inflate(byte[] into, int offset, int length) throws IOException {
        try {
            return inflater.inflate(into, offset, length);
        } catch (DataFormatException broken) {
            throw new IOException(broken.getMessage(), broken);
        }
    }

    /** Moves behind the header of the next member; false if there is none. */
    private boolean begin() throws IOException {
        if (!isThere()) {
            return false;
        }
        headerChecksum.reset();
        if (nextShort() != MAGIC || next() != DEFLATED) {
            throw new IOException("a member has no header");
        }
        int flags = next();
        if ((flags & UNKNOWN) != 0) {
            throw new IOException("a header has flags that no header has");
        }
        skip(PASSED_BYTES);
        if ((flags & WITH_EXTRA) != 0) {
            skip(nextShort());
        }
        if ((flags & WITH_NAME) != 0) {
            skipName();
        }
        if ((flags & WITH_COMMENT) != 0) {
            skipName();
        }
        int sum = (int) headerChecksum.getValue() & 0xFFFF;
        if ((flags & WITH_CHECKSUM) != 0 && nextShort() != sum) {
            throw new IOException("a header has another checksum than it says");
        }
        inflater.reset();
        checksum.reset();
        return true;
    }

    /** Compares a member's text with what its last bytes say. */
    private void end() throws IOException {
        position = limit - inflater.getRemaining();
        if (nextInt() != (int) checksum.getValue()) {
            throw new IOException("a member has another checksum than it says");
        }
        if (nextInt() != (int) inflater.getBytesWritten()) {
            throw new IOException("a member has another length than it says");
        }
    }

    private void skip(int bytes) throws IOException {
        for (int i = 0; i < bytes; i++) {
            next();
        }
    }

    /** Names end with a zero, and have any length. */
    private void skipName() throws IOException {
        while (next() != 0) {}
    }

    private int nextInt() throws IOException {
        return nextShort() | nextShort() << Short.SIZE;
    }

    private int nextShort() throws IOException {
        return next() | next() << Byte.SIZE;
    }

    private int next() throws IOException {
        require();
        int next = packed[position++] & 0xFF;
        headerChecksum.update(next);
        return next;
    }

    private void require() throws IOException {
        if (!isThere()) {
            throw new EOFException();
        }
    }

    private boolean isThere() throws IOException {
        if (position == limit) {
            position = 0;
            limit = Math.max(0, file.read(packed));
        }
        return limit > 0;
    }
}
