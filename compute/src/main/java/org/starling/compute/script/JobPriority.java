package org.starling.compute.script;

/** How urgent a job is: jobs that wait begin in this order, and those that run share the cores. */
public enum JobPriority {
    /** After all others. */
    LOW(1),
    /** What holds where nothing is said. */
    NORMAL(4),
    /** Before all others. */
    HIGH(16);

    private final int weight;

    JobPriority(int weight) {
        this.weight = weight;
    }

    /** How much of a peer's cores it gets, beside what the weights of others get. */
    public int weight() {
        return weight;
    }
}
