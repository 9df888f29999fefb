package org.starling.compute.internal.run;

import java.util.Arrays;

/** The slaves of a run or build, in an order that all of them know. Immutable. */
public final class Slaves {
    private final int[] nodes;
    private final int self;
    private final int[] indexOf;

    /**
     * Makes the list.
     *
     * @param nodes node ids, ascending
     * @param self this node; need not be among them on the master
     */
    public Slaves(int[] nodes, int self) {
        this.nodes = nodes.clone();
        this.self = self;
        this.indexOf = new int[Arrays.stream(nodes).max().orElse(0) + 1];
        Arrays.fill(indexOf, -1);
        for (int i = 0; i < nodes.length; i++) {
            indexOf[nodes[i]] = i;
        }
    }

    /** Number of slaves. */
    public int count() {
        return nodes.length;
    }

    /** Node of a slave. */
    public int node(int index) {
        return nodes[index];
    }

    /** Index of a node; -1 if it is not a slave. */
    public int indexOf(int node) {
        return node >= 0 && node < indexOf.length ? indexOf[node] : -1;
    }

    /** This node. */
    public int self() {
        return self;
    }

    /** Index of this node. */
    public int selfIndex() {
        return indexOf(self);
    }

    /** True if there is one slave only. */
    public boolean isAlone() {
        return nodes.length == 1;
    }
}
