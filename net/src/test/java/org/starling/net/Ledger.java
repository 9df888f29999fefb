package org.starling.net;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What one node sends to another under test, and the books of what has arrived. Item {@code i} is
 * drawn from the seed and {@code i} on both sides, so the receiver knows every byte it must see: a
 * raw block, a small or large message handled ORDERED or a request that is answered with a digest.
 *
 * <p>The sender is one thread. {@code errors} may be added to by any thread, {@code seen} is
 * guarded by its own lock, the last items are confined to the receiving thread and to the ordered
 * lane.
 */
final class Ledger {

    /** How an item travels. */
    private enum Way {
        RAW,
        MESSAGE,
        LARGE_MESSAGE,
        REQUEST
    }

    private static final int RAW_TYPE = 7;
    private static final int LARGE_BYTES = 24 << 10;
    private static final int SMALL_BYTES = 600;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(4);

    private final long seed;
    private final int source;
    private final int target;
    private final BitSet seen = new BitSet();
    private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
    private final AtomicInteger losses = new AtomicInteger();
    private volatile String lastLoss = "none";
    private int lastRaw = -1;
    private int lastMessage = -1;

    Ledger(long seed, int source, int target) {
        this.seed = seed * 31 + source * 65_537L + target;
        this.source = source;
        this.target = target;
    }

    // ---- the receiver
    // -----------------------------------------------------------------------------------------

    /** Registers the handlers of a node for all that is sent to it. */
    static void receive(Network network, List<Ledger> ledgers) {
        network.handleRaw(
                RAW_TYPE,
                (source, address, bytes) -> {
                    byte[] content = new byte[bytes];
                    NativeMemory.copyToArray(address, content, 0, bytes);
                    from(ledgers, source, network.nodeId()).raw(content);
                });
        network.handle(
                Text.TYPE,
                Execution.ORDERED,
                (source, m) -> from(ledgers, source, network.nodeId()).message(m));
        network.serve(
                Ask.TYPE,
                Execution.WORKER,
                (source, q) -> from(ledgers, source, network.nodeId()).request(q));
    }

    private static Ledger from(List<Ledger> ledgers, int source, int target) {
        return ledgers.stream()
                .filter(l -> l.source == source && l.target == target)
                .findAny()
                .orElseThrow(() -> new IllegalStateException("node " + source + " is unknown"));
    }

    private void raw(byte[] content) {
        int item = content.length < 4 ? -1 : littleEndianInt(content);
        note(item, Way.RAW, content, content(item, content.length));
        if (item <= lastRaw) {
            errors.add("raw " + item + " after " + lastRaw);
        }
        lastRaw = item;
    }

    private void message(Text message) {
        byte[] content = new byte[message.text().length()];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) message.text().charAt(i);
        }
        note(
                message.number(),
                way(message.number()),
                content,
                letters(content(message.number(), content.length)));
        if (message.number() <= lastMessage) {
            errors.add("message " + message.number() + " after " + lastMessage);
        }
        lastMessage = message.number();
    }

    private Text request(Ask ask) {
        if (ask.number() < 0) {
            return new Text(ask.number(), ""); // not in the books
        }
        note(ask.number(), Way.REQUEST, ask.load(), content(ask.number(), ask.load().length));
        return new Text(ask.number(), digest(ask.load()));
    }

    private void note(int item, Way way, byte[] content, byte[] expected) {
        if (item < 0 || way(item) != way || content.length != bytes(item)) {
            errors.add("no item: " + way + " " + item + " of " + content.length + " bytes");
        } else if (!Arrays.equals(content, expected)) {
            errors.add("wrong bytes in " + way + " " + item);
        }
        synchronized (seen) {
            if (item >= 0 && seen.get(item)) {
                errors.add(way + " " + item + " came twice");
            } else if (item >= 0) {
                seen.set(item);
            }
        }
    }

    // ---- the sender
    // -------------------------------------------------------------------------------------------

    /**
     * Sends items {@code from} to {@code until}; an item that can't be sent because the node is
     * lost is sent again, as nothing of it has arrived, and requests that fail are not repeated.
     *
     * @return the requests under way
     */
    List<CompletableFuture<?>> send(Network network, int from, int until) {
        RawSender raw = network.raw(target);
        List<CompletableFuture<?>> requests = Collections.synchronizedList(new ArrayList<>());
        for (int item = from; item < until; item++) {
            boolean isSent = false;
            while (!isSent) {
                try {
                    send(network, raw, item, requests);
                    isSent = true;
                } catch (NodeLostException e) {
                    losses.incrementAndGet();
                    lastLoss = String.valueOf(e.getMessage());
                }
            }
        }
        raw.flush();
        return requests;
    }

    private void send(
            Network network, RawSender raw, int item, List<CompletableFuture<?>> requests) {
        byte[] content = content(item, bytes(item));
        switch (way(item)) {
            case RAW -> {
                NativeMemory.copyFromArray(
                        content, 0, raw.claim(RAW_TYPE, content.length), content.length);
                raw.commit();
            }
            case MESSAGE, LARGE_MESSAGE ->
                    network.send(target, new Text(item, text(letters(content))));
            case REQUEST ->
                    requests.add(
                            network.request(target, new Ask(item, content), REQUEST_TIMEOUT)
                                    .thenAccept(answer -> check(answer, item, content)));
        }
    }

    private void check(Text answer, int item, byte[] content) {
        if (answer.number() != item || !answer.text().equals(digest(content))) {
            errors.add("wrong answer to request " + item + ": " + answer);
        }
    }

    // ---- the books
    // --------------------------------------------------------------------------------------------

    int source() {
        return source;
    }

    int target() {
        return target;
    }

    /** What was wrong. */
    List<String> errors() {
        return List.copyOf(errors);
    }

    /** Times that the sender was told of a loss. */
    int losses() {
        return losses.get();
    }

    /** Runs of items that are missing before the last one that has arrived. */
    int missingRuns() {
        synchronized (seen) {
            int until = seen.length();
            int runs = 0;
            boolean isMissing = false;
            for (int i = 0; i < until; i++) {
                if (!seen.get(i) && !isMissing) {
                    runs++;
                }
                isMissing = !seen.get(i);
            }
            return runs;
        }
    }

    /** Whether all items from one to the other have arrived. */
    boolean hasAll(int from, int until) {
        synchronized (seen) {
            return seen.nextClearBit(from) >= until;
        }
    }

    @Override
    public String toString() {
        synchronized (seen) {
            return source
                    + " to "
                    + target
                    + ": "
                    + seen.cardinality()
                    + " arrived, first missing "
                    + seen.nextClearBit(0)
                    + ", losses "
                    + losses()
                    + " (the last one: "
                    + lastLoss
                    + "), errors "
                    + errors;
        }
    }

    // ---- items
    // ------------------------------------------------------------------------------------------------

    private Way way(int item) {
        int draw = new Random(seed + item).nextInt(100);
        if (draw < 60) {
            return Way.RAW;
        }
        return draw < 85 ? Way.MESSAGE : draw < 90 ? Way.LARGE_MESSAGE : Way.REQUEST;
    }

    private int bytes(int item) {
        Random random = new Random(seed + item);
        random.nextInt(100);
        return 4 + random.nextInt(way(item) == Way.LARGE_MESSAGE ? LARGE_BYTES : SMALL_BYTES);
    }

    /** The item's number, then what is drawn for it. */
    private byte[] content(int item, int bytes) {
        byte[] content = new byte[bytes];
        new Random(~seed + item).nextBytes(content);
        for (int i = 0; i < 4 && i < bytes; i++) {
            content[i] = (byte) (item >>> (8 * i));
        }
        return content;
    }

    private static byte[] letters(byte[] content) {
        byte[] letters = new byte[content.length];
        for (int i = 0; i < content.length; i++) {
            letters[i] = (byte) ('!' + ((content[i] & 0xFF) % 90));
        }
        return letters;
    }

    private static String text(byte[] letters) {
        return new String(letters, StandardCharsets.US_ASCII);
    }

    private static String digest(byte[] content) {
        return Integer.toHexString(Arrays.hashCode(content));
    }

    private static int littleEndianInt(byte[] bytes) {
        return (bytes[0] & 0xFF)
                | (bytes[1] & 0xFF) << 8
                | (bytes[2] & 0xFF) << 16
                | bytes[3] << 24;
    }
}
