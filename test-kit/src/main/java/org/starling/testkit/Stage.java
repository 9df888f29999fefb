package org.starling.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import org.starling.compute.testing.TestCluster;

/**
 * The clusters that trials run on: started when the first trial needs them, kept for the next ones,
 * and closed with the process. One trial at a time: whoever holds {@link #LOCK}.
 */
final class Stage {
    /** System property that gives back the seed of a failure. */
    static final String SEED = "starling.seed";

    static final ReentrantLock LOCK = new ReentrantLock();

    private static final long CHOSEN = Long.getLong(SEED, new Random().nextInt(1 << 20));
    private static final Map<Key, TestCluster> CLUSTERS = new HashMap<>();

    private record Key(int peers, Variant.Delivery delivery, boolean survives) {}

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Stage::closeAll, "testkit-close"));
    }

    private Stage() {}

    /** What delays of messages are drawn from, and what graphs grow by. */
    static long seed() {
        return CHOSEN;
    }

    /** The cluster of a variant. */
    static TestCluster cluster(Variant variant) {
        return CLUSTERS.computeIfAbsent(key(variant), Stage::start);
    }

    /** Closes the cluster of a variant, of which nobody knows what state it is in. */
    static void discard(Variant variant) {
        TestCluster cluster = CLUSTERS.remove(key(variant));
        if (cluster != null) {
            cluster.close();
        }
    }

    private static Key key(Variant variant) {
        return new Key(variant.peers(), variant.delivery(), variant.lostAfter() > 0);
    }

    private static TestCluster start(Key key) {
        if (key.survives) {
            return TestCluster.thatSurvives(key.peers);
        }
        return TestCluster.start(
                key.peers,
                key.delivery == Variant.Delivery.SHUFFLED
                        ? OptionalLong.of(CHOSEN)
                        : OptionalLong.empty());
    }

    private static void closeAll() {
        List<Thread> closing = new ArrayList<>();
        CLUSTERS.values()
                .forEach(cluster -> closing.add(Thread.ofPlatform().start(cluster::close)));
        for (Thread thread : closing) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
