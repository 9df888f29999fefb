package org.starling.tasks;

import org.starling.graph.Argument;

/** Arguments that many tasks have, so that they read the same everywhere. */
final class CommonArguments {
    private CommonArguments() {}

    /** The graph that a task works on. */
    static Argument graph() {
        return Argument.required("graph", Argument.Type.GRAPH, "the graph");
    }

    /** The graph that a task makes. */
    static Argument newGraph() {
        return Argument.required("graph", Argument.Type.NEW_GRAPH, "name of the new graph");
    }

    /** Whether the algorithm's checker runs afterwards. */
    static Argument verify() {
        return Argument.flag("verify", "whether to check the result; the task fails if it is wrong");
    }
}
