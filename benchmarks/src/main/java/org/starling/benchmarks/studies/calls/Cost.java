package org.starling.benchmarks.studies.calls;

import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a process has used up so far, or between two moments.
 *
 * @param collections garbage collections
 * @param allocatedBytes bytes taken on the Java heap by all threads
 */
record Cost(long collections, long allocatedBytes) {
    /** Nothing. */
    static final Cost NONE = new Cost(0, 0);

    private static final ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    /** Of this process, since it started. */
    static Cost soFar() {
        long collections =
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                        .sum();
        return new Cost(collections, THREADS.getTotalThreadAllocatedBytes());
    }

    /** What came after {@code before}. */
    Cost since(Cost before) {
        return new Cost(collections - before.collections, allocatedBytes - before.allocatedBytes);
    }

    /** Both together. */
    Cost plus(Cost other) {
        return new Cost(collections + other.collections, allocatedBytes + other.allocatedBytes);
    }
}
