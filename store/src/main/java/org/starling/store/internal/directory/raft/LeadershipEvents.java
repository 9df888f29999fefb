package org.starling.store.internal.directory.raft;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Tells listeners in order when this replica begins and ceases to lead, on a thread of its own, so
 * that none of them can hold an election up. All state is confined to that thread.
 */
final class LeadershipEvents implements AutoCloseable {
    private static final Logger LOG = LogManager.getLogger(LeadershipEvents.class);

    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(task -> {
                Thread events = new Thread(task, "directory-leadership");
                events.setDaemon(true);
                return events;
            });
    private final List<Consumer<Boolean>> listeners = new ArrayList<>();
    private boolean leads;

    /** From any thread: this replica leads, or does not. */
    void changed(boolean nowLeads) {
        run(() -> {
            if (leads != nowLeads) {
                leads = nowLeads;
                listeners.forEach(listener -> tell(listener, nowLeads));
            }
        });
    }

    void add(Consumer<Boolean> listener) {
        run(() -> {
            listeners.add(listener);
            if (leads) {
                tell(listener, true);
            }
        });
    }

    /** Says that this replica leads no more, and ends. */
    @Override
    public void close() {
        changed(false);
        thread.shutdown();
    }

    private void run(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("a change of leadership after the end is not told");
        }
    }

    private static void tell(Consumer<Boolean> listener, boolean leads) {
        try {
            listener.accept(leads);
        } catch (RuntimeException e) {
            LOG.error("a listener to the directory's leadership has failed", e);
        }
    }
}
