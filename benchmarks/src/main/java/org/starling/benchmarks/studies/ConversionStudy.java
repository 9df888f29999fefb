package org.starling.benchmarks.studies;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.benchmarks.harness.Comparison;
import org.starling.benchmarks.harness.Contest;
import org.starling.benchmarks.harness.Study;
import org.starling.benchmarks.harness.Table;
import org.starling.benchmarks.harness.Trial;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.net.NativeMemory;

/** Arrays of {@code long} to native memory and back into another array, in both byte orders. */
final class ConversionStudy implements Study {
    private static final int[] BYTES = {64, 8 << 10, 100 << 10};

    /** Between two looks at the clock. */
    private static final int STEP_BYTES = 1 << 20;

    /** There and back. */
    private static final int DIRECTIONS = 2;

    /** Ways to convert. */
    private enum Way {
        /** As our exporters and importers do: little-endian only. */
        STARLING,

        /** {@link MemorySegment#copy}. */
        SEGMENT,

        /** Views of a {@link ByteBuffer}. */
        BUFFER_VIEW,

        /** Element by element through a {@link ByteBuffer}. */
        BUFFER_LOOP
    }

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
                    Map<String, Trial<Double>> trials = new LinkedHashMap<>();
                    for (Way way : Way.values()) {
                        if (way != Way.STARLING || order.equals(ByteOrder.LITTLE_ENDIAN)) {
                            Conversion conversion = new Conversion(way, address, bytes, order);
                            trials.put(word(way), conversion::measure);
                        }
                    }
                    rows.add(
                            List.of(order.toString(), bytes),
                            series.run("%d bytes, %s".formatted(bytes, order), trials));
                }
            }
        } finally {
            NativeMemory.release(address, capacity);
        }
        return rows.table();
    }

    private static String word(Way way) {
        return way.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** An array on its way to native memory and back into another one. */
    private static final class Conversion {
        private final Way way;
        private final long address;
        private final MemorySegment segment;
        private final ByteBuffer buffer;
        private final ValueLayout.OfLong layout;
        private final ByteOrder order;
        private final long[] from;
        private final long[] to;

        Conversion(Way way, long address, int bytes, ByteOrder order) {
            this.way = way;
            this.address = address;
            this.segment = NativeMemory.segment(address, bytes);
            this.buffer = segment.asByteBuffer().order(order);
            this.layout = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order);
            this.order = order;
            this.from = new long[bytes / Long.BYTES];
            this.to = new long[from.length];
            Arrays.setAll(from, i -> i * 0x9E3779B97F4A7C15L);
        }

        /** Writes and reads again and again; gigabytes per second, both directions counted. */
        double measure(Duration time) {
            segment.fill((byte) 0);
            int times = (int) Math.max(1, STEP_BYTES / segment.byteSize());
            long conversions = 0;
            long begin = System.nanoTime();
            long nanos;
            do {
                for (int i = 0; i < times; i++) {
                    write();
                    read();
                }
                conversions += times;
                nanos = System.nanoTime() - begin;
            } while (nanos < time.toNanos());
            if (!isRight()) {
                throw new WrongResultException(
                        "bytes through %s are not what went in".formatted(word(way)));
            }
            return (double) DIRECTIONS * segment.byteSize() * conversions / nanos;
        }

        private void write() {
            switch (way) {
                case STARLING -> NativeMemory.copyFromArray(from, 0, address, from.length);
                case SEGMENT -> MemorySegment.copy(from, 0, segment, layout, 0, from.length);
                case BUFFER_VIEW -> buffer.asLongBuffer().put(from);
                case BUFFER_LOOP -> {
                    for (int i = 0; i < from.length; i++) {
                        buffer.putLong(i * Long.BYTES, from[i]);
                    }
                }
            }
        }

        private void read() {
            switch (way) {
                case STARLING -> NativeMemory.copyToArray(address, to, 0, to.length);
                case SEGMENT -> MemorySegment.copy(segment, layout, 0, to, 0, to.length);
                case BUFFER_VIEW -> buffer.asLongBuffer().get(to);
                case BUFFER_LOOP -> {
                    for (int i = 0; i < to.length; i++) {
                        to[i] = buffer.getLong(i * Long.BYTES);
                    }
                }
            }
        }

        /** Whether both arrays are the same, and the bytes between them are in the right order. */
        private boolean isRight() {
            boolean right = Arrays.equals(from, to);
            for (int i = 0; i < from.length && right; i++) {
                for (int b = 0; b < Long.BYTES; b++) {
                    int place = order.equals(ByteOrder.BIG_ENDIAN) ? Long.BYTES - 1 - b : b;
                    byte expected = (byte) (from[i] >>> (Byte.SIZE * place));
                    right &= NativeMemory.getByte(address + (long) i * Long.BYTES + b) == expected;
                }
            }
            return right;
        }
    }
}
