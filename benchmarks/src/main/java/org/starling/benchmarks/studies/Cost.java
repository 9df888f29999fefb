package org.starling.benchmarks.studies;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process has used up so far, or between two moments.
 *
 * @param collections garbage collections
 * @param allocatedBytes bytes taken on the Java heap by all threads
 * @param processorNanos processor time of all threads
 */
record Cost(long collections, long allocatedBytes, long processorNanos) {

    private static final ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    static Cost soFar() {
        long collections =
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(collector -> collector.getCollectionCount())
                        .sum();
        return new Cost(
                collections, THREADS.getTotalThreadAllocatedBytes(), SYSTEM.getProcessCpuTime());
    }

    Cost since(Cost before) {
        return new Cost(
                collections - before.collections,
                allocatedBytes - before.allocatedBytes,
                processorNanos - before.processorNanos);
    }
}
