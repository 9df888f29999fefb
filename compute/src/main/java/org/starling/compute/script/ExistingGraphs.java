package org.starling.compute.script;

import java.util.Collection;
import java.util.Set;

/**
 * Graphs that exist before a script begins: those that the cluster keeps.
 *
 * @param names their names
 * @param complete whether there are no others, as far as the script is concerned
 */
public record ExistingGraphs(Set<String> names, boolean complete) {
    /** There are none. */
    public static final ExistingGraphs NONE = new ExistingGraphs(Set.of(), true);

    /** Nobody has asked the cluster: whatever a script names may exist. */
    public static final ExistingGraphs UNKNOWN = new ExistingGraphs(Set.of(), false);

    /** Copies the set. */
    public ExistingGraphs {
        names = Set.copyOf(names);
    }

    /** These and no others. */
    public static ExistingGraphs of(Collection<String> names) {
        return new ExistingGraphs(Set.copyOf(names), true);
    }
}
