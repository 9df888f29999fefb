package org.starling.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Work on several threads at the same time. */
public final class Together {
    private Together() {}

    /**
     * Runs each task on a thread of its own; all begin when all threads are there.
     *
     * @return the results in the order of tasks
     * @throws Exception the first failure, the others suppressed in it
     */
    public static <T> List<T> run(String name, List<Callable<T>> tasks) throws Exception {
        CountDownLatch ready = new CountDownLatch(tasks.size());
        List<FutureTask<T>> running = new ArrayList<>();
        for (Callable<T> task : tasks) {
            FutureTask<T> future =
                    new FutureTask<>(() -> {
                        ready.countDown();
                        ready.await();
                        return task.call();
                    });
            running.add(future);
            Thread.ofPlatform().daemon().name(name + "-" + running.size()).start(future);
        }
        List<T> results = new ArrayList<>();
        Exception failure = null;
        for (FutureTask<T> future : running) {
            try {
                results.add(future.get());
            } catch (ExecutionException failed) {
                Exception cause = failed.getCause() instanceof Exception e ? e : failed;
                if (failure == null) {
                    failure = cause;
                } else {
                    failure.addSuppressed(cause);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        return results;
    }
}
