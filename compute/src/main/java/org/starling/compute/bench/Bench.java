package org.starling.compute.bench;

import java.util.List;
import java.util.function.Consumer;

/**
 * A measurement with its baseline in the same run. Found by name through {@link
 * java.util.ServiceLoader}; used by one thread.
 */
public interface Bench {
    /** What it is called on the command line. */
    String name();

    /** What can be chosen, each with a name of its own. */
    List<BenchOption> options();

    /**
     * Measures. Ends early when its thread is interrupted.
     *
     * @param choices of {@link #options()}
     * @param progress takes a line for people from time to time
     * @throws SenselessChoiceException if the choices make no sense together
     * @throws org.starling.graph.InvalidInputException if this machine can't do what was chosen
     * @throws org.starling.graph.JobFailedException if the measurement failed, or measured
     *     something that did not work
     */
    BenchResult run(BenchChoices choices, Consumer<String> progress);
}
