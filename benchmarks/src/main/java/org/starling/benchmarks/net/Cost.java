package org.starling.benchmarks.net;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What processes have used up so far, or between two moments.
 *
 * @param processorNanos processor time of all threads
 * @param allocatedBytes bytes taken on the Java heap by all threads
 */
record Cost(long processorNanos, long allocatedBytes) {
    static final Cost NONE = new Cost(0, 0);

    /** Of this process, since it started. */
    static Cost soFar() {
        return new Cost(
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                        .getProcessCpuTime(),
                ManagementFactory.getPlatformMXBean(ThreadMXBean.class)
                        .getTotalThreadAllocatedBytes());
    }

    Cost plus(Cost other) {
        return new Cost(
                processorNanos + other.processorNanos, allocatedBytes + other.allocatedBytes);
    }

    Cost since(Cost before) {
        return new Cost(
                processorNanos - before.processorNanos, allocatedBytes - before.allocatedBytes);
    }
}
