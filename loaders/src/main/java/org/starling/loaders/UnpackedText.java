package org.starling.loaders;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * The text in a file, plain or compressed (told by its first bytes, not by its name), from its
 * first byte on. Damage of compressed data is told as what it is: bad input, with file and
 * position. A file that unpacks to far more than any graph does is refused. Confined to the thread
 * that reads.
 */
public final class UnpackedText extends FilterInputStream {
    /** Most bytes that a byte of a compressed file may stand for. */
    static final long MAX_EXPANSION = 1000;

    /** Bytes that may come out of a small file all the same. */
    static final long FREE_BYTES = 64L << 20;

    private final Path path;
    private final Packing packing;
    private final FileBytes file;
    private final long mostBytes;
    private long textBytes;

    private UnpackedText(InputStream text, Path path, Packing packing, FileBytes file)
            throws IOException {
        super(text);
        this.path = path;
        this.packing = packing;
        this.file = file;
        this.mostBytes = mostBytes(Files.size(path));
    }

    /** Most bytes of text that come out of a compressed file. */
    static long mostBytes(long fileBytes) {
        return Math.max(FREE_BYTES, fileBytes * MAX_EXPANSION);
    }

    /**
     * Opens the text in a file.
     *
     * @throws InvalidInputException if the file begins like a compressed one, but its header is cut
     *     or damaged
     */
    public static InputStream open(Path path) throws IOException {
        return open(path, Files.newInputStream(path));
    }

    /** Opens the text in a file whose bytes {@code from} gives; closes {@code from} with it. */
    static InputStream open(Path path, InputStream from) throws IOException {
        FileBytes file = new FileBytes(from);
        InputStream buffered = new BufferedInputStream(file);
        Packing packing = Packing.NONE;
        try {
            buffered.mark(Packing.MAGIC_BYTES);
            packing = Packing.of(path, buffered.readNBytes(Packing.MAGIC_BYTES));
            buffered.reset();
            return packing == Packing.NONE
                    ? buffered
                    : new UnpackedText(packing.unpack(buffered), path, packing, file);
        } catch (IOException | RuntimeException broken) {
            buffered.close();
            throw explained(path, packing, file, 0, broken);
        }
    }

    /** The next byte of a text that is read in pieces; −1 at its end. */
    static int next(InputStream text) throws IOException {
        byte[] one = new byte[1];
        return text.read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read() throws IOException {
        return next(this);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        try {
            int read = super.read(into, offset, length);
            textBytes += Math.max(0, read);
            if (textBytes > mostBytes) {
                throw new InvalidInputException(
                        String.format(
                                Locale.ROOT,
                                "%s: more than %,d bytes come out of the %s data, which is too much for its size (unpack it first, if it is meant)",
                                path,
                                mostBytes,
                                packing.title()));
            }
            return read;
        } catch (IOException | RuntimeException broken) {
            throw explained(path, packing, file, textBytes, broken);
        }
    }

    /** What broke the file itself is told as it is, what is wrong with its data as bad input. */
    private static IOException explained(
            Path path, Packing packing, FileBytes file, long textBytes, Exception broken)
            throws IOException {
        if (broken instanceof InvalidInputException told) {
            throw told;
        }
        if (file.failure != null) {
            throw file.failure;
        }
        String message = String.valueOf(broken.getMessage());
        boolean cut =
                broken instanceof EOFException
                        || message.matches("(?i).*(premature|unexpected) end.*");
        String how = cut ? "ends too early: the file is truncated" : "is damaged: " + message;
        throw new InvalidInputException(sentence(path, packing, textBytes, how), broken);
    }

    /** What is said of packed data that make no sense. */
    static String sentence(Path path, Packing packing, long textBytes, String how) {
        return sentence(path, packing, textBytes, how, "fetch the file again");
    }

    static String sentence(Path path, Packing packing, long textBytes, String how, String remedy) {
        return String.format(
                Locale.ROOT,
                "%s: after %,d bytes of text the %s data %s (%s)",
                path,
                textBytes,
                packing.title(),
                how,
                remedy);
    }

    /** Bytes of a file; keeps why they can't be read. Confined to one thread. */
    private static final class FileBytes extends FilterInputStream {
        private @Nullable IOException failure;

        FileBytes(InputStream file) {
            super(file);
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (IOException unreadable) {
                failure = unreadable;
                throw unreadable;
            }
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            try {
                return super.read(into, offset, length);
            } catch (IOException unreadable) {
                failure = unreadable;
                throw unreadable;
            }
        }
    }
}
