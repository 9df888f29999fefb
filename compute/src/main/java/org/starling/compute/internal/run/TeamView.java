package org.starling.compute.internal.run;

import org.starling.graph.Adjacency;
import org.starling.graph.Team;

/** A node's workers as team programs see them. One for each worker, confined to its thread. */
final class TeamView implements Team {
    private final Adjacency adjacency;
    private final StopSign stop;
    private int size;
    private int superstep;

    TeamView(Adjacency adjacency, StopSign stop) {
        this.adjacency = adjacency;
        this.stop = stop;
    }

    /** Turns to a superstep. */
    TeamView moveTo(int workers, int newSuperstep) {
        size = workers;
        superstep = newSuperstep;
        return this;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int superstep() {
        return superstep;
    }

    @Override
    public Adjacency adjacency() {
        return adjacency;
    }

    @Override
    public void check() {
        stop.check();
    }
}
