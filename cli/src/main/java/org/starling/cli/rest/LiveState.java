package org.starling.cli.rest;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is known now, by name, each with the version in which it has changed last. So whoever knows
 * a version needs nothing but what has a later one, a slow one skips what is in between, and nobody
 * needs a queue. Any thread; guarded by its lock.
 */
final class LiveState {
    /** Most names of things that are gone; with more, those who know old versions begin anew. */
    static final int MAX_GONE = 4096;

    /**
     * What has changed, or all.
     *
     * @param version what whoever knows it is at
     * @param whole whether it is all
     * @param changed values as JSON by name; null for what is gone
     */
    record News(long version, boolean whole, Map<String, @Nullable String> changed) {
        boolean isEmpty() {
            return !whole && changed.isEmpty();
        }
    }

    private record Value(String json, long version) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasChanged = lock.newCondition();
    private final Map<String, Value> values = new TreeMap<>();
    private final LinkedHashMap<String, Long> gone = new LinkedHashMap<>();

    /** Tells versions of this process from those of others. */
    private final String epoch = Long.toHexString(new SecureRandom().nextLong());

    private long version = 1;

    /** Who is at an older version does not hear of all that is gone. */
    private long oldest;

    /**
     * Says what there is now of one kind: names with that prefix that are not among them are gone.
     */
    void set(String prefix, Map<String, String> now) {
        lock.lock();
        try {
            long next = version + 1;
            boolean changed = false;
            for (Map.Entry<String, String> one : now.entrySet()) {
                Value known = values.get(one.getKey());
                if (known == null || !known.json().equals(one.getValue())) {
                    values.put(one.getKey(), new Value(one.getValue(), next));
                    gone.remove(one.getKey());
                    changed = true;
                }
            }
            Set<String> lost = new HashSet<>();
            for (String name : values.keySet()) {
                if (name.startsWith(prefix) && !now.containsKey(name)) {
                    lost.add(name);
                }
            }
            for (String name : lost) {
                values.remove(name);
                gone.putLast(name, next);
                changed = true;
            }
            while (gone.size() > MAX_GONE) {
                oldest = gone.pollFirstEntry().getValue();
            }
            if (changed) {
                version = next;
                hasChanged.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** For the id of an event. */
    String id(long at) {
        return epoch + "." + at;
    }

    /** The version of an id; -1 if it is none of this process, so that all has to be told. */
    long version(@Nullable String id) {
        String own = epoch + ".";
        if (id == null || !id.startsWith(own)) {
            return -1;
        }
        try {
            return Long.parseLong(id.substring(own.length()));
        } catch (NumberFormatException strange) {
            return -1;
        }
    }

    /** What is new since a version; all if that is unknown. */
    News since(long known) {
        lock.lock();
        try {
            boolean whole = known < oldest || known < 1 || known > version;
            Map<String, @Nullable String> changed = new LinkedHashMap<>();
            if (!whole) {
                gone.forEach((name, at) -> {
                    if (at > known) {
                        changed.put(name, null);
                    }
                });
            }
            values.forEach((name, value) -> {
                if (whole || value.version() > known) {
                    changed.put(name, value.json());
                }
            });
            return new News(version, whole, changed);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there is something newer, or some time has gone by. */
    void await(long known, Duration patience) throws InterruptedException {
        long nanos = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (version == known && nanos > 0) {
                nanos = hasChanged.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }
}
