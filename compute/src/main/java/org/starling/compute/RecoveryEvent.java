package org.starling.compute;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node that was lost in the middle of a job, and made up for.
 *
 * @param node its id
 * @param role what it was for the job: {@code slave} or {@code master}
 * @param superstep superstep of the program's run in which it was missed; -1 where none was under
 *     way, or where nobody knows because the master was lost and no checkpoint tells
 * @param resumedAt superstep with which the run went on; -1 where the task began anew
 * @param seconds from the moment in which it was missed until the job went on
 */
public record RecoveryEvent(int node, String role, int superstep, int resumedAt, double seconds) {
    /** {@link #role} of a slave. */
    public static final String SLAVE = "slave";

    /** {@link #role} of a master. */
    public static final String MASTER = "master";

    /** As a JSON tree, for reports. */
    public Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("node", node);
        tree.put("role", role);
        tree.put("superstep", superstep);
        tree.put("resumedAt", resumedAt);
        tree.put("seconds", seconds);
        return tree;
    }
}
