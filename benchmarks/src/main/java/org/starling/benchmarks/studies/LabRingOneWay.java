package org.starling.benchmarks.studies;

import java.util.List;
import org.starling.net.NativeMemory;

/** Messages through a {@link LabRing} to a thread of its own. */
@SuppressWarnings("ThreadPriorityCheck") // as senders that wait for room do it
final class LabRingOneWay implements OneWay {

    private static final int RING_BYTES = 1 << 20;

    private final LabRing ring;
    private final Arrivals arrivals = new Arrivals();
    private final Thread consumer;
    private volatile boolean closed;

    LabRingOneWay(LabRing.Commit commit) {
        ring = new LabRing(RING_BYTES, commit);
        consumer = Thread.ofPlatform().name("ring-consumer").daemon().start(this::consume);
    }

    private void consume() {
        try (ring) {
            while (!closed) {
                if (ring.drain(this::take) == 0) {
                    Thread.yield();
                }
            }
        }
    }

    /** The content begins with the mark and the length of the message. */
    private void take(long frame) {
        long content = frame + LabRing.HEADER_BYTES;
        arrivals.take(NativeMemory.getLong(content), NativeMemory.getInt(content + Long.BYTES));
    }

    @Override
    public Sender sender(int member) {
        return new Blocks(ring);
    }

    @Override
    public List<Arrivals> arrivals() {
        return List.of(arrivals);
    }

    @Override
    public void close() {
        closed = true;
        try {
            consumer.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // the consumer gives the ring back in any case
        }
    }

    /** Claims, writes all of the message, commits. */
    private record Blocks(LabRing ring) implements Sender {
        @Override
        public void send(long number, int bytes) {
            if (bytes < Long.BYTES + Integer.BYTES) {
                throw new IllegalArgumentException("mark and length do not fit in " + bytes);
            }
            long position = ring.claim(bytes);
            while (position == LabRing.FULL) {
                Thread.yield();
                position = ring.claim(bytes);
            }
            long content = ring.content(position, bytes);
            NativeMemory.fill(content, bytes, (byte) number);
            NativeMemory.putLong(content, number);
            NativeMemory.putInt(content + Long.BYTES, bytes);
            ring.commit(position, bytes);
        }

        @Override
        public void flush() {
            // the consumer looks all the time
        }
    }
}
