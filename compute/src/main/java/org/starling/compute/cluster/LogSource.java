package org.starling.compute.cluster;

import java.util.List;

/**
 * What a process has logged lately, in memory, whatever becomes of it elsewhere. Found by {@link
 * java.util.ServiceLoader}, once in each process; any thread.
 */
public interface LogSource {
    /** From now on lines are kept. A second call does nothing. */
    void begin();

    /**
     * The last lines, oldest first.
     *
     * @param count how many at most
     * @param least the least urgent level of them
     */
    List<LogLine> last(int count, LogLine.Level least);
}
