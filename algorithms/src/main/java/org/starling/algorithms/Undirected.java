package org.starling.algorithms;

import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;

/** The gate before algorithms that need to see every edge from both of its ends. */
final class Undirected {
    private Undirected() {}

    /**
     * Refuses directed graphs: of these, programs see outgoing edges only.
     *
     * @param algorithm its name, for people
     * @throws InvalidInputException if the graph is directed or does not exist
     */
    static void require(GraphSession session, String graph, String algorithm) {
        if (session.info(graph).directed()) {
            throw new InvalidInputException(
                    "graph \"%s\" is directed, but %s works on undirected graphs only; load it with \"directed\": false"
                            .formatted(graph, algorithm));
        }
    }
}
