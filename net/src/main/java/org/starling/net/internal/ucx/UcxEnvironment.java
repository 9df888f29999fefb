package org.starling.net.internal.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Map;

/**
 * What UCX must find in the C environment when it is loaded, because it reads some settings in its
 * library constructor. A variable that the user has set stays. Java's own view of the environment,
 * and so that of child processes, does not change.
 */
@SuppressWarnings("restricted") // --enable-native-access is given at start
final class UcxEnvironment {

    private static final Map<String, String> SETTINGS =
            Map.of(
                    // Its handlers of SIGSEGV and others would take the virtual machine's place,
                    // which needs these signals in daily work; that of SIGHUP the shutdown hook's.
                    "UCX_HANDLE_ERRORS", "none",
                    "UCX_ERROR_SIGNALS", "",
                    "UCX_DEBUG_SIGNO", "0",
                    // Standard output belongs to results; failures come back as statuses.
                    "UCX_LOG_FILE", "stderr",
                    "UCX_LOG_LEVEL", "fatal",
                    "UCX_WARN_UNUSED_ENV_VARS", "n");

    private static final int KEEP = 0;

    private UcxEnvironment() {}

    /** To be called before the library is loaded; again, it does nothing. */
    static void prepare() {
        Linker linker = Linker.nativeLinker();
        MemorySegment function = linker.defaultLookup().find("setenv").orElseThrow();
        MethodHandle setenv =
                linker.downcallHandle(
                        function, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            for (Map.Entry<String, String> setting : SETTINGS.entrySet()) {
                MemorySegment name = arena.allocateFrom(setting.getKey());
                MemorySegment value = arena.allocateFrom(setting.getValue());
                if ((int) setenv.invokeExact(name, value, KEEP) != 0) {
                    throw new IllegalStateException("setenv refuses " + setting);
                }
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
