package org.starling.benchmarks.studies;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.benchmarks.harness.Comparison;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.net.NativeMemory;

/** Arrays of {@code long} to native memory and back into another array, in both byte orders. */
final class ConversionStudy implements Study {
    private static final int[] BYTES = {64, 8 << 10, 100 << 10};

    /** Between two looks at the clock. */
    private static final int STEP_BYTES = 1 << 20;

    @Override
    public String name() {
        return "conversion";
    }

    @Override
    public String question() {
        return "How fast do arrays become bytes and bytes arrays, in both byte orders?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        Comparison<Double> rows =
                new Comparison<>(
                        List.of("order", "bytes"),
                        "gigabytesPerSecond",
                        rate -> rate,
                        List.of(),
                        rates -> List.of());
        int capacity = BYTES[BYTES.length - 1];
        long address = NativeMemory.reserve(capacity);
        try {
            for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                Contest series = contest.fresh();
                for (int bytes : contest.scale().points(BYTES)) {
                    Conversion conversion = new Conversion(address, bytes, order);
                    rows.add(
                            List.of(order.toString(), bytes),
                            series.run(
                                    "%d bytes, %s".formatted(bytes, order), conversion.trials()));
                }
            }
        } finally {
            NativeMemory.release(address, capacity);
        }
        return rows.table();
    }

    /** An array on its way to native memory and back into another one. */
    private static final class Conversion {
        private final long address;
        private final ByteOrder order;
        private final MemorySegment segment;
        private final ByteBuffer buffer;
        private final ValueLayout.OfLong layout;
        private final long[] from;
        private final long[] to;

        Conversion(long address, int bytes, ByteOrder order) {
            this.address = address;
            this.order = order;
            this.segment = NativeMemory.segment(address, bytes);
            this.buffer = segment.asByteBuffer().order(order);
            this.layout = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order);
            this.from = new long[bytes / Long.BYTES];
            this.to = new long[from.length];
            Arrays.setAll(from, i -> i * 0x9E3779B97F4A7C15L);
        }

        /**
         * Our exporters and importers write little-endian only, so they are in half of the cells.
         */
        Map<String, Contest.Trial<Double>> trials() {
            Map<String, Contest.Trial<Double>> trials = new LinkedHashMap<>();
            if (order.equals(ByteOrder.LITTLE_ENDIAN)) {
                trials.put("starling", time -> measure(time, this::throughOurs));
            }
            trials.put("segment", time -> measure(time, this::throughSegment));
            trials.put("buffer-view", time -> measure(time, this::throughView));
            trials.put("buffer-loop", time -> measure(time, this::throughLoop));
            return trials;
        }

        /** Writes and reads again and again; gigabytes per second, both directions counted. */
        private double measure(Duration time, Runnable thereAndBack) {
            segment.fill((byte) 0);
            int times = (int) Math.max(1, STEP_BYTES / segment.byteSize());
            long conversions = 0;
            long begin = System.nanoTime();
            long nanos;
            do {
                for (int i = 0; i < times; i++) {
                    thereAndBack.run();
                }
                conversions += times;
                nanos = System.nanoTime() - begin;
            } while (nanos < time.toNanos());
            if (!isRight()) {
                throw new WrongResultException("bytes, or an array made of them, are wrong");
            }
            return 2.0 * segment.byteSize() * conversions / nanos;
        }

        private void throughOurs() {
            NativeMemory.copyFromArray(from, 0, address, from.length);
            NativeMemory.copyToArray(address, to, 0, to.length);
        }

        private void throughSegment() {
            MemorySegment.copy(from, 0, segment, layout, 0, from.length);
            MemorySegment.copy(segment, layout, 0, to, 0, to.length);
        }

        private void throughView() {
            buffer.asLongBuffer().put(from);
            buffer.asLongBuffer().get(to);
        }

        private void throughLoop() {
            for (int i = 0; i < from.length; i++) {
                buffer.putLong(i * Long.BYTES, from[i]);
            }
            for (int i = 0; i < to.length; i++) {
                to[i] = buffer.getLong(i * Long.BYTES);
            }
        }

        /** Whether both arrays are the same, and the bytes between them are in the right order. */
        private boolean isRight() {
            boolean right = Arrays.equals(from, to);
            for (int i = 0; i < from.length && right; i++) {
                long little = NativeMemory.getLong(address + (long) i * Long.BYTES);
                long expected =
                        order.equals(ByteOrder.BIG_ENDIAN) ? Long.reverseBytes(from[i]) : from[i];
                right = little == expected;
            }
            return right;
        }
    }
}
