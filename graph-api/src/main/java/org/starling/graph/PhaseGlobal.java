package org.starling.graph;

import java.util.List;

/**
 * What kind of superstep this is, for programs of several kinds: the master's {@link
 * Program#afterSuperstep} decides on the next one at the barrier, every vertex can ask which one it
 * is. Made by {@link Declaration#phaseGlobal}; belongs to a program's instance, and to its thread.
 *
 * <p>A phase ends a run no more than a global does: a program that has fallen silent and has a
 * phase to come calls {@link Master#activateAll}, too. A run that goes on from a checkpoint is in
 * the phase that it was in.
 *
 * @param <P> the phases
 */
public final class PhaseGlobal<P extends Enum<P>> {
    private final List<P> phases;
    private final LongGlobal number;

    PhaseGlobal(Class<P> phases, LongGlobal number) {
        this.phases = List.of(phases.getEnumConstants());
        if (this.phases.isEmpty()) {
            throw new IllegalArgumentException(phases.getName() + " names no phase");
        }
        this.number = number;
    }

    /** The phase of this superstep; between supersteps, that of the one which has just ended. */
    public P get() {
        return phases.get((int) number.get());
    }

    /** Whether this is the phase. */
    public boolean is(P phase) {
        return get() == phase;
    }

    /**
     * Sets the phase of the supersteps to come.
     *
     * @throws IllegalStateException outside {@link Program#afterSuperstep}
     */
    public void set(P phase) {
        number.set(phases.indexOf(phase));
    }
}
