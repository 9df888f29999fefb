package org.starling.net;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Native memory by absolute address; the only class of the project that touches raw memory.
 *
 * <p>Plain access is unaligned and little-endian. Atomic access ({@code Acquire}, {@code Release},
 * {@code Volatile}, compare-and-set) demands natural alignment and fails with {@link
 * IllegalArgumentException} otherwise. No access is checked against the region it falls in: a wrong
 * address ends the process or, worse, does not. Whoever reserves a region owns it and releases it
 * once.
 *
 * <p>Thread-safe. Plain access costs what a field access costs; {@link #reserve} and {@link
 * #release} are system calls.
 */
@SuppressWarnings(
        "restricted") // it is the one place for that: --enable-native-access is given at start
public final class NativeMemory {

    /** Size of a memory page in bytes; reservations are whole pages. */
    public static final int PAGE_BYTES = 4096;

    /** Reservations of at least this many bytes ask the kernel for huge pages. */
    public static final long HUGE_PAGE_THRESHOLD_BYTES = 4L << 20;

    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SINGLE_BYTE = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle ALIGNED_INT =
            JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final VarHandle ALIGNED_LONG =
            JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    /**
     * Whether released regions stay mapped without any right to access them, so that their
     * addresses are never used again and a late access ends the process at once instead of reading
     * somebody else's memory. For tests and for hunts; set by a system property.
     */
    private static final boolean KEEPS_RELEASED_UNREADABLE =
            Boolean.getBoolean("starling.net.keepReleasedUnreadable");

    private static final int PROT_NONE = 0;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x02 | 0x20 | 0x4000;
    private static final int MAP_FIXED = 0x10;
    private static final int MADV_DONTNEED = 4;
    private static final int MADV_HUGEPAGE = 14;
    private static final long MAP_FAILED = -1L;

    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            CALL_STATE.varHandle(StructLayout.PathElement.groupElement("errno"));
    private static final MethodHandle MMAP =
            bind(
                    "mmap",
                    FunctionDescriptor.of(
                            JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
                    Linker.Option.captureCallState("errno"));
    private static final MethodHandle MUNMAP =
            bind("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MADVISE =
            bind("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    private static final AtomicLong RESERVED_BYTES = new AtomicLong();

    private NativeMemory() {}

    // ---- regions

    /**
     * Reserves zeroed memory; pages become real when first touched.
     *
     * @param bytes wanted size, rounded up to whole pages
     * @return page-aligned address of the first byte
     * @throws OutOfMemoryError when the kernel refuses; the message carries its error number
     */
    public static long reserve(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("bytes must be positive, found " + bytes);
        }
        long size = pageAligned(bytes);
        long address =
                map(MemorySegment.NULL, size, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE);
        if (size >= HUGE_PAGE_THRESHOLD_BYTES) {
            advise(address, size, MADV_HUGEPAGE);
        }
        RESERVED_BYTES.addAndGet(size);
        return address;
    }

    /** Gives a region back; {@code address} and {@code bytes} are those of {@link #reserve}. */
    public static void release(long address, long bytes) {
        long size = pageAligned(bytes);
        if (KEEPS_RELEASED_UNREADABLE) {
            map(
                    MemorySegment.ofAddress(address),
                    size,
                    PROT_NONE,
                    MAP_PRIVATE_ANONYMOUS_NORESERVE | MAP_FIXED);
            RESERVED_BYTES.addAndGet(-size);
            return;
        }
        try {
            int result = (int) MUNMAP.invokeExact(address, size);
            if (result != 0) {
                throw new IllegalArgumentException(
                        "cannot release " + size + " bytes at 0x" + Long.toHexString(address));
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        RESERVED_BYTES.addAndGet(-size);
    }

    /**
     * Turns whole pages back into untouched zero pages and gives the memory behind them to the
     * system.
     *
     * @param address page-aligned start
     * @param bytes a multiple of {@link #PAGE_BYTES}
     */
    public static void discard(long address, long bytes) {
        if (((address | bytes) & (PAGE_BYTES - 1)) != 0 || bytes < 0) {
            throw new IllegalArgumentException(
                    "not whole pages: " + bytes + " bytes at 0x" + Long.toHexString(address));
        }
        if (bytes > 0 && !advise(address, bytes, MADV_DONTNEED)) {
            throw new IllegalArgumentException(
                    "cannot discard " + bytes + " bytes at 0x" + Long.toHexString(address));
        }
    }

    /** Bytes reserved by this process and not yet released; tests compare it before and after. */
    public static long reservedBytes() {
        return RESERVED_BYTES.get();
    }

    /** A segment over a region; its life time is not checked. */
    public static MemorySegment segment(long address, long bytes) {
        return ALL.asSlice(address, bytes);
    }

    // ---- plain access

    public static byte getByte(long address) {
        return ALL.get(BYTE, address);
    }

    public static void putByte(long address, byte value) {
        ALL.set(BYTE, address, value);
    }

    public static short getShort(long address) {
        return ALL.get(SHORT, address);
    }

    public static void putShort(long address, short value) {
        ALL.set(SHORT, address, value);
    }

    public static int getInt(long address) {
        return ALL.get(INT, address);
    }

    public static void putInt(long address, int value) {
        ALL.set(INT, address, value);
    }

    public static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    public static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }

    public static float getFloat(long address) {
        return ALL.get(FLOAT, address);
    }

    public static void putFloat(long address, float value) {
        ALL.set(FLOAT, address, value);
    }

    public static double getDouble(long address) {
        return ALL.get(DOUBLE, address);
    }

    public static void putDouble(long address, double value) {
        ALL.set(DOUBLE, address, value);
    }

    // ---- atomic access (naturally aligned)

    public static byte getByteAcquire(long address) {
        return (byte) SINGLE_BYTE.getAcquire(ALL, address);
    }

    public static void putByteRelease(long address, byte value) {
        SINGLE_BYTE.setRelease(ALL, address, value);
    }

    public static int getIntVolatile(long address) {
        return (int) ALIGNED_INT.getVolatile(ALL, address);
    }

    public static boolean compareAndSetInt(long address, int expected, int value) {
        return ALIGNED_INT.compareAndSet(ALL, address, expected, value);
    }

    public static int getAndAddInt(long address, int delta) {
        return (int) ALIGNED_INT.getAndAdd(ALL, address, delta);
    }

    public static long getLongVolatile(long address) {
        return (long) ALIGNED_LONG.getVolatile(ALL, address);
    }

    public static void putLongRelease(long address, long value) {
        ALIGNED_LONG.setRelease(ALL, address, value);
    }

    public static boolean compareAndSetLong(long address, long expected, long value) {
        return ALIGNED_LONG.compareAndSet(ALL, address, expected, value);
    }

    public static long getAndAddLong(long address, long delta) {
        return (long) ALIGNED_LONG.getAndAdd(ALL, address, delta);
    }

    public static long getAndBitwiseOrLong(long address, long mask) {
        return (long) ALIGNED_LONG.getAndBitwiseOr(ALL, address, mask);
    }

    public static long getAndBitwiseAndLong(long address, long mask) {
        return (long) ALIGNED_LONG.getAndBitwiseAnd(ALL, address, mask);
    }

    // ---- runs of bytes

    /** Copies {@code bytes} bytes; the runs may overlap. */
    public static void copy(long from, long to, long bytes) {
        MemorySegment.copy(ALL, from, ALL, to, bytes);
    }

    /** Copies {@code count} bytes from memory into {@code to[index..]}. */
    public static void copyToArray(long from, byte[] to, int index, int count) {
        MemorySegment.copy(ALL, BYTE, from, to, index, count);
    }

    /** Copies {@code count} ints from memory into {@code to[index..]}. */
    public static void copyToArray(long from, int[] to, int index, int count) {
        MemorySegment.copy(ALL, INT, from, to, index, count);
    }

    /** Copies {@code count} longs from memory into {@code to[index..]}. */
    public static void copyToArray(long from, long[] to, int index, int count) {
        MemorySegment.copy(ALL, LONG, from, to, index, count);
    }

    /** Copies {@code from[index..index+count)} into memory. */
    public static void copyFromArray(byte[] from, int index, long to, int count) {
        MemorySegment.copy(from, index, ALL, BYTE, to, count);
    }

    /** Copies {@code from[index..index+count)} into memory. */
    public static void copyFromArray(int[] from, int index, long to, int count) {
        MemorySegment.copy(from, index, ALL, INT, to, count);
    }

    /** Copies {@code from[index..index+count)} into memory. */
    public static void copyFromArray(long[] from, int index, long to, int count) {
        MemorySegment.copy(from, index, ALL, LONG, to, count);
    }

    /** Sets {@code bytes} bytes to {@code value}. */
    public static void fill(long address, long bytes, byte value) {
        ALL.asSlice(address, bytes).fill(value);
    }

    // ---- private

    private static long pageAligned(long bytes) {
        return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
    }

    private static long map(MemorySegment at, long size, int rights, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            long address = (long) MMAP.invokeExact(state, at, size, rights, flags, -1, 0L);
            if (address == MAP_FAILED) {
                throw new OutOfMemoryError(
                        "cannot reserve %s bytes of native memory (errno %s)"
                                .formatted(size, ERRNO.get(state, 0L)));
            }
            return address;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean advise(long address, long bytes, int advice) {
        try {
            return (int) MADVISE.invokeExact(address, bytes, advice) == 0;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle bind(
            String function, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        MemorySegment symbol =
                linker.defaultLookup()
                        .find(function)
                        .orElseThrow(() ->
                                new IllegalStateException(
                                        "the C library has no function " + function));
        return linker.downcallHandle(symbol, descriptor, options);
    }
}
