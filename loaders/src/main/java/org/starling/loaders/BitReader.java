package org.starling.loaders;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.starling.graph.InvalidInputException;

/**
 * Bits of a file, the highest of each byte first. Confined to the thread that reads; owns its
 * stream and one buffer.
 */
final class BitReader implements Closeable {
    private static final int BUFFER_BYTES = 1 << 18;

    /** After a fill so many bits are held at least, unless the file ends. */
    private static final int FILLED_BITS = Long.SIZE - Byte.SIZE;

    private final InputStream stream;
    private final Function<String, InvalidInputException> complaint;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;

    /** Bytes of the file that are in the buffer or behind it. */
    private long bytes;

    /** The next bits, from the highest one on; those behind {@link #heldBits} are zeros. */
    private long held;

    private int heldBits;

    private BitReader(InputStream stream, Function<String, InvalidInputException> complaint) {
        this.stream = stream;
        this.complaint = complaint;
    }

    /**
     * Opens a file.
     *
     * @param complaint makes what is thrown from what was expected
     */
    static BitReader open(Path path, Function<String, InvalidInputException> complaint)
            throws IOException {
        return new BitReader(Files.newInputStream(path), complaint);
    }

    /** Number of the next bit, from 0. */
    long offset() {
        return (bytes - (limit - position)) * Byte.SIZE - heldBits;
    }

    /** The number of {@code count} bits, 0 to 63. */
    long next(int count) throws IOException {
        if (count > FILLED_BITS) {
            return next(count - FILLED_BITS) << FILLED_BITS | next(FILLED_BITS);
        }
        if (heldBits < count) {
            fill();
            if (heldBits < count) {
                throw ended();
            }
        }
        long bits = held >>> 1 >>> (Long.SIZE - 1 - count); // none, if there are none to take
        held <<= count;
        heldBits -= count;
        return bits;
    }

    /** Number of zeros before the next one, which is passed. */
    long unary(long most) throws IOException {
        long zeros = 0;
        while (held == 0) {
            zeros += heldBits;
            heldBits = 0;
            fill();
            if (heldBits == 0) {
                throw ended();
            }
            if (zeros > most) {
                throw tooLarge();
            }
        }
        int more = Long.numberOfLeadingZeros(held);
        held = held << more << 1;
        heldBits -= more + 1;
        if (zeros + more > most) {
            throw tooLarge();
        }
        return zeros + more;
    }

    /** Whether nothing but zeros follows, and at most so many. */
    boolean endsWithin(int zeros) throws IOException {
        int passed = 0;
        while (passed <= zeros) {
            fill();
            if (heldBits == 0) {
                return true;
            }
            if (held != 0) {
                return false;
            }
            passed += heldBits;
            heldBits = 0;
        }
        return false;
    }

    /** What is thrown if a number has more bits than any in such a file. */
    InvalidInputException tooLarge() {
        return complaint.apply("a number that fits the graph, found one with more bits");
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }

    private InvalidInputException ended() {
        return complaint.apply("more bits, found the end of the file");
    }

    private void fill() throws IOException {
        while (heldBits <= FILLED_BITS) {
            if (position == limit) {
                position = 0;
                limit = Math.max(0, stream.read(buffer, 0, buffer.length));
                if (limit == 0) {
                    return;
                }
                bytes += limit;
            }
            held |= (buffer[position++] & 0xFFL) << (FILLED_BITS - heldBits);
            heldBits += Byte.SIZE;
        }
    }
}
