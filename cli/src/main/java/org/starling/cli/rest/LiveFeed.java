package org.starling.cli.rest;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.Metric;
import org.starling.compute.cluster.NodeMonitor;
import org.starling.compute.script.JsonText;

/**
 * Looks at the cluster while somebody watches, and writes into a {@link LiveState} what it sees:
 * one look for all who watch, on a thread of its own, which ends when nobody does. Any thread;
 * guarded by its lock.
 */
final class LiveFeed {
    private static final Logger LOG = LogManager.getLogger(LiveFeed.class);

    /** Pages that are told at once. */
    static final int MAX_WATCHERS = 64;

    /** From one look at jobs to the next. */
    static final Duration TICK = Duration.ofMillis(250);

    /** Ticks from one look at the members to the next. */
    private static final int MEMBERS = 2;

    /** The same for what asks every node, and for graphs. */
    private static final int SLOW = 8;

    private final ClusterService service;
    private final NodeMonitor monitor;
    private final LiveState state = new LiveState();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasEnded = lock.newCondition();
    private int watchers;
    private boolean looking;

    /** What the thread that looks has logged last: a failure comes again with each look. */
    private String logged = "";

    /** Of the thread that looks, and of the next one when that has ended. */
    private final JobEnds ends;

    LiveFeed(ClusterService service, NodeMonitor monitor) {
        this.service = service;
        this.monitor = monitor;
        this.ends = new JobEnds(service::report);
    }

    LiveState state() {
        return state;
    }

    /** Somebody watches from now on; false if there are too many. */
    boolean watch() {
        lock.lock();
        try {
            if (watchers == MAX_WATCHERS) {
                return false;
            }
            watchers++;
            if (!looking) {
                looking = true;
                Thread.ofVirtual().name("page-feed").start(this::look);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** And not any more. */
    void unwatch() {
        lock.lock();
        try {
            watchers--;
            hasEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void look() {
        boolean isDone = false;
        logged = "";
        try {
            for (int tick = 0; !isDone; tick++) {
                lookOnce(tick);
                pause();
                isDone = !isWatched();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            if (!isDone) {
                giveUp();
            }
        }
    }

    /** An error has ended it while pages watch: they hear so, and the next one begins anew. */
    private void giveUp() {
        lock.lock();
        try {
            say("this superpeer does not look at the cluster any more; load the page again");
            looking = false;
        } finally {
            lock.unlock();
        }
    }

    private boolean isWatched() {
        lock.lock();
        try {
            looking = watchers > 0;
            return looking;
        } finally {
            lock.unlock();
        }
    }

    private void pause() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long nanos = TICK.toNanos();
            while (watchers > 0 && nanos > 0) {
                nanos = hasEnded.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** What can't be told now stays as it was, and the page hears why. */
    private void lookOnce(int tick) {
        String trouble = "";
        try {
            jobs();
            if (tick % MEMBERS == 0) {
                state.set("cluster", Map.of("cluster", JsonText.write(service.status().tree())));
            }
            if (tick % SLOW == 0) {
                nodes();
                graphs();
                state.set(
                        "recoveries",
                        Map.of("recoveries", JsonText.write(service.recoveries().tree())));
            }
        } catch (ClusterException down) {
            trouble = String.valueOf(down.getMessage());
        } catch (RuntimeException bug) {
            trouble = "internal error: " + bug;
            if (!trouble.equals(logged)) {
                LOG.error("the page's view of the cluster failed", bug);
                logged = trouble;
            }
        }
        say(trouble);
    }

    private void say(String trouble) {
        state.set(
                "trouble",
                trouble.isEmpty() ? Map.of() : Map.of("trouble", JsonText.write(trouble)));
    }

    private void jobs() {
        state.set("job/", ends.tell(service.jobs()));
    }

    private void nodes() {
        Map<String, String> nodes = new TreeMap<>();
        service.networks()
                .forEach(node -> nodes.put("node/" + node.node(), JsonText.write(node.tree())));
        state.set("node/", nodes);
        Map<String, Object> own = new TreeMap<>();
        for (Metric metric : monitor.metrics()) {
            List<Metric.Sample> samples = metric.samples();
            if (samples.size() == 1 && metric.kind() == Metric.Kind.GAUGE) {
                own.put(metric.name(), samples.getFirst().value());
            }
        }
        state.set("own", Map.of("own", JsonText.write(own)));
    }

    private void graphs() {
        Map<String, String> graphs = new TreeMap<>();
        service.graphs()
                .forEach(
                        graph -> graphs.put("graph/" + graph.name(), JsonText.write(graph.tree())));
        state.set("graph/", graphs);
    }
}
