package org.starling.loaders;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.starling.graph.InvalidInputException;

/**
 * The text of gzip blocks, from one of them on. Each is unpacked whole, and compared with its
 * checksum and length, before any of it is given. Confined to the thread that reads; owns its file
 * and two blocks.
 */
final class GzipBlockText extends InputStream {
    private final Path path;
    private final BinaryFile file;
    private final long fileBytes;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private final byte[] packed = new byte[GzipBlock.MAX_BYTES];

    /** One byte more than a block has, by which one that has more is known. */
    private final byte[] text = new byte[GzipBlock.MAX_BYTES + 1];

    private int position;
    private int limit;

    /** Text before the block at hand. */
    private long before;

    private GzipBlockText(Path path, BinaryFile file, long before) throws IOException {
        this.path = path;
        this.file = file;
        this.fileBytes = Files.size(path);
        this.before = before;
    }

    /** Opens a file at a block. */
    static InputStream open(Path path, GzipBlocks.Place block) throws IOException {
        return new GzipBlockText(path, BinaryFile.open(path).at(block.file()), block.text());
    }

    @Override
    public int read() throws IOException {
        return isThere() ? text[position++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (!isThere()) {
            return -1;
        }
        int some = Math.min(length, limit - position);
        System.arraycopy(text, position, into, offset, some);
        position += some;
        return some;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        file.close();
    }

    /** Whether there is more text; unpacks blocks up to one that has some. */
    private boolean isThere() throws IOException {
        while (position == limit) {
            if (file.offset() == fileBytes) {
                return false;
            }
            unpack();
        }
        return true;
    }

    private void unpack() throws IOException {
        before += limit;
        position = 0;
        limit = 0;
        GzipBlock block = GzipBlock.read(file, fileBytes);
        if (block == null) {
            throw new InvalidInputException(damaged("a block has no header"));
        }
        file.read(packed, block.packedBytes());
        int sum = file.nextInt();
        int length = file.nextInt();
        inflater.reset();
        inflater.setInput(packed, 0, block.packedBytes());
        int found;
        try {
            found = inflater.inflate(text);
        } catch (DataFormatException broken) {
            throw new InvalidInputException(damaged(String.valueOf(broken.getMessage())), broken);
        }
        checksum.reset();
        checksum.update(text, 0, found);
        if (found != length || !inflater.finished() || inflater.getRemaining() > 0) {
            throw new InvalidInputException(damaged("a block has another length than it says"));
        }
        if ((int) checksum.getValue() != sum) {
            throw new InvalidInputException(damaged("a block has another checksum than it says"));
        }
        limit = found;
    }

    private String damaged(String how) {
        return UnpackedText.sentence(path, Packing.GZIP, before, "is damaged: " + how);
    }
}
