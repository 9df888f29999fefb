package org.starling.net.internal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether this machine has more threads to run than this process may use cores, as the kernel
 * counts them, so that other processes count too. Where the kernel doesn't say ({@code
 * /proc/loadavg} is missing), every machine is taken for busy, and nobody spins by chance.
 *
 * <p>Thread-safe; {@code file} and {@code line} are guarded by {@code lock}. A look costs two
 * system calls (2 µs), at most one in {@link #FRESH_NANOS}; a thread that finds another one looking
 * uses what was seen last.
 */
final class BusyCores {

    private static final Logger LOGGER = LogManager.getLogger(BusyCores.class);
    private static final long FRESH_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final String FILE = "/proc/loadavg";

    /** Fields of the line that come before the one that begins with the running threads. */
    private static final int AVERAGES = 3;

    /** The one of this machine. */
    static final BusyCores MACHINE = new BusyCores(Runtime.getRuntime().availableProcessors());

    private final int cores;
    private final ReentrantLock lock = new ReentrantLock();
    private final byte[] line = new byte[128];
    private final @Nullable RandomAccessFile file;
    private volatile int excess = Integer.MAX_VALUE;
    private volatile long lookedNanos = System.nanoTime() - FRESH_NANOS;

    private BusyCores(int cores) {
        this.cores = cores;
        this.file = open();
    }

    /** Whether more threads want to run than there are cores, the calling one included. */
    boolean isOverProvisioned() {
        return excess() > 0;
    }

    /** How many more threads want to run than there are cores; negative if cores are idle. */
    int excess() {
        if (System.nanoTime() - lookedNanos > FRESH_NANOS && lock.tryLock()) {
            try {
                excess = running() - cores;
                lookedNanos = System.nanoTime();
            } finally {
                lock.unlock();
            }
        }
        return excess;
    }

    /**
     * Reads the number of running threads from a line of {@code /proc/loadavg} ("0.20 0.18 0.12
     * 1/80 11206"); a large number when it is not there.
     */
    static int running(String loadAverages) {
        String[] fields = loadAverages.split(" ", -1);
        int end = fields.length > AVERAGES ? fields[AVERAGES].indexOf('/') : -1;
        try {
            return end < 0
                    ? Integer.MAX_VALUE
                    : Integer.parseInt(fields[AVERAGES].substring(0, end));
        } catch (NumberFormatException e) {
            LOGGER.debug("{} says \"{}\"", FILE, loadAverages, e);
            return Integer.MAX_VALUE;
        }
    }

    private int running() {
        if (file == null) {
            return Integer.MAX_VALUE;
        }
        try {
            file.seek(0);
            int bytes = file.read(line);
            return running(new String(line, 0, Math.max(0, bytes), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            LOGGER.debug("{} can't be read", FILE, e);
            return Integer.MAX_VALUE;
        }
    }

    private static @Nullable RandomAccessFile open() {
        try {
            return new RandomAccessFile(FILE, "r");
        } catch (IOException e) {
            LOGGER.debug("threads don't spin, as {} can't be read", FILE, e);
            return null;
        }
    }
}
