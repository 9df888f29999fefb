package org.starling.compute.jars;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;

/**
 * A thread for one piece of work that calls code of users, with their class loader as its context.
 * It ends with the work, and takes along what was left in its variables. The caller comes back with
 * it and not sooner, so that those who see to it that work ends need only look at the caller.
 */
public final class UserThread<R> {
    private final FutureTask<R> task;
    private final Thread thread;

    /** A thread that is not started yet. */
    public UserThread(String name, ClassLoader context, Supplier<R> work) {
        task = new FutureTask<>(work::get);
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name(name)
                        .inheritInheritableThreadLocals(false)
                        .unstarted(task);
        thread.setContextClassLoader(context);
    }

    /**
     * Does the work there, waits, and gives or throws what it did; errors that code of users can
     * bring about fail the job.
     */
    public R call() {
        thread.start();
        try {
            return task.get();
        } catch (InterruptedException interrupted) {
            awaitEnd();
            Thread.currentThread().interrupt();
            throw new JobCancelledException("the job's thread was interrupted");
        } catch (ExecutionException thrown) {
            throw unwrapped(thrown);
        }
    }

    /** Hands interrupts on; whoever waits for the caller must not think that the work has ended. */
    private void awaitEnd() {
        thread.interrupt();
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException again) {
                thread.interrupt();
            }
        }
    }

    private static RuntimeException unwrapped(ExecutionException thrown) {
        return switch (thrown.getCause()) {
            case RuntimeException expected -> expected;
            case OutOfMemoryError full -> throw full;
            case LinkageError unfit -> new JobFailedException(unfit.toString(), unfit);
            case StackOverflowError deep -> new JobFailedException(deep.toString(), deep);
            case Error bug -> throw bug;
            case null, default -> new IllegalStateException(thrown);
        };
    }
}
