package org.starling.compute.internal.run;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place at which tests and benches kill this process: when it comes there for the first time, it
 * says so and waits to be killed, for a minute at most.
 *
 * <p>A place is a task of the script ({@code task=1}, the first is 0), a superstep of a run ({@code
 * superstep=3}), or the middle of an output file, of which so many pieces are there ({@code
 * write=2}). The last two mean the first such place of any task, or of one: {@code
 * task=4,superstep=3}.
 *
 * <p>Set by the system property {@code starling.faultPoint}: a place, with {@code slave@} or {@code
 * master@} before it where one role is meant; then it is said on standard output. Or set while the
 * process runs, when it is known who the master is: by a file in the folder that the property
 * {@code starling.faultFolder} names, which is called like the number of the process and holds the
 * same words; then it is said by a file beside it that ends in {@link #REACHED}. Any thread. Costs
 * nothing where neither property is set.
 */
public final class FaultPoint {
    /** Name of the system property with a place. */
    public static final String PROPERTY = "starling.faultPoint";

    /** Name of the system property with a folder of places. */
    public static final String FOLDER_PROPERTY = "starling.faultFolder";

    /** End of the name of the file by which a process says that it has come to its place. */
    public static final String REACHED = ".reached";

    /** Role of who does the work. */
    public static final String SLAVE = "slave";

    /** Role of who leads it. */
    public static final String MASTER = "master";

    /** What places look like. */
    private static final Pattern PLACE =
            Pattern.compile("task=\\d{1,9}|(task=\\d{1,9},)?(superstep|write)=\\d{1,9}");

    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final @Nullable FaultPoint CONFIGURED = parse(System.getProperty(PROPERTY, ""));
    private static final @Nullable Path FOLDER = folder(System.getProperty(FOLDER_PROPERTY, ""));

    /** The task that this process has heard of last. */
    private static volatile int currentTask = -1;

    private final String role;
    private final String place;
    private final AtomicBoolean reached = new AtomicBoolean();

    private FaultPoint(String role, String place) {
        this.role = role;
        this.place = place;
    }

    static @Nullable FaultPoint parse(String text) {
        if (text.isEmpty()) {
            return null;
        }
        int at = text.indexOf('@');
        String role = at < 0 ? "" : text.substring(0, at);
        String place = text.substring(at + 1);
        boolean roleKnown = at < 0 || role.equals(SLAVE) || role.equals(MASTER);
        if (!roleKnown || !PLACE.matcher(place).matches()) {
            throw new IllegalArgumentException(
                    PROPERTY
                            + " is \""
                            + text
                            + "\"; expected superstep=N, write=N or task=N, with slave@ or master@ before it");
        }
        return new FaultPoint(role, place);
    }

    /** The process is about to do a superstep in this role. Returns soon if {@code over}. */
    public static void superstep(String role, int superstep, BooleanSupplier over) {
        if (CONFIGURED != null || FOLDER != null) {
            pass(role, inTask("superstep=" + superstep), over);
        }
    }

    /**
     * The process is about to write one more piece to a file in this role. Returns soon if {@code
     * over}.
     */
    public static void write(String role, long pieces, BooleanSupplier over) {
        if (CONFIGURED != null || FOLDER != null) {
            pass(role, inTask("write=" + pieces), over);
        }
    }

    /** The process is about to begin a task in this role. */
    public static void task(String role, int task) {
        if (CONFIGURED != null || FOLDER != null) {
            currentTask = task;
            pass(role, "task=" + task, () -> false);
        }
    }

    private static String inTask(String place) {
        return "task=" + currentTask + "," + place;
    }

    private static void pass(String role, String place, BooleanSupplier over) {
        FaultPoint point = CONFIGURED;
        if (point != null && point.isHit(role, place)) {
            say("reached " + place + "\n");
            await(over);
        }
        Path folder = FOLDER;
        if (folder != null && isHitIn(folder, role, place)) {
            await(over);
        }
    }

    /** Looks for this process's file; takes it away and leaves a sign if this is the place. */
    static boolean isHitIn(Path folder, String role, String place) {
        String name = Long.toString(ProcessHandle.current().pid());
        Path file = folder.resolve(name);
        try {
            if (!Files.exists(file)) {
                return false;
            }
            FaultPoint wanted = parse(Files.readString(file).strip());
            if (wanted == null || !wanted.isHit(role, place) || !Files.deleteIfExists(file)) {
                return false;
            }
            Files.writeString(folder.resolve(name + REACHED), place);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of fault points can't be used", e);
        }
    }

    boolean isAt(String nowRole, String nowPlace) {
        boolean here = place.equals(nowPlace) || nowPlace.endsWith("," + place);
        return here && (role.isEmpty() || role.equals(nowRole));
    }

    private boolean isHit(String nowRole, String nowPlace) {
        return isAt(nowRole, nowPlace) && reached.compareAndSet(false, true);
    }

    private static void await(BooleanSupplier over) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < WAIT_NANOS && !over.getAsBoolean()) {
            LockSupport.parkNanos(RECHECK_NANOS);
        }
    }

    private static @Nullable Path folder(String text) {
        return text.isEmpty() ? null : Path.of(text);
    }

    private static void say(String line) {
        try {
            // not closed: the descriptor is the process's own
            FileOutputStream out = new FileOutputStream(FileDescriptor.out);
            out.write(line.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("nobody listens at a fault point", e);
        }
    }
}
