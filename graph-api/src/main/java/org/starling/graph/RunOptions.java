package org.starling.graph;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Options of one run.
 *
 * @param maxSupersteps the run fails when it has not ended after so many supersteps
 * @param outputs file for each {@link Declaration#textOutput} that is wanted
 */
public record RunOptions(int maxSupersteps, Map<String, Path> outputs) {
    /** No outputs, and a bound that only a program which never ends will reach. */
    public static final RunOptions DEFAULT = new RunOptions(10_000_000, Map.of());

    /** Copies the map. */
    public RunOptions {
        outputs = Map.copyOf(outputs);
    }

    /** These options with one more output. */
    public RunOptions withOutput(String name, Path file) {
        Map<String, Path> more = new HashMap<>(outputs);
        more.put(name, file);
        return new RunOptions(maxSupersteps, more);
    }
}
