package org.starling.compute.internal.group;

import org.starling.graph.Parameters;
import org.starling.graph.RunOptions;

/**
 * A run as it was asked for; enough to do it again.
 *
 * @param graph name of the graph
 * @param program name of the program
 * @param parameters its parameters, JSON
 * @param maxSupersteps when it fails
 */
record RunRequest(String graph, String program, String parameters, int maxSupersteps) {
    static RunRequest of(String graph, String program, Parameters parameters, RunOptions options) {
        return new RunRequest(
                graph, program, ParameterCodec.write(parameters), options.maxSupersteps());
    }
}
