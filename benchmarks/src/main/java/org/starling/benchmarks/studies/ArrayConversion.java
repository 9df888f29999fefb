package org.starling.benchmarks.studies;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.starling.net.NativeMemory;

/**
 * An array of one primitive type on its way to native memory and back into another array, in each
 * way that Java offers. Confined to one thread.
 */
sealed interface ArrayConversion {

    /** The types. */
    enum ElementType {
        INT,
        LONG,
        DOUBLE
    }

    /** Ways to convert. */
    enum Way {
        /** As our exporters and importers do: little-endian only. */
        STARLING,
        /** {@link MemorySegment#copy}. */
        SEGMENT,
        /** Views of a {@link ByteBuffer}. */
        BUFFER_VIEW,
        /** Element by element through a {@link ByteBuffer}. */
        BUFFER_LOOP
    }

    /** An array of so many bytes. */
    static ArrayConversion of(ElementType type, int bytes) {
        return switch (type) {
            case INT -> new Ints(bytes / Integer.BYTES);
            case LONG -> new Longs(bytes / Long.BYTES);
            case DOUBLE -> new Doubles(bytes / Double.BYTES);
        };
    }

    /** Writes the first array. */
    void write(Way way, Region region);

    /** Reads into the second array. */
    void read(Way way, Region region);

    /** Whether both arrays are the same, and the region holds what the first one says. */
    boolean isRight(Region region);

    /** Native memory in one byte order. */
    record Region(long address, MemorySegment segment, ByteBuffer buffer, ByteOrder order) {

        /** All of a segment. */
        static Region of(MemorySegment segment, ByteOrder order) {
            return new Region(
                    segment.address(), segment, segment.asByteBuffer().order(order), order);
        }

        /** Compares an element's bytes, one by one, with what its bits must give. */
        boolean holds(int index, int elementBytes, long bits) {
            for (int i = 0; i < elementBytes; i++) {
                int place = order.equals(ByteOrder.BIG_ENDIAN) ? elementBytes - 1 - i : i;
                byte expected = (byte) (bits >>> (Byte.SIZE * place));
                if (NativeMemory.getByte(address + (long) index * elementBytes + i) != expected) {
                    return false;
                }
            }
            return true;
        }
    }

    /** {@code int[]}. */
    final class Ints implements ArrayConversion {
        private final int[] from;
        private final int[] to;

        private Ints(int count) {
            from = new int[count];
            to = new int[count];
            Arrays.setAll(from, i -> i * 0x9E3779B9);
        }

        @Override
        public void write(Way way, Region region) {
            switch (way) {
                case STARLING -> NativeMemory.copyFromArray(from, 0, region.address(), from.length);
                case SEGMENT ->
                        MemorySegment.copy(
                                from,
                                0,
                                region.segment(),
                                ValueLayout.JAVA_INT_UNALIGNED.withOrder(region.order()),
                                0,
                                from.length);
                case BUFFER_VIEW -> region.buffer().asIntBuffer().put(from);
                case BUFFER_LOOP -> {
                    for (int i = 0; i < from.length; i++) {
                        region.buffer().putInt(i * Integer.BYTES, from[i]);
                    }
                }
            }
        }

        @Override
        public void read(Way way, Region region) {
            switch (way) {
                case STARLING -> NativeMemory.copyToArray(region.address(), to, 0, to.length);
                case SEGMENT ->
                        MemorySegment.copy(
                                region.segment(),
                                ValueLayout.JAVA_INT_UNALIGNED.withOrder(region.order()),
                                0,
                                to,
                                0,
                                to.length);
                case BUFFER_VIEW -> region.buffer().asIntBuffer().get(to);
                case BUFFER_LOOP -> {
                    for (int i = 0; i < to.length; i++) {
                        to[i] = region.buffer().getInt(i * Integer.BYTES);
                    }
                }
            }
        }

        @Override
        public boolean isRight(Region region) {
            boolean right = Arrays.equals(from, to);
            for (int i = 0; i < from.length && right; i++) {
                right = region.holds(i, Integer.BYTES, from[i]);
            }
            return right;
        }
    }

    /** {@code long[]}. */
    final class Longs implements ArrayConversion {
        private final long[] from;
        private final long[] to;

        private Longs(int count) {
            from = new long[count];
            to = new long[count];
            Arrays.setAll(from, i -> i * 0x9E3779B97F4A7C15L);
        }

        @Override
        public void write(Way way, Region region) {
            switch (way) {
                case STARLING -> NativeMemory.copyFromArray(from, 0, region.address(), from.length);
                case SEGMENT ->
                        MemorySegment.copy(
                                from,
                                0,
                                region.segment(),
                                ValueLayout.JAVA_LONG_UNALIGNED.withOrder(region.order()),
                                0,
                                from.length);
                case BUFFER_VIEW -> region.buffer().asLongBuffer().put(from);
                case BUFFER_LOOP -> {
                    for (int i = 0; i < from.length; i++) {
                        region.buffer().putLong(i * Long.BYTES, from[i]);
                    }
                }
            }
        }

        @Override
        public void read(Way way, Region region) {
            switch (way) {
                case STARLING -> NativeMemory.copyToArray(region.address(), to, 0, to.length);
                case SEGMENT ->
                        MemorySegment.copy(
                                region.segment(),
                                ValueLayout.JAVA_LONG_UNALIGNED.withOrder(region.order()),
                                0,
                                to,
                                0,
                                to.length);
                case BUFFER_VIEW -> region.buffer().asLongBuffer().get(to);
                case BUFFER_LOOP -> {
                    for (int i = 0; i < to.length; i++) {
                        to[i] = region.buffer().getLong(i * Long.BYTES);
                    }
                }
            }
        }

        @Override
        public boolean isRight(Region region) {
            boolean right = Arrays.equals(from, to);
            for (int i = 0; i < from.length && right; i++) {
                right = region.holds(i, Long.BYTES, from[i]);
            }
            return right;
        }
    }

    /** {@code double[]}. */
    final class Doubles implements ArrayConversion {
        private final double[] from;
        private final double[] to;

        private Doubles(int count) {
            from = new double[count];
            to = new double[count];
            Arrays.setAll(from, i -> 1 / (i + Math.PI));
        }

        @Override
        public void write(Way way, Region region) {
            switch (way) {
                case STARLING -> NativeMemory.copyFromArray(from, 0, region.address(), from.length);
                case SEGMENT ->
                        MemorySegment.copy(
                                from,
                                0,
                                region.segment(),
                                ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(region.order()),
                                0,
                                from.length);
                case BUFFER_VIEW -> region.buffer().asDoubleBuffer().put(from);
                case BUFFER_LOOP -> {
                    for (int i = 0; i < from.length; i++) {
                        region.buffer().putDouble(i * Double.BYTES, from[i]);
                    }
                }
            }
        }

        @Override
        public void read(Way way, Region region) {
            switch (way) {
                case STARLING -> NativeMemory.copyToArray(region.address(), to, 0, to.length);
                case SEGMENT ->
                        MemorySegment.copy(
                                region.segment(),
                                ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(region.order()),
                                0,
                                to,
                                0,
                                to.length);
                case BUFFER_VIEW -> region.buffer().asDoubleBuffer().get(to);
                case BUFFER_LOOP -> {
                    for (int i = 0; i < to.length; i++) {
                        to[i] = region.buffer().getDouble(i * Double.BYTES);
                    }
                }
            }
        }

        @Override
        public boolean isRight(Region region) {
            boolean right = Arrays.equals(from, to);
            for (int i = 0; i < from.length && right; i++) {
                right = region.holds(i, Double.BYTES, Double.doubleToRawLongBits(from[i]));
            }
            return right;
        }
    }
}
