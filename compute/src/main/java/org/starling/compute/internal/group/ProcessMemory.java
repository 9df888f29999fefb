package org.starling.compute.internal.group;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Memory of this process as the operating system counts it. */
public final class ProcessMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path MEMORY = Path.of("/proc/meminfo");

    private ProcessMemory() {}

    /**
     * Largest resident size so far, in bytes; where the system does not tell, what the Java heap
     * has.
     */
    public static long peakResidentBytes() {
        return kilobytes(STATUS, "VmHWM:", Runtime.getRuntime().totalMemory());
    }

    /**
     * Memory of the machine in bytes, or of the container if that has a limit; where the system
     * does not tell, what the Java heap may have.
     */
    public static long machineBytes() {
        long machine = kilobytes(MEMORY, "MemTotal:", Runtime.getRuntime().maxMemory());
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                        && system.getTotalMemorySize() > 0
                ? Math.min(machine, system.getTotalMemorySize())
                : machine;
    }

    private static long kilobytes(Path file, String key, long otherwise) {
        try {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            for (String line : lines) {
                if (line.startsWith(key)) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << 10;
                }
            }
            return otherwise;
        } catch (IOException e) {
            return otherwise;
        }
    }
}
