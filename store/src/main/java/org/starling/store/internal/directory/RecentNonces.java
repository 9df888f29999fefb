package org.starling.store.internal.directory;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What the last commands with a nonce made, so that a repeated command makes it once. Keeps {@link
 * #MAX_REMEMBERED} in the order in which they came; part of the directory's state. Nonce 0 is never
 * remembered.
 */
final class RecentNonces {
    /** Commands whose repetition is recognised. */
    static final int MAX_REMEMBERED = 1024;

    /** Nonce to id, oldest first. */
    private final LinkedHashMap<Long, Long> ids = new LinkedHashMap<>();

    OptionalLong idOf(long nonce) {
        Long id = ids.get(nonce);
        return id == null ? OptionalLong.empty() : OptionalLong.of(id);
    }

    void remember(long nonce, long id) {
        if (nonce == 0) {
            return;
        }
        ids.putLast(nonce, id);
        if (ids.size() > MAX_REMEMBERED) {
            ids.pollFirstEntry();
        }
    }

    Map<Long, Long> oldestFirst() {
        return ids;
    }
}
