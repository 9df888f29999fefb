package org.starling.loaders;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/**
 * A text file, plain or compressed (told by its first bytes, not by its name; see {@link Packing}),
 * cut into parts that are read in parallel. Immutable; every cursor has a channel of its own.
 *
 * <p>A plain file is cut every {@link #partBytes()}; a line belongs to the part in which its first
 * byte lies. A compressed file is one part, but for one of gzip blocks ({@link GzipBlocks}): that
 * is cut where a block begins. Offsets are those of the text, not of the file.
 */
final class TextFile {

    /** Bytes of a part, unless that makes more than {@link #MAX_PARTS}. */
    static final long PART_BYTES = 4L << 20;

    /** Largest number of parts. */
    static final long MAX_PARTS = 1 << 16;

    /** Bytes of a line that are shown in a complaint. */
    private static final int SHOWN_BYTES = 200;

    private final Path path;
    private final long bytes;
    private final boolean compressed;
    private final @Nullable GzipBlocks blocks;
    private final long partBytes;

    private TextFile(
            Path path,
            long bytes,
            boolean compressed,
            @Nullable GzipBlocks blocks,
            long partBytes) {
        this.path = path;
        this.bytes = bytes;
        this.compressed = compressed;
        this.blocks = blocks;
        this.partBytes = partBytes;
    }

    /**
     * Looks at the file that the parameter {@code file} names.
     *
     * @param parameters {@code file}: absolute path; {@code partBytes}: size of parts (optional)
     * @throws InvalidInputException if there is no such file, or it is a folder, or it is empty
     */
    static TextFile open(Parameters parameters) throws IOException {
        TextFile plain = openPlain(parameters);
        Packing packing = Packing.of(plain.path);
        GzipBlocks blocks =
                packing == Packing.GZIP
                        ? GzipBlocks.of(
                                plain.path,
                                plain.bytes,
                                parameters.integer("partBytes", PART_BYTES))
                        : null;
        return new TextFile(
                plain.path, plain.bytes, packing != Packing.NONE, blocks, plain.partBytes);
    }

    /** The same of a file that is not compressed, whatever its first bytes look like. */
    static TextFile openPlain(Parameters parameters) throws IOException {
        if (!parameters.has("file")) {
            throw new InvalidInputException("the source needs \"file\", the path of what to read");
        }
        Path path = Path.of(parameters.text("file"));
        if (!Files.exists(path)) {
            throw new InvalidInputException(path + ": there is no such file (check the path)");
        }
        if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
            throw new InvalidInputException(
                    path
                            + ": expected a file that can be read, found "
                            + (Files.isDirectory(path) ? "a folder" : "one that can't")
                            + " (name a file, and check its permissions)");
        }
        long bytes = Files.size(path);
        if (bytes == 0) {
            throw new InvalidInputException(path + ": the file is empty, so there is no graph");
        }
        long partBytes =
                Math.max(
                        parameters.integer("partBytes", PART_BYTES),
                        Math.ceilDiv(bytes, MAX_PARTS));
        return new TextFile(path, bytes, false, null, partBytes);
    }

    /**
     * Looks at a file that may have no bytes at all.
     *
     * @return null if that is so
     * @throws InvalidInputException if there is no such file, or it is a folder
     */
    static @Nullable TextFile openUnlessEmpty(Parameters parameters) throws IOException {
        Path path = Path.of(parameters.text("file"));
        return Files.isRegularFile(path) && Files.size(path) == 0 ? null : open(parameters);
    }

    /** Where the file is. */
    Path path() {
        return path;
    }

    /** Bytes of a part of a plain file. */
    long partBytes() {
        return partBytes;
    }

    /** Number of parts. */
    int parts() {
        if (blocks != null) {
            return blocks.parts();
        }
        return compressed ? 1 : (int) Math.ceilDiv(bytes, partBytes);
    }

    /** Offset of a part in the text. */
    long partStart(int part) {
        return blocks != null ? blocks.partStart(part) : part * partBytes;
    }

    /** Offset after a part in the text; beyond everything for a compressed file without blocks. */
    long partEnd(int part) {
        if (blocks != null) {
            return blocks.partStart(part + 1);
        }
        return compressed ? Long.MAX_VALUE : Math.min((part + 1) * partBytes, bytes);
    }

    /** Most bytes the text can have. */
    long maxTextBytes() {
        if (blocks != null) {
            return blocks.textBytes();
        }
        return compressed ? UnpackedText.mostBytes(bytes) : bytes;
    }

    /** Whether the file is compressed. */
    boolean isPacked() {
        return compressed;
    }

    /** Bytes of the file as it lies on disk. */
    long fileBytes() {
        return bytes;
    }

    /**
     * Bytes the text has; of a compressed file without blocks an estimate, from how many bytes of
     * it hold the text's first ones.
     *
     * @param firstBytes number of these first bytes
     */
    long likelyTextBytes(long firstBytes) throws IOException {
        if (blocks != null) {
            return blocks.textBytes();
        }
        if (!compressed) {
            return bytes;
        }
        try (CountedBytes file = new CountedBytes(Files.newInputStream(path));
                InputStream unpacked = UnpackedText.open(path, file)) {
            unpacked.skipNBytes(firstBytes);
            return (long) ((double) bytes / file.count * firstBytes);
        }
    }

    /** A cursor on the text's first byte. */
    ByteCursor cursor() throws IOException {
        return cursor(0);
    }

    /** A cursor on a byte of the text. */
    ByteCursor cursorAt(long offset) throws IOException {
        ByteCursor cursor = cursor(offset);
        while (cursor.offset() < offset && cursor.peek() != ByteCursor.END) {
            cursor.advance();
        }
        return cursor;
    }

    /** A cursor on the first byte of the first line of a part; past its end if it has none. */
    ByteCursor cursorOnPart(int part) throws IOException {
        return cursorOnLineFrom(partStart(part));
    }

    /**
     * A cursor on the first line that begins at {@code start} or after it, in a plain file or one
     * of blocks.
     */
    ByteCursor cursorOnLineFrom(long start) throws IOException {
        if (start == 0) {
            return cursor(0);
        }
        // The line before ends at or after the byte before.
        ByteCursor cursor = cursorAt(start - 1);
        cursor.skipLine();
        return cursor;
    }

    /** Number of the line, from 1, in which {@code offset} of the text lies. */
    long lineNumber(long offset) throws IOException {
        long number = 1;
        try (ByteCursor cursor = cursor()) {
            while (cursor.skipLine() && cursor.offset() <= offset) {
                number++;
            }
        }
        return number;
    }

    /** The file and the number of the line in which {@code offset} of the text lies, for people. */
    String where(long offset) throws IOException {
        return path + ":" + lineNumber(offset);
    }

    /** What is wrong with the line in which {@code offset} of the text lies. */
    InvalidInputException complaint(long offset, String wrong) throws IOException {
        return new InvalidInputException(where(offset) + ": " + wrong);
    }

    /** What stands on a line from {@code offset} of the text on, cut if it is long. */
    String line(long offset) throws IOException {
        StringBuilder line = new StringBuilder();
        try (ByteCursor cursor = cursorAt(offset)) {
            while (!cursor.atLineEnd() && line.length() < SHOWN_BYTES) {
                line.append((char) cursor.peek());
                cursor.advance();
            }
        }
        return line.toString();
    }

    /** A header that makes no sense, of a format that the text's first bytes tell. */
    InvalidInputException badHeader(long line, String expected, String found) {
        return new InvalidInputException(
                "%s:%d: expected %s, found %s (correct the header, or say what the file is by \"format\")"
                        .formatted(path, line, expected, Quote.of(found)));
    }

    /** A cursor on a byte of the text, or before it if the file is compressed. */
    private ByteCursor cursor(long offset) throws IOException {
        if (blocks != null) {
            GzipBlocks.Place block = blocks.before(offset);
            return new ByteCursor(GzipBlockText.open(path, block), block.text());
        }
        if (compressed) {
            return new ByteCursor(UnpackedText.open(path), 0);
        }
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        channel.position(offset);
        return new ByteCursor(Channels.newInputStream(channel), offset);
    }

    /** Counts what is read of a file. Confined to one thread. */
    private static final class CountedBytes extends FilterInputStream {

        private long count;

        CountedBytes(InputStream file) {
            super(file);
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            count += read < 0 ? 0 : 1;
            return read;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            count += Math.max(0, read);
            return read;
        }
    }
}
