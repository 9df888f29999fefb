package org.starling.loaders;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * Where the text lies in a gzip file of blocks (BGZF, as {@code bgzip} writes it), so that parts of
 * it are read without what stands before them. Immutable.
 *
 * <p>Each block is a member of its own, of 64 KiB at most on either side. An extra field of its
 * header, {@code BC}, has its size, and its last four bytes have that of its text, so the blocks
 * are found by a few bytes of each. The last one is empty: a file without it has been cut between
 * two blocks. A part begins with a block. Kept are two places for each part. Source: the SAM/BAM
 * format specification, sections 4.1 and 4.1.2, and RFC 1952.
 *
 * <p>What a block says of its text is checked by {@link GzipBlockText}. One that says it has none
 * is not unpacked by anyone, so it must look like it.
 */
final class GzipBlocks {
    /** Most bytes that nothing is deflated to. */
    private static final int EMPTY_BYTES = 5;

    /** Where parts begin in the text. */
    private final long[] starts;

    /** Where some blocks begin in the text, rising: the first of each part and the one before. */
    private final long[] texts;

    /** Where the same blocks begin in the file. */
    private final long[] files;

    private final long textBytes;

    private GzipBlocks(long[] starts, long[] texts, long[] files, long textBytes) {
        this.starts = starts;
        this.texts = texts;
        this.files = files;
        this.textBytes = textBytes;
    }

    /**
     * Finds the blocks of a file.
     *
     * @param fileBytes its size
     * @param partBytes bytes of text that a part has at least
     * @return null if it is no such file from its first byte to its last, or broken
     * @throws InvalidInputException if it is one, but ends before the empty block that is its last
     */
    static @Nullable GzipBlocks of(Path path, long fileBytes, long partBytes) throws IOException {
        try (BinaryFile file = BinaryFile.open(path)) {
            return new Search(path, file, fileBytes, partBytes).blocks();
        }
    }

    int parts() {
        return starts.length;
    }

    /** Where a part begins in the text; the one behind the last begins where the text ends. */
    long partStart(int part) {
        return part < starts.length ? starts[part] : textBytes;
    }

    /** Bytes of the text. */
    long textBytes() {
        return textBytes;
    }

    /** A block that begins before a byte of the text, or with it: the nearest that is known. */
    Place before(long text) {
        int found = Arrays.binarySearch(texts, text);
        int at = found >= 0 ? found : Math.max(0, -found - 2);
        return new Place(texts[at], files[at]);
    }

    /**
     * Where a block begins.
     *
     * @param text offset of its first byte in the text
     * @param file offset of its header in the file
     */
    record Place(long text, long file) {}

    /** Goes from block to block. Confined to one thread. */
    private static final class Search {
        private final Path path;
        private final BinaryFile file;
        private final long fileBytes;
        private final long partBytes;
        private final LongArrayList starts = new LongArrayList();
        private final LongArrayList texts = new LongArrayList();
        private final LongArrayList files = new LongArrayList();

        Search(Path path, BinaryFile file, long fileBytes, long partBytes) {
            this.path = path;
            this.file = file;
            this.fileBytes = fileBytes;
            this.partBytes = partBytes;
        }

        @Nullable GzipBlocks blocks() throws IOException {
            long leastFileBytes = Math.ceilDiv(fileBytes, TextFile.MAX_PARTS);
            Place part = new Place(0, 0);
            Place last = part; // the last block with text
            long text = 0;
            int bytes;
            int length = 0;
            for (long at = 0; at < fileBytes; at += bytes) {
                GzipBlock header = GzipBlock.read(file, fileBytes);
                if (header == null) {
                    return null;
                }
                bytes = header.bytes();
                file.at(at + bytes - GzipBlock.TRAILER_BYTES);
                int checksum = file.nextInt();
                length = file.nextInt();
                boolean looksEmpty = checksum == 0 && header.packedBytes() <= EMPTY_BYTES;
                if (length < 0 || length > GzipBlock.MAX_BYTES || (length == 0 && !looksEmpty)) {
                    return null;
                }
                Place block = new Place(text, at);
                boolean fills = text - part.text >= partBytes && at - part.file >= leastFileBytes;
                if (at == 0 || (fills && length > 0)) {
                    starts.add(text);
                    add(last);
                    add(block);
                    part = block;
                }
                last = length > 0 ? block : last;
                text += length;
            }
            if (length > 0) {
                throw new InvalidInputException(
                        UnpackedText.sentence(
                                path,
                                Packing.GZIP,
                                text,
                                "ends too early: the empty block that ends such a file is missing",
                                "fetch the file again; if what wrote it leaves that block out, unpack it and pack it anew"));
            }
            return text > UnpackedText.mostBytes(fileBytes)
                    ? null
                    : new GzipBlocks(
                            starts.toLongArray(), texts.toLongArray(), files.toLongArray(), text);
        }

        private void add(Place block) {
            texts.add(block.text);
            files.add(block.file);
        }
    }
}
