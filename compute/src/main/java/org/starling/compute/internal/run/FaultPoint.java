package org.starling.compute.internal.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A place at which benches and tests kill this process: when it comes there for the first time, it
 * says so and waits to be killed, for a minute at most.
 *
 * <p>A place is a task of the script ({@code slave@task=1}, the first is 0), a superstep of a run
 * ({@code slave@superstep=3}), or the middle of an output file, of which so many pieces are there
 * ({@code master@write=2}). The last two mean the first such place of any task, or of one: {@code
 * slave@task=4,superstep=3}.
 *
 * <p>Set by a file in the folder that the system property {@code starling.faultFolder} names, which
 * is called like the number of the process; said by a file beside it that ends in {@code .reached}.
 * Static functions only, any thread. Costs next to nothing where the property is not set.
 */
public final class FaultPoint {
    /** Role of who does the work. */
    public static final String SLAVE = "slave";

    /** Role of who leads it. */
    public static final String MASTER = "master";

    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final @Nullable String FOLDER = System.getProperty("starling.faultFolder");

    /** The task that this process has heard of last. */
    private static volatile int currentTask = -1;

    private FaultPoint() {}

    /** The process is about to do a superstep in this role. Returns soon if {@code over}. */
    public static void superstep(String role, int superstep, BooleanSupplier over) {
        pass(role + "@", "superstep=" + superstep, over);
    }

    /**
     * The process is about to write one more piece to a file in this role. Returns soon if {@code
     * over}.
     */
    public static void write(String role, long pieces, BooleanSupplier over) {
        pass(role + "@", "write=" + pieces, over);
    }

    /** The process is about to begin a task in this role. */
    public static void task(String role, int task) {
        currentTask = task;
        pass(role + "@", "task=" + task, () -> false);
    }

    private static void pass(String role, String place, BooleanSupplier over) {
        List<String> names = List.of(role + place, role + "task=" + currentTask + "," + place);
        if (FOLDER != null && isHit(Path.of(FOLDER), names)) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < WAIT_NANOS && !over.getAsBoolean()) {
                LockSupport.parkNanos(RECHECK_NANOS);
            }
        }
    }

    /** Looks for this process's file; takes it away and leaves a sign if it names the place. */
    static boolean isHit(Path folder, List<String> names) {
        Path file = folder.resolve(Long.toString(ProcessHandle.current().pid()));
        try {
            if (!Files.exists(file)
                    || !names.contains(Files.readString(file).strip())
                    || !Files.deleteIfExists(file)) {
                return false;
            }
            Files.writeString(folder.resolve(file.getFileName() + ".reached"), names.getFirst());
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of fault points can't be used", e);
        }
    }
}
