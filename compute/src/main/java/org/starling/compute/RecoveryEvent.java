package org.starling.compute;

/**
 * What was lost in the middle of a job, and made up for: a node, or messages between nodes.
 *
 * @param node its id; {@link #NO_NODE} where all were there, and only messages were lost
 * @param role what it was for the job: {@code slave} or {@code master}
 * @param superstep superstep of the program's run in which it was missed; -1 where none was under
 *     way, or where nobody knows because the master was lost and no checkpoint tells
 * @param resumedAt superstep with which the run went on; -1 where the task began anew
 * @param seconds from the moment in which it was missed until the job went on
 */
public record RecoveryEvent(int node, String role, int superstep, int resumedAt, double seconds) {
    /** {@link #node} where none was lost. */
    public static final int NO_NODE = -1;

    /** {@link #role} of a slave. */
    public static final String SLAVE = "slave";

    /** {@link #role} of a master. */
    public static final String MASTER = "master";
}
