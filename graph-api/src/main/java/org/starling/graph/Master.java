package org.starling.graph;

/** What the master sees between two supersteps. */
public interface Master {
    /** Number of the superstep that has just ended, from 0. */
    int superstep();

    /**
     * Number of sends, broadcasts and publications that wait for the next superstep; 0 means that
     * the program would end.
     */
    long pending();

    /**
     * All vertices that are not settled compute in the next superstep. The program goes on even if
     * nothing is pending.
     */
    void activateAll();

    /** Ends the program. What is pending is dropped. */
    void halt();
}
