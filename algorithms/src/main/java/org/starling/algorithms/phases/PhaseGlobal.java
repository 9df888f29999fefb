package org.starling.algorithms.phases;

import java.util.List;
import org.starling.graph.Declaration;
import org.starling.graph.LongGlobal;

/**
 * The phase of a program, a global that its master sets between supersteps. Belongs to a program's
 * instance, and to its thread.
 *
 * @param <P> the phases
 */
public final class PhaseGlobal<P extends Enum<P>> {
    private final List<P> phases;
    private final LongGlobal number;

    /**
     * Declares the global.
     *
     * @param phases all of them, the one that a run begins with first
     */
    public PhaseGlobal(Declaration graph, P[] phases) {
        this.phases = List.of(phases);
        this.number = graph.longGlobal("phase", 0);
    }

    /** The phase of this superstep. */
    public P get() {
        return phases.get((int) number.get());
    }

    /** Sets the phase of the next superstep; the master only. */
    public void set(P phase) {
        number.set(phases.indexOf(phase));
    }
}
