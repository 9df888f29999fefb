package org.starling.graph;

import java.io.IOException;
import java.util.List;

/**
 * Where the edges of a graph come from: a file or a generator, cut into parts that are read in
 * parallel.
 */
public interface EdgeSource {
    /**
     * Looks at the source without reading it all. Called on the master and on every slave, which
     * must all get the same answer.
     *
     * @throws InvalidInputException if the source is missing, empty or damaged
     */
    SourceDescription describe() throws IOException;

    /**
     * Reads one part. Different parts are read at the same time by different threads and nodes,
     * each part once.
     *
     * @param part 0 ≤ part &lt; {@link SourceDescription#parts()}
     * @return what the part held, for {@link #check}
     * @throws InvalidInputException with file, line and remedy if a line makes no sense
     */
    PartSummary read(int part, EdgeSink sink) throws IOException;

    /**
     * Compares what all parts held with what the source promised (a header's counts, for example).
     * Called on the master.
     *
     * @param parts summaries in the order of parts
     * @throws InvalidInputException if they differ
     */
    default void check(List<PartSummary> parts) {}

    /**
     * What is wrong with the first lines that were passed over, a sentence each with file, line and
     * value. Called on the master, after {@link #check}.
     *
     * @param parts summaries in the order of parts
     */
    default List<String> explainSkipped(List<PartSummary> parts) throws IOException {
        return List.of();
    }
}
