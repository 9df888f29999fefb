package org.starling.net.internal.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a context of UCX has taken: each transport with its device, as in {@code tcp/eth0}. UCX
 * tells it as text for people only, line by line; lines of another form are passed over. Immutable.
 *
 * @param names transports with devices, in UCX's order
 */
@SuppressWarnings("restricted") // --enable-native-access is given at start
record UcxResources(List<String> names) {

    private static final Pattern LINE =
            Pattern.compile("^#\\s+resource \\d+\\s*:.*\\s(\\S+/\\S+)\\s*$", Pattern.MULTILINE);

    private static final Linker LINKER = Linker.nativeLinker();

    UcxResources {
        names = List.copyOf(names);
    }

    /** Those of a context; costs a few calls of the C library. */
    static UcxResources of(Ucp ucp, long context) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(ADDRESS);
            MemorySegment bytes = arena.allocate(ADDRESS);
            MemorySegment file =
                    (MemorySegment)
                            handle("open_memstream", ADDRESS, ADDRESS, ADDRESS)
                                    .invokeExact(buffer, bytes);
            if (file.address() == 0) {
                throw new OutOfMemoryError("no memory for what UCX has to say");
            }
            ucp.contextPrintInfo(context, file.address());
            int _ = (int) handle("fclose", JAVA_INT, ADDRESS).invokeExact(file);
            MemorySegment text = buffer.get(ADDRESS, 0);
            try {
                return parse(Ucp.text(text.address()));
            } finally {
                LINKER.downcallHandle(
                                LINKER.defaultLookup().findOrThrow("free"),
                                FunctionDescriptor.ofVoid(ADDRESS))
                        .invokeExact(text);
            }
        } catch (Throwable e) {
            throw Ucp.rethrown(e);
        }
    }

    static UcxResources parse(String text) {
        return new UcxResources(LINE.matcher(text).results().map(found -> found.group(1)).toList());
    }

    /** Whether a transport uses a device of that name. */
    boolean hasDevice(String device) {
        return names.stream().anyMatch(name -> name.endsWith("/" + device));
    }

    @Override
    public String toString() {
        return names.isEmpty() ? "nothing" : String.join(" ", names);
    }

    private static MethodHandle handle(
            String function, MemoryLayout result, MemoryLayout... parameters) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(function),
                FunctionDescriptor.of(result, parameters));
    }
}
