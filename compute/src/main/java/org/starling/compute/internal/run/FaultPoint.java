package org.starling.compute.internal.run;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A place at which tests kill this process: when it comes there for the first time, it says so on
 * its standard output and waits to be killed, for a minute at most.
 *
 * <p>Set by the system property {@code starling.faultPoint}: {@code superstep=3} or {@code task=1},
 * with {@code slave@} or {@code master@} before it where one role is meant. Any thread.
 */
public final class FaultPoint {
    /** Name of the system property. */
    public static final String PROPERTY = "starling.faultPoint";

    /** Role of who does the work. */
    public static final String SLAVE = "slave";

    /** Role of who leads it. */
    public static final String MASTER = "master";

    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final @Nullable FaultPoint CONFIGURED =
            parse(System.getProperty(PROPERTY, ""));

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
        if (!roleKnown || !place.matches("(superstep|task)=\\d{1,9}")) {
            throw new IllegalArgumentException(
                    PROPERTY
                            + " is \""
                            + text
                            + "\"; expected superstep=N or task=N, with slave@ or master@ before it");
        }
        return new FaultPoint(role, place);
    }

    /** The process is about to do a superstep in this role. Returns soon if {@code over}. */
    public static void superstep(String role, int superstep, BooleanSupplier over) {
        FaultPoint point = CONFIGURED;
        if (point != null) {
            point.at(role, "superstep=" + superstep, over);
        }
    }

    /** The process is about to begin a task in this role. */
    public static void task(String role, int task) {
        FaultPoint point = CONFIGURED;
        if (point != null) {
            point.at(role, "task=" + task, () -> false);
        }
    }

    boolean isAt(String nowRole, String nowPlace) {
        return place.equals(nowPlace) && (role.isEmpty() || role.equals(nowRole));
    }

    private void at(String nowRole, String nowPlace, BooleanSupplier over) {
        if (!isAt(nowRole, nowPlace) || !reached.compareAndSet(false, true)) {
            return;
        }
        say("reached " + place + "\n");
        long start = System.nanoTime();
        while (System.nanoTime() - start < WAIT_NANOS && !over.getAsBoolean()) {
            LockSupport.parkNanos(this, RECHECK_NANOS);
        }
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
