package org.starling.store.internal.replica;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.starling.store.internal.chunk.WriteTag;

/**
 * Which operations of which client a zone has executed, so that a retry takes effect once: the last
 * {@value #WINDOW} sequence numbers of each client. An older one is neither known as executed nor
 * as new, and is refused. Clients that are gone are forgotten ({@link GoneClients}). Thread-safe,
 * guarded by itself. About 28 bytes per operation kept.
 */
final class TagTable {
    /** Sequence numbers of a client that are told apart. */
    static final int WINDOW = 4096;

    private static final int FIRST_SLOTS = 64;

    /** Takes what is in the table. */
    @FunctionalInterface
    interface Visitor {
        void visit(int client, long sequence, Executed executed);
    }

    /**
     * The operations of one client by the low bits of their numbers; 0 positions are free slots.
     */
    private static final class Client {
        private long[] sequences = new long[FIRST_SLOTS];
        private long[] positions = new long[FIRST_SLOTS];
        private long[] firsts = new long[FIRST_SLOTS];
        private int[] counts = new int[FIRST_SLOTS];
        private long newest = Long.MIN_VALUE;

        private int slot(long sequence) {
            return (int) sequence & (sequences.length - 1);
        }

        private boolean isTooOld(long sequence) {
            return newest != Long.MIN_VALUE && sequence <= newest - WINDOW;
        }

        private @Nullable Executed find(long sequence) {
            int slot = slot(sequence);
            return positions[slot] == 0 || sequences[slot] != sequence
                    ? null
                    : new Executed(positions[slot], firsts[slot], counts[slot]);
        }

        private void put(long sequence, Executed executed) {
            if (isTooOld(sequence)) {
                return;
            }
            newest = Math.max(newest, sequence);
            int slot = slot(sequence);
            while (positions[slot] != 0
                    && sequences[slot] != sequence
                    && !isTooOld(sequences[slot])
                    && sequences.length < WINDOW) {
                grow();
                slot = slot(sequence);
            }
            sequences[slot] = sequence;
            positions[slot] = executed.position();
            firsts[slot] = executed.first();
            counts[slot] = executed.count();
        }

        private void grow() {
            Client wider = new Client();
            int slots = 2 * sequences.length;
            wider.sequences = new long[slots];
            wider.positions = new long[slots];
            wider.firsts = new long[slots];
            wider.counts = new int[slots];
            for (int i = 0; i < sequences.length; i++) {
                if (positions[i] != 0) {
                    wider.put(sequences[i], new Executed(positions[i], firsts[i], counts[i]));
                }
            }
            sequences = wider.sequences;
            positions = wider.positions;
            firsts = wider.firsts;
            counts = wider.counts;
        }
    }

    private final Map<Integer, Client> clients = new HashMap<>();
    private final Map<WriteTag, WriteGuard> running = new HashMap<>();

    /**
     * Asks whether an operation may be carried out.
     *
     * @return a fresh guard, one with what the first execution did or will do, or null if the
     *     operation is too old to tell
     */
    @Nullable WriteGuard admit(WriteTag tag) {
        if (!tag.isPresent()) {
            return new WriteGuard(true, new CompletableFuture<>(), () -> {});
        }
        synchronized (this) {
            Client client = clients.get(tag.client());
            Executed executed = client == null ? null : client.find(tag.sequence());
            if (executed != null) {
                return new WriteGuard(false, CompletableFuture.completedFuture(executed), () -> {});
            }
            WriteGuard first = running.get(tag);
            if (first != null) {
                return new WriteGuard(false, first.first(), () -> {});
            }
            if (client != null && client.isTooOld(tag.sequence())) {
                return null;
            }
            WriteGuard fresh = new WriteGuard(true, new CompletableFuture<>(), () -> ended(tag));
            running.put(tag, fresh);
            return fresh;
        }
    }

    /** An operation has been executed, with its last entry at a position greater than 0. */
    synchronized void executed(int clientId, long sequence, Executed executed) {
        Client client = clients.computeIfAbsent(clientId, id -> new Client());
        Executed known = client.find(sequence);
        if (known == null || known.position() <= executed.position()) {
            client.put(sequence, executed);
        }
    }

    /** Tells all operations kept. */
    synchronized void forEach(Visitor visitor) {
        clients.forEach((id, client) -> {
            for (int i = 0; i < client.sequences.length; i++) {
                if (client.positions[i] != 0 && !client.isTooOld(client.sequences[i])) {
                    visitor.visit(
                            id,
                            client.sequences[i],
                            new Executed(client.positions[i], client.firsts[i], client.counts[i]));
                }
            }
        });
    }

    /** Those of whom operations are kept. */
    synchronized Set<Integer> clients() {
        return Set.copyOf(clients.keySet());
    }

    /** Forgets all operations of a client whose further ones are not let in. */
    synchronized void forget(int client) {
        clients.remove(client);
    }

    private synchronized void ended(WriteTag tag) {
        running.remove(tag);
    }
}
