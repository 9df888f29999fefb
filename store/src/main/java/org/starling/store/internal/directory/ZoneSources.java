package org.starling.store.internal.directory;

import java.util.List;

/**
 * Who may have a copy of a zone that has no owner.
 *
 * @param nodes those who can bring it back: its listed backups, or the returned holders of a lost
 *     one
 * @param isLost whether the latter
 * @param isComplete whether it is lost and they are all of its holders, so that one is not needed
 * @param others members that have it on disk and are not listed, ascending; none if it is lost
 * @param awaited who else may come back with a copy, or has it in memory, ascending
 */
public record ZoneSources(
        List<Integer> nodes,
        boolean isLost,
        boolean isComplete,
        List<Integer> others,
        List<Integer> awaited) {
    /** Copies the lists. */
    public ZoneSources {
        nodes = List.copyOf(nodes);
        others = List.copyOf(others);
        awaited = List.copyOf(awaited);
    }

    /** These alone. */
    public static ZoneSources of(List<Integer> nodes, boolean isLost, boolean isComplete) {
        return new ZoneSources(nodes, isLost, isComplete, List.of(), List.of());
    }
}
