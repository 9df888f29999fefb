package org.starling.store.internal.chunk;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starling.net.NativeMemory;

/** A change log that keeps what it is told, in order, and can tell what must be left of it. */
class RecordedLog implements ChangeLog {
    /** One change. */
    sealed interface Change {
        /** Who asked for it. */
        WriteTag tag();
    }

    record Written(long id, List<Byte> value, WriteTag tag) implements Change {}

    record Gone(long first, int count, WriteTag tag) implements Change {}

    record Made(long first, List<Integer> sizes, WriteTag tag) implements Change {}

    /** Guarded by {@link #order}. */
    private final List<Change> changes = new ArrayList<>();

    private final Object order = new Object();

    @Override
    public long written(long id, long payloadAddress, int bytes, WriteTag tag) {
        return add(new Written(id, bytesAt(payloadAddress, bytes), tag));
    }

    @Override
    public long removed(long first, int count, WriteTag tag) {
        return add(new Gone(first, count, tag));
    }

    @Override
    public long created(long first, Sizes sizes, WriteTag tag) {
        List<Integer> lengths = new ArrayList<>();
        for (int i = 0; i < sizes.count(); i++) {
            lengths.add(sizes.bytes(i));
        }
        return add(new Made(first, lengths, tag));
    }

    @Override
    public boolean isPending(long id) {
        return false;
    }

    @Override
    public long position() {
        return changes().size();
    }

    long add(Change change) {
        synchronized (order) {
            changes.add(change);
            return changes.size();
        }
    }

    List<Change> changes() {
        synchronized (order) {
            return List.copyOf(changes);
        }
    }

    /**
     * What the zone holds after all changes, one after the other.
     *
     * @throws IllegalStateException if they cannot have happened in this order
     */
    Map<Long, List<Byte>> replayed() {
        return replayed(changes());
    }

    static Map<Long, List<Byte>> replayed(List<Change> changes) {
        Map<Long, List<Byte>> chunks = new TreeMap<>();
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            switch (change) {
                case Written written ->
                        check(chunks.replace(written.id, written.value) != null, i, change);
                case Gone gone -> {
                    for (long id = gone.first; id < gone.first + gone.count; id++) {
                        check(chunks.remove(id) != null, i, change);
                    }
                }
                case Made made -> {
                    for (int j = 0; j < made.sizes.size(); j++) {
                        List<Byte> zeros = boxed(new byte[made.sizes.get(j)]);
                        check(chunks.put(made.first + j, zeros) == null, i, change);
                    }
                }
            }
        }
        return chunks;
    }

    /** What a zone of a store holds. */
    static Map<Long, List<Byte>> contentOf(LocalChunks chunks, long zone) {
        Map<Long, List<Byte>> content = new TreeMap<>();
        chunks.forEach(
                zone,
                0,
                (id, address, bytes) -> {
                    content.put(id, bytesAt(address, bytes));
                    return true;
                });
        return content;
    }

    static List<Byte> boxed(byte[] value) {
        List<Byte> boxed = new ArrayList<>(value.length);
        for (byte b : value) {
            boxed.add(b);
        }
        return boxed;
    }

    private static List<Byte> bytesAt(long address, int bytes) {
        byte[] value = new byte[bytes];
        NativeMemory.copyToArray(address, value, 0, bytes);
        return boxed(value);
    }

    private static void check(boolean isPossible, int position, Change change) {
        if (!isPossible) {
            throw new IllegalStateException("impossible change " + position + ": " + change);
        }
    }

    /** The seeded bug: changes are logged when the operation has left its chunk. */
    static final class AfterTheFact extends RecordedLog {
        private final ThreadLocal<List<Change>> held = ThreadLocal.withInitial(ArrayList::new);

        @Override
        long add(Change change) {
            held.get().add(change);
            return 0;
        }

        /** Logs what the operation of this thread did. */
        @SuppressWarnings("ThreadPriorityCheck") // gives the others a chance to come in between
        void afterOperation() {
            Thread.yield();
            List<Change> mine = held.get();
            mine.forEach(super::add);
            mine.clear();
        }
    }

    /** Throws changes away; for timing and for zones whose log does not matter. */
    static final class Nowhere implements ChangeLog {
        @Override
        public long written(long id, long payloadAddress, int bytes, WriteTag tag) {
            return 1;
        }

        @Override
        public long removed(long first, int count, WriteTag tag) {
            return 1;
        }

        @Override
        public long created(long first, Sizes sizes, WriteTag tag) {
            return 1;
        }

        @Override
        public boolean isPending(long id) {
            return false;
        }

        @Override
        public long position() {
            return 1;
        }
    }

    static final ChangeLog NOWHERE = new Nowhere();
}
