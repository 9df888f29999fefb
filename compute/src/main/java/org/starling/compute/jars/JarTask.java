package org.starling.compute.jars;

import java.io.IOException;
import java.util.function.Supplier;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.net.NetException;
import org.starling.store.StoreException;

/**
 * A task of a jar: its class loader is the thread's context while it is called, and whatever it
 * throws is the job's failure, not a bug of ours.
 */
final class JarTask implements Task {
    private final Task task;
    private final ClassLoader loader;
    private final TaskSignature signature;

    /** Asks the task for its signature, once. */
    JarTask(Task task, ClassLoader loader) {
        this.task = task;
        this.loader = loader;
        this.signature = within(loader, task::signature);
    }

    /** Class of the task itself. */
    Class<?> type() {
        return task.getClass();
    }

    @Override
    public TaskSignature signature() {
        return signature;
    }

    @Override
    public void check(Parameters arguments) {
        try {
            within(
                    loader,
                    () -> {
                        task.check(arguments);
                        return true;
                    });
        } catch (InvalidInputException refused) {
            throw refused;
        } catch (RuntimeException | LinkageError | StackOverflowError broken) {
            throw new InvalidInputException(
                    "the check of %s can't be done: %s".formatted(type().getName(), broken));
        }
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader earlier = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return task.run(context, arguments);
        } catch (InvalidInputException
                | JobFailedException
                | JobCancelledException
                | StoreException
                | NetException told) {
            throw told;
        } catch (RuntimeException | LinkageError | StackOverflowError | OutOfMemoryError broken) {
            throw new JobFailedException(broken.toString(), broken);
        } finally {
            thread.setContextClassLoader(earlier);
        }
    }

    /** Does something with a class loader as its thread's context. */
    static <R> R within(ClassLoader loader, Supplier<R> work) {
        Thread thread = Thread.currentThread();
        ClassLoader earlier = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return work.get();
        } finally {
            thread.setContextClassLoader(earlier);
        }
    }
}
