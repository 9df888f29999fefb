package org.starling.benchmarks.studies.calls;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a process has used up so far, or between two moments.
 *
 * @param collections garbage collections
 * @param allocatedBytes bytes taken on the Java heap by all threads
 * @param processorNanos processor time of all threads
 */
public record Cost(long collections, long allocatedBytes, long processorNanos) {

    /** Nothing. */
    static final Cost NONE = new Cost(0, 0, 0);

    private static final ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /** Of this process, since it started. */
    public static Cost soFar() {
        long collections =
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                        .sum();
        return new Cost(
                collections, THREADS.getTotalThreadAllocatedBytes(), SYSTEM.getProcessCpuTime());
    }

    /** What came after {@code before}. */
    public Cost since(Cost before) {
        return new Cost(
                collections - before.collections,
                allocatedBytes - before.allocatedBytes,
                processorNanos - before.processorNanos);
    }

    /** Both together. */
    public Cost plus(Cost other) {
        return new Cost(
                collections + other.collections,
                allocatedBytes + other.allocatedBytes,
                processorNanos + other.processorNanos);
    }
}
