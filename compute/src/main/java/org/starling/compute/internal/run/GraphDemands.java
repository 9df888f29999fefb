package org.starling.compute.internal.run;

import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphInfo;
import org.starling.graph.InvalidInputException;

/**
 * What a program wants of the storage of its graph, gathered while it declares and checked by the
 * master before the run begins. Confined to the thread that lets it declare.
 */
final class GraphDemands {
    private @Nullable String incomingReason;
    private boolean narrow;

    /** The program reads incoming edges itself. */
    void incoming() {
        incoming("it reads them");
    }

    /** The program reads neighbours as numbers of 4 bytes. */
    void narrow() {
        narrow = true;
    }

    /** The program has such a channel. */
    void channel(String name, ValueOp op, EdgeDirection broadcasts) {
        if (broadcasts != EdgeDirection.OUTGOING) {
            incoming("channel \"" + name + "\" broadcasts against edges");
        } else if (op.isOrderSensitive()) {
            incoming("channel \"" + name + "\" adds floating point numbers in their order");
        }
    }

    /**
     * Refuses a graph that lacks something.
     *
     * @throws InvalidInputException naming program, graph and remedy
     */
    void check(String program, GraphInfo graph) {
        if (incomingReason != null && !graph.incoming()) {
            throw new InvalidInputException(
                    "program %s needs rows of incoming edges (%s), but graph \"%s\" was made without; make it with \"incoming\": true"
                            .formatted(program, incomingReason, graph.name()));
        }
        if (narrow && graph.neighbourBytes() != AdjacencyLayout.NARROW_BYTES) {
            throw new InvalidInputException(
                    "program %s reads neighbours of 4 bytes, but those of graph \"%s\" take %d; make it of at most %d vertices, and without wide neighbours"
                            .formatted(
                                    program,
                                    graph.name(),
                                    graph.neighbourBytes(),
                                    AdjacencyLayout.MAX_NARROW_VERTICES));
        }
    }

    private void incoming(String reason) {
        if (incomingReason == null) {
            incomingReason = reason;
        }
    }
}
