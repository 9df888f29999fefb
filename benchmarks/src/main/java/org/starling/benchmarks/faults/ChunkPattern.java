package org.starling.benchmarks.faults;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * What each chunk of a bench holds: bytes made of its number, so that a chunk with another one's
 * bytes, with zeros, or cut short is found out. Stateless.
 */
final class ChunkPattern {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private ChunkPattern() {}

    /** The value of the chunk with a number, from 0; a new array. */
    static byte[] value(long number, int bytes) {
        byte[] value = new byte[bytes];
        long state = (number + 1) * STEP;
        int at = 0;
        for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
            LONG.set(value, at, mixed(state));
            state += STEP;
        }
        long last = mixed(state);
        for (; at < bytes; at++) {
            value[at] = (byte) last;
            last >>>= Byte.SIZE;
        }
        return value;
    }

    /** Whether a chunk holds what it should. */
    static boolean isRight(long number, int bytes, byte[] found) {
        return Arrays.equals(value(number, bytes), found);
    }

    /** The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
    private static long mixed(long state) {
        long z = state;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
