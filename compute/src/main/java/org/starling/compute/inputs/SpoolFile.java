package org.starling.compute.inputs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import org.starling.graph.InvalidInputException;

/**
 * A file that an input is brought into, readable for its owner alone. It grows as long as the disk
 * has room beside a reserve. One thread at a time.
 */
final class SpoolFile implements AutoCloseable {
    /** Most bytes of an input. */
    static final long MAX_BYTES = 1L << 40;

    /** Left free on the disk. */
    static final long RESERVE_BYTES = 1L << 30;

    /** Bytes that may come before the disk is asked again. */
    private static final long STEP_BYTES = 16L << 20;

    private final String name;
    private final Path path;
    private final Disk disk;
    private final FileChannel channel;
    private long bytes;
    private long granted;

    /** How much room there is. */
    @FunctionalInterface
    interface Disk {
        long usableBytes(Path file) throws IOException;
    }

    /**
     * Makes the file, which must not be there.
     *
     * @param name what people call the input
     */
    SpoolFile(String name, Path path, Disk disk) throws IOException {
        this.name = name;
        this.path = path;
        this.disk = disk;
        this.channel =
                FileChannel.open(
                        path,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
    }

    /** Bytes so far. */
    long bytes() {
        return bytes;
    }

    /** Begins anew. */
    void restart() throws IOException {
        channel.truncate(0);
        channel.position(0);
        bytes = 0;
        granted = 0;
    }

    /**
     * Throws if there is no room for so many more bytes.
     *
     * @throws InvalidInputException with how many there is room for
     */
    void require(long more) throws IOException {
        if (bytes + more > MAX_BYTES) {
            throw new InvalidInputException(
                    String.format(
                            Locale.ROOT,
                            "%s has more than %,d bytes, which is the most that is brought into a file",
                            name,
                            MAX_BYTES));
        }
        long usable = disk.usableBytes(path);
        if (usable - RESERVE_BYTES < more) {
            throw new InvalidInputException(
                    String.format(
                            Locale.ROOT,
                            "there is no room for %s: the disk of %s has %,d bytes free after %,d have come, of which %,d are left free; run it where there is more",
                            name,
                            path.getParent(),
                            usable,
                            bytes,
                            RESERVE_BYTES));
        }
    }

    /** Appends. */
    void write(ByteBuffer block) throws IOException {
        int length = block.remaining();
        if (bytes + length > granted) {
            require(Math.max(length, STEP_BYTES));
            granted = bytes + Math.max(length, STEP_BYTES);
        }
        while (block.hasRemaining()) {
            channel.write(block);
        }
        bytes += length;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
