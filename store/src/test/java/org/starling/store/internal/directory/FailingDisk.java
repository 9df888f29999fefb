package org.starling.store.internal.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Real files behind a disk that can be slow, and fail for good at a force. */
final class FailingDisk implements JournalFile.Opener {
    /** Forces until now. */
    final AtomicInteger forces = new AtomicInteger();

    /** Bytes appended after the first failure. */
    final AtomicInteger appendsAfterFailure = new AtomicInteger();

    /** The number of the force that fails; none at first. */
    volatile int failsAt = Integer.MAX_VALUE;

    /** Forces wait for it. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    private volatile boolean failed;

    @Override
    public JournalFile open(Path path) throws IOException {
        JournalFile file = JournalFile.open(path);
        return new JournalFile() {
            @Override
            public void append(ByteBuffer bytes) throws IOException {
                if (failed) {
                    appendsAfterFailure.incrementAndGet();
                }
                file.append(bytes);
            }

            @Override
            public void force() throws IOException {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                if (forces.incrementAndGet() >= failsAt) {
                    failed = true;
                    throw new IOException("disk is gone");
                }
                file.force();
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }
}
