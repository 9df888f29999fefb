package org.starling.net.internal.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.starling.net.TransportUnavailableException;

/**
 * UCX's shared library: finds it, says where it was found, and if it can't be loaded, why. Loaded
 * once per name and never unloaded. Immutable.
 */
@SuppressWarnings("restricted") // --enable-native-access is given at start
final class UcxLibrary {

    private static final int RTLD_LAZY = 1;
    private static final int MAX_TEXT_BYTES = 4096;

    private static final String INSTEAD =
            "install it (package libucx0 on Debian and Ubuntu, ucx elsewhere) or set \"transport\""
                    + " to \"ethernet\"";

    private final SymbolLookup symbols;
    private final String needed;
    private final String fileName;

    private UcxLibrary(SymbolLookup symbols, String needed, String fileName) {
        this.symbols = symbols;
        this.needed = needed;
        this.fileName = fileName;
    }

    /**
     * Loads it.
     *
     * @param needed the oldest version that serves
     * @param fileName a name that the system's loader searches for, or a path
     * @throws TransportUnavailableException when it can't be loaded; says where it was searched for
     *     and what to do
     */
    static UcxLibrary load(String needed, String fileName) {
        try {
            return new UcxLibrary(
                    SymbolLookup.libraryLookup(fileName, Arena.global()), needed, fileName);
        } catch (IllegalArgumentException e) {
            throw new TransportUnavailableException(
                    "the infiniband transport needs UCX %s or newer, but its library %s can't be loaded from %s (%s); %s"
                            .formatted(needed, fileName, searched(), reason(fileName), INSTEAD),
                    e);
        }
    }

    /**
     * One of its functions.
     *
     * @throws TransportUnavailableException when it has none of that name
     */
    MemorySegment function(String name) {
        return symbols.find(name)
                .orElseThrow(() ->
                        new TransportUnavailableException(
                                "the infiniband transport needs UCX %s or newer, but %s has no function %s; %s"
                                        .formatted(needed, path(), name, INSTEAD)));
    }

    /**
     * Refuses another version than what serves.
     *
     * @param major the only first number that serves
     * @param minor the smallest second number that does
     * @throws TransportUnavailableException when it is another one
     */
    void require(int major, int minor, String version) {
        String[] numbers = version.split("\\.", -1);
        if (numbers.length < 2 || number(numbers[0]) != major || number(numbers[1]) < minor) {
            throw new TransportUnavailableException(
                    "the infiniband transport needs UCX %s or newer, but %s is UCX %s; %s"
                            .formatted(needed, path(), version, INSTEAD));
        }
    }

    /** The file that it was loaded from, or its name if the system does not tell. */
    String path() {
        Optional<MemorySegment> dladdr = Linker.nativeLinker().defaultLookup().find("dladdr");
        Optional<MemorySegment> inside = symbols.find("ucp_get_version_string");
        if (dladdr.isEmpty() || inside.isEmpty()) {
            return fileName;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(4 * ADDRESS.byteSize(), ADDRESS.byteAlignment());
            int found =
                    (int)
                            handle(dladdr.get(), JAVA_INT, ADDRESS, ADDRESS)
                                    .invokeExact(inside.get(), info);
            if (found == 0) {
                return fileName;
            }
            return Path.of(text(info.get(ADDRESS, 0))).toRealPath().toString();
        } catch (IOException gone) {
            return fileName;
        } catch (Throwable e) {
            throw Ucp.rethrown(e);
        }
    }

    private static String searched() {
        String extra = System.getenv("LD_LIBRARY_PATH");
        return (extra == null || extra.isEmpty()
                ? "the folders of the system's loader (LD_LIBRARY_PATH is not set)"
                : "LD_LIBRARY_PATH=%s and the folders of the system's loader".formatted(extra));
    }

    /** What the system's loader says when it is asked again; Java keeps that to itself. */
    private static String reason(String fileName) {
        SymbolLookup system = Linker.nativeLinker().defaultLookup();
        Optional<MemorySegment> dlopen = system.find("dlopen");
        Optional<MemorySegment> dlerror = system.find("dlerror");
        if (dlopen.isEmpty() || dlerror.isEmpty()) {
            return "no reason given";
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(fileName);
            MemorySegment library =
                    (MemorySegment)
                            handle(dlopen.get(), ADDRESS, ADDRESS, JAVA_INT)
                                    .invokeExact(name, RTLD_LAZY);
            MemorySegment error = (MemorySegment) handle(dlerror.get(), ADDRESS).invokeExact();
            return library.address() != 0 || error.address() == 0 ? "no reason given" : text(error);
        } catch (Throwable e) {
            throw Ucp.rethrown(e);
        }
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1; // no version serves
        }
    }

    private static MethodHandle handle(
            MemorySegment function, MemoryLayout result, MemoryLayout... parameters) {
        return Linker.nativeLinker()
                .downcallHandle(function, FunctionDescriptor.of(result, parameters));
    }

    private static String text(MemorySegment pointer) {
        return pointer.reinterpret(MAX_TEXT_BYTES).getString(0, StandardCharsets.UTF_8);
    }
}
