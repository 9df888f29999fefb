package org.starling.compute.cluster;

import java.util.List;

/** How one node is and what it has done, for whoever watches it. Any thread. */
public interface NodeMonitor {
    /**
     * Whether the node serves: of a peer that its lease holds, of a superpeer that the directory
     * has a leader. Answers within about a second.
     */
    boolean isReady();

    /**
     * All figures. What can't be had within about a second is left out.
     *
     * @return at most some hundred values, however large the cluster and whatever is in it
     */
    List<Metric> metrics();
}
