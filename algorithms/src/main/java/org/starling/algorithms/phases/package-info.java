/**
 * Programs that go through phases, which their masters choose between supersteps. Called by
 * algorithms of more than one kind of superstep; open {@link
 * org.starling.algorithms.phases.PhaseGlobal}.
 */
@NullMarked
package org.starling.algorithms.phases;

import org.jspecify.annotations.NullMarked;
