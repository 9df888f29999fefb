package org.starling.store.internal.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What a {@link Journal} does with its file; a test can put a failing disk in its place. */
interface JournalFile extends AutoCloseable {
    /** Opens the files of a journal. */
    interface Opener {
        JournalFile open(Path path) throws IOException;
    }

    /** Appends all bytes of the buffer. */
    void append(ByteBuffer bytes) throws IOException;

    /** Returns when all that was appended is on the disk. */
    void force() throws IOException;

    @Override
    void close() throws IOException;

    /** A file that is there or is created, to be written at its end. */
    static JournalFile open(Path path) throws IOException {
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel.position(channel.size());
        return new JournalFile() {
            @Override
            public void append(ByteBuffer bytes) throws IOException {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }

            @Override
            public void force() throws IOException {
                channel.force(false);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }
}
