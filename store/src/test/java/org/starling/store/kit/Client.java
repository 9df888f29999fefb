package org.starling.store.kit;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
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
    private static final int MILLION = 1_000_000;

    /**
     * How it goes.
     *
     * @param pauseNanos how long a client waits between two operations
     * @param removesPerMillion how many of a million operations are removes, which end a chunk
     * @param mayBeAway whether so many nodes are away at times that no copy of a chunk is left
     */
    record Pace(long pauseNanos, int removesPerMillion, boolean mayBeAway) {
        /** For those that do single operations. */
        Pace byHand() {
            return new Pace(0, 0, mayBeAway);
        }
    }

    private final Supplier<StoreNode> node;
    private final long[] chunks;
    private final History history;
    private final AtomicLong values;
    private final Random random;
    private final Pace pace;
    private final BooleanSupplier goesOn;

    // read by the loop after the thread has ended
    private long acknowledged;
    private long open;
    private long failed;
    private volatile long busySinceNanos;
    private volatile String lastFailure = "";

    /**
     * A client.
     *
     * @param goesOn asked before each
     */
    Client(
            Supplier<StoreNode> node,
            long[] chunks,
            History history,
            AtomicLong values,
            long seed,
            Pace pace,
            BooleanSupplier goesOn) {
        this.node = node;
        this.chunks = chunks;
        this.history = history;
        this.values = values;
        this.random = new Random(seed);
        this.pace = pace;
        this.goesOn = goesOn;
    }

    @Override
    public void run() {
        while (goesOn.getAsBoolean()) {
            long chunk = chunks[random.nextInt(chunks.length)];
            int dice = random.nextInt(MILLION);
            Operation.Kind kind = Operation.Kind.READ;
            if (dice < pace.removesPerMillion) {
                kind = Operation.Kind.REMOVE;
            } else if (dice < MILLION / 2) {
                kind = Operation.Kind.WRITE;
            }
            boolean _ = operate(kind, chunk);
            if (pace.pauseNanos > 0) {
                LockSupport.parkNanos(pace.pauseNanos);
            }
        }
    }

    /**
     * One operation; what came of it is in the history.
     *
     * @return whether there was an answer
     */
    boolean operate(Operation.Kind kind, long chunk) {
        long value = kind == Operation.Kind.WRITE ? values.incrementAndGet() : Operation.ABSENT;
        long begin = System.nanoTime();
        busySinceNanos = begin;
        try {
            long seen = carriedOut(kind, chunk, value);
            history.add(new Operation(chunk, kind, seen, begin, System.nanoTime()));
            acknowledged++;
            return true;
        } catch (ChunkNotFoundException e) {
            // A write or remove that finds nothing is a look that finds nothing.
            history.add(
                    new Operation(
                            chunk,
                            Operation.Kind.READ,
                            Operation.ABSENT,
                            begin,
                            System.nanoTime()));
            return true;
        } catch (IndeterminateException e) {
            open++;
            lastFailure = String.valueOf(e.getMessage());
            if (kind != Operation.Kind.READ) {
                history.add(new Operation(chunk, kind, value, begin, Operation.NEVER));
            }
        } catch (DataLostException e) {
            failed++;
            lastFailure = String.valueOf(e.getMessage());
            if (!pace.mayBeAway) {
                history.add(
                        new Operation(chunk, Operation.Kind.READ, KillLoop.LOST, begin, begin + 1));
            }
        } catch (StoreException e) {
            failed++;
            lastFailure = String.valueOf(e.getMessage());
        } finally {
            busySinceNanos = 0;
        }
        return false;
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
