package org.starling.store.internal.replica;

import org.starling.net.NativeMemory;
import org.starling.store.internal.log.EntryCursor;
import org.starling.store.internal.log.EntryLayout;
import org.starling.store.internal.log.ReplayTarget;

/** Takes the parts of a dump into a replay's target. Stateless but for the target. */
final class DumpTaker {
    /** Content of a dump counts as older than anything that a log may tell later. */
    private static final long POSITION = 1;

    private final ReplayTarget target;

    DumpTaker(ReplayTarget target) {
        this.target = target;
    }

    void take(byte[] entries) {
        long size = Math.max(1, entries.length);
        long address = NativeMemory.reserve(size);
        try {
            NativeMemory.copyFromArray(entries, 0, address, entries.length);
            EntryCursor cursor = new EntryCursor();
            for (long at = address; at < address + entries.length; at += cursor.recordBytes()) {
                cursor.read(at, address + entries.length);
                tell(cursor);
            }
        } finally {
            NativeMemory.release(address, size);
        }
    }

    private void tell(EntryCursor cursor) {
        int first = cursor.index();
        switch (cursor.kind()) {
            case EntryLayout.PUT -> target.put(first, POSITION, cursor.body(), cursor.size(0));
            case EntryLayout.CREATE_UNIFORM ->
                    target.created(first, cursor.count(), cursor.size(0), POSITION);
            case EntryLayout.CREATE_LISTED ->
                    target.createdListed(first, cursor.count(), cursor.body(), POSITION);
            case EntryLayout.SKIP -> {
                if (cursor.client() != EntryLayout.NO_CLIENT) {
                    target.executed(
                            cursor.client(), cursor.sequence(), first, cursor.count(), POSITION);
                }
            }
            default ->
                    throw new IllegalArgumentException(
                            "a record of kind " + cursor.kind() + " in a dump");
        }
    }
}
