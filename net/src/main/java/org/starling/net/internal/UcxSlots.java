package org.starling.net.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ends of connections by the key that stands in active messages. A key is never given twice, so
 * a late message of a closed connection finds nothing. Confined to the receiving thread; a lookup
 * is two array accesses.
 */
final class UcxSlots<T> {

    /** A key is a serial number in the upper and an index in the lower 32 bits. */
    private record Entry<T>(long key, T value) {}

    private final List<@Nullable Entry<T>> entries = new ArrayList<>();
    private long serial;

    /** Puts a value in; returns its key. */
    long add(T value) {
        int index = entries.indexOf(null);
        if (index < 0) {
            index = entries.size();
            entries.add(null);
        }
        serial++;
        long key = serial << 32 | index;
        entries.set(index, new Entry<>(key, value));
        return key;
    }

    @Nullable T get(long key) {
        int index = (int) key;
        if (index < 0 || index >= entries.size()) {
            return null;
        }
        Entry<T> entry = entries.get(index);
        return entry == null || entry.key() != key ? null : entry.value();
    }

    void remove(long key) {
        if (get(key) != null) {
            entries.set((int) key, null);
        }
    }

    List<T> values() {
        List<T> values = new ArrayList<>();
        for (Entry<T> entry : entries) {
            if (entry != null) {
                values.add(entry.value());
            }
        }
        return values;
    }
}
