package org.starling.store.internal.directory;

/**
 * Who leads the compute group.
 *
 * @param node node id, or {@link #NOBODY} before the first election and after the master's loss
 * @param term counts elections, from 1; 0 before the first
 */
public record MasterInfo(int node, long term) {
    /** The node id of no master. */
    public static final int NOBODY = -1;
}
