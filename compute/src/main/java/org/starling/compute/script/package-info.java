/**
 * Scripts: JSON in, report out. A {@link org.starling.compute.script.Script} is read and checked
 * whole before anything runs; a {@link org.starling.compute.script.ScriptRunner} then runs its
 * tasks one after another and makes the {@link org.starling.compute.script.ScriptReport}.
 *
 * <p>Commands call in. Tasks are found through {@link org.starling.compute.script.TaskCatalog};
 * what a task can reach comes from a {@link org.starling.compute.script.ScriptHost}. Start with
 * {@code Script}, then {@code StepChecker}, which turns JSON into steps.
 */
@NullMarked
package org.starling.compute.script;

import org.jspecify.annotations.NullMarked;
