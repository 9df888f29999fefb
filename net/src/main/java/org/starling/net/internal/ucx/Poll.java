package org.starling.net.internal.ucx;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.starling.net.NativeMemory;

/**
 * The C library's {@code poll} on one file descriptor, as {@code struct pollfd}.
 *
 * <pre>
 *   0            4        6          8
 *   +------------+--------+----------+
 *   | descriptor | events | returned |
 *   +------------+--------+----------+
 * </pre>
 */
@SuppressWarnings("restricted") // --enable-native-access is given at start
final class Poll {

    static final int BYTES = 8;

    /** Something can be read. */
    private static final short POLLIN = 1;

    private static final MethodHandle POLL =
            Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker().defaultLookup().find("poll").orElseThrow(),
                            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    private Poll() {}

    static void write(long address, int descriptor) {
        NativeMemory.putInt(address, descriptor);
        NativeMemory.putShort(address + 4, POLLIN);
        NativeMemory.putShort(address + 6, (short) 0);
    }

    /**
     * Waits until there is something to read, or the time is over, or for no reason at all; whether
     * it was the first.
     */
    static boolean await(long address, int timeoutMillis) {
        try {
            return (int) POLL.invokeExact(address, 1L, timeoutMillis) > 0;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
