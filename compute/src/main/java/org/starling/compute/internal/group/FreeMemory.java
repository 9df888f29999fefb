package org.starling.compute.internal.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Memory that this process could still take: what its machine has left or, if that is less, its
 * container.
 *
 * <p>Files that lie in memory only as long as nobody needs it count as free, as the kernel counts
 * them. Where the system does not tell, what the Java heap may have. Stateless; any thread; some 50
 * µs.
 */
final class FreeMemory {
    private static final String MACHINE = "proc/meminfo";
    private static final String GROUP = "sys/fs/cgroup/";
    private static final String OLD_GROUP = "sys/fs/cgroup/memory/";

    private final Path root;

    /** Looks at this machine. */
    FreeMemory() {
        this(Path.of("/"));
    }

    /** Looks at files below some folder. */
    FreeMemory(Path root) {
        this.root = root;
    }

    /** Bytes; never negative. */
    long bytes() {
        long free = number(MACHINE, "MemAvailable:", -1) << 10;
        free = free < 0 ? Runtime.getRuntime().maxMemory() : free;
        free =
                Math.min(
                        free,
                        left(
                                number(GROUP + "memory.max", "", -1),
                                number(GROUP + "memory.current", "", 0),
                                number(GROUP + "memory.stat", "inactive_file ", 0)));
        free =
                Math.min(
                        free,
                        left(
                                number(OLD_GROUP + "memory.limit_in_bytes", "", -1),
                                number(OLD_GROUP + "memory.usage_in_bytes", "", 0),
                                number(OLD_GROUP + "memory.stat", "total_inactive_file ", 0)));
        return free;
    }

    private static long left(long limit, long used, long reclaimable) {
        return limit < 0 ? Long.MAX_VALUE : Math.max(0, limit - Math.max(0, used - reclaimable));
    }

    /** The number behind a key at the beginning of a line; {@code otherwise} if there is none. */
    private long number(String file, String key, long otherwise) {
        Path path = root.resolve(file);
        try {
            List<String> lines = Files.isReadable(path) ? Files.readAllLines(path) : List.of();
            for (String line : lines) {
                String digits = line.startsWith(key) ? line.replaceAll("\\D", "") : "";
                if (!digits.isEmpty()) {
                    return Long.parseLong(digits);
                }
            }
            return otherwise;
        } catch (IOException | NumberFormatException untold) {
            return otherwise;
        }
    }
}
