package org.starling.store.kit;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.DataLostException;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * One client thread: writes unique values, reads and now and then removes chunks, one operation
 * after the other, and reports each to the history. An operation that fails without being
 * indeterminate has not happened, by the store's word.
 */
final class Client implements Runnable {
    private static final int VALUE_BYTES = 48;

    private final Supplier<StoreNode> node;
    private final long[] chunks;
    private final History history;
    private final AtomicLong values;
    private final Random random;
    private final long untilNanos;

    // read by the loop after the thread has ended
    private long acknowledged;
    private long open;
    private long failed;
    private volatile long busySinceNanos;
    private volatile String lastFailure = "";

    Client(
            Supplier<StoreNode> node,
            long[] chunks,
            History history,
            AtomicLong values,
            long seed,
            long untilNanos) {
        this.node = node;
        this.chunks = chunks;
        this.history = history;
        this.values = values;
        this.random = new Random(seed);
        this.untilNanos = untilNanos;
    }

    @Override
    public void run() {
        while (System.nanoTime() - untilNanos < 0) {
            long chunk = chunks[random.nextInt(chunks.length)];
            int dice = random.nextInt(1000);
            Operation.Kind kind =
                    dice < 500
                            ? Operation.Kind.WRITE
                            : dice < 999 ? Operation.Kind.READ : Operation.Kind.REMOVE;
            operate(kind, chunk);
        }
    }

    /** One operation; what came of it is in the history. */
    void operate(Operation.Kind kind, long chunk) {
        long value = kind == Operation.Kind.WRITE ? values.incrementAndGet() : Operation.ABSENT;
        long begin = System.nanoTime();
        busySinceNanos = begin;
        try {
            long seen = carriedOut(kind, chunk, value);
            history.add(new Operation(chunk, kind, seen, begin, System.nanoTime()));
            acknowledged++;
        } catch (ChunkNotFoundException e) {
            // A write or remove that finds nothing is a look that finds nothing.
            history.add(
                    new Operation(
                            chunk,
                            Operation.Kind.READ,
                            Operation.ABSENT,
                            begin,
                            System.nanoTime()));
        } catch (IndeterminateException e) {
            open++;
            lastFailure = String.valueOf(e.getMessage());
            if (kind != Operation.Kind.READ) {
                history.add(new Operation(chunk, kind, value, begin, Operation.NEVER));
            }
        } catch (DataLostException e) {
            lastFailure = "DATA LOST " + e.getMessage();
            history.add(new Operation(chunk, Operation.Kind.READ, KillLoop.LOST, begin, begin + 1));
        } catch (StoreException e) {
            failed++;
            lastFailure = String.valueOf(e.getMessage());
        } finally {
            busySinceNanos = 0;
        }
    }

    private long carriedOut(Operation.Kind kind, long chunk, long value) {
        ChunkService service = node.get().chunks();
        return switch (kind) {
            case WRITE -> {
                byte[] bytes = new byte[VALUE_BYTES + random.nextInt(VALUE_BYTES)];
                ByteBuffer.wrap(bytes).putLong(value);
                service.put(chunk, bytes);
                yield value;
            }
            case REMOVE -> {
                service.remove(chunk);
                yield Operation.ABSENT;
            }
            case READ -> {
                byte[] bytes = service.get(chunk);
                yield bytes.length < Long.BYTES
                        ? Operation.ABSENT
                        : ByteBuffer.wrap(bytes).getLong();
            }
        };
    }

    long acknowledged() {
        return acknowledged;
    }

    long open() {
        return open;
    }

    long failed() {
        return failed;
    }

    /** When the running operation began; 0 if none runs. */
    long busySinceNanos() {
        return busySinceNanos;
    }

    String lastFailure() {
        return lastFailure;
    }
}
