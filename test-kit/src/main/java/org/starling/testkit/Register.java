package org.starling.testkit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Parameters;

/**
 * Objects of this process that travel to its peers by number, until they are forgotten.
 * Thread-safe.
 */
final class Register<T> {
    private static final String KEY = "testkit.number";

    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, T> known = new ConcurrentHashMap<>();

    /** Parameters that lead to this object. */
    Parameters named(T object) {
        long number = numbers.incrementAndGet();
        known.put(number, object);
        return Parameters.of(KEY, number);
    }

    /** The object that parameters lead to; null if there is none. */
    @Nullable T find(Parameters parameters) {
        return known.get(parameters.integer(KEY));
    }

    /** Forgets an object. */
    void forget(Parameters parameters) {
        known.remove(parameters.integer(KEY));
    }
}
