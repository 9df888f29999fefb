package org.starling.compute.internal.run;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.protocol.ComputeMessage.FailureKind;
import org.starling.compute.internal.protocol.RunMessage.Failure;
import org.starling.graph.JobFailedException;
import org.starling.net.NetException;
import org.starling.store.StoreException;

/** Why a run has failed: what went wrong first, on whichever worker. Any thread. */
final class FirstFailure {
    private final AtomicReference<@Nullable Failure> first = new AtomicReference<>();

    /** Whether somebody has got an {@link OutOfMemoryError}. */
    private volatile boolean exhausted;

    /** Whether there was no room left for objects of Java. */
    boolean isExhausted() {
        return exhausted;
    }

    /** The first failure, if there is one. */
    Optional<Failure> first() {
        return Optional.ofNullable(first.get());
    }

    /**
     * Notes what was thrown, if it is the first. Exceptions of user code are told by their classes,
     * which say the most. Never throws: the worker has to come to its next barrier.
     *
     * @param where what failed, for people
     */
    void note(Throwable thrown, Supplier<String> where) {
        Failure failure;
        if (thrown instanceof OutOfMemoryError) {
            exhausted = true;
            HeapReserve.release();
        }
        try {
            failure = failure(thrown, where);
        } catch (RuntimeException | Error speechless) { // code of users words its exceptions
            failure = new Failure(FailureKind.JOB_FAILED, thrown.getClass().getName());
        }
        first.compareAndSet(null, failure);
    }

    /**
     * Notes, if nothing has failed here, that something else has. To be called before work is
     * stopped because of that: code of users may make something else of what it gets to see then.
     */
    void abandon(String why) {
        first.compareAndSet(null, new Failure(FailureKind.ABANDONED, why));
    }

    private static Failure failure(Throwable thrown, Supplier<String> where) {
        String said = String.valueOf(thrown.getMessage());
        Optional<Failure> told = Failure.told(thrown);
        if (told.isPresent()) {
            return told.get();
        }
        FailureKind kind = FailureKind.of(thrown);
        if (kind != FailureKind.JOB_FAILED && kind != FailureKind.INTERNAL) {
            return new Failure(kind, said);
        }
        return switch (thrown) {
            case JobFailedException _, StoreException _, NetException _ ->
                    new Failure(FailureKind.JOB_FAILED, where.get() + ": " + said);
            default -> new Failure(FailureKind.JOB_FAILED, where.get() + ": " + thrown);
        };
    }
}
