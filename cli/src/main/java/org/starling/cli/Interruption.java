package org.starling.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and other requests to end. Its hook runs on a thread of the JVM's shutdown: it cancels
 * what is running, waits a bounded time until the command has reported and stopped its cluster, and
 * ends the process with the command's exit code. Methods are safe for use by any thread.
 */
final class Interruption {
    private final CountDownLatch finished = new CountDownLatch(1);

    /** Guarded by this. */
    private Runnable cancel = () -> {};

    /** Guarded by this. */
    private boolean requested;

    /** Guarded by this. */
    private ExitCode code = ExitCode.JOB_FAILED;

    /** Guarded by this. */
    private Duration timeout = Settings.DEFAULT.get(Settings.CANCEL_TIMEOUT);

    /** From now on requests to end are heard. */
    void install() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::endProcess, "interruption"));
    }

    /** What to call when somebody wants the command to end; at once if somebody did already. */
    void onRequest(Runnable cancellation, Duration patience) {
        boolean late;
        synchronized (this) {
            cancel = cancellation;
            timeout = patience;
            late = requested;
        }
        if (late) {
            cancellation.run();
        }
    }

    /** The command is through; nothing is left to cancel. */
    void finish(ExitCode exitCode) {
        synchronized (this) {
            code = exitCode;
            cancel = () -> {};
        }
        finished.countDown();
    }

    /**
     * Cancels what is running and waits until it has ended.
     *
     * @return the command's exit code, or that of a failed job if it did not end in time
     */
    ExitCode request() {
        Runnable cancellation;
        Duration patience;
        synchronized (this) {
            requested = true;
            cancellation = cancel;
            patience = timeout;
        }
        cancellation.run();
        try {
            if (!finished.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return ExitCode.JOB_FAILED;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            return code;
        }
    }

    private void endProcess() {
        if (finished.getCount() > 0) {
            ExitCode end = request();
            if (finished.getCount() > 0) {
                System.err.println(
                        "starling: what is running does not stop; the command ends without it");
            }
            Runtime.getRuntime().halt(end.number());
        }
    }
}
