package org.starling.loaders;

import java.util.List;
import org.starling.graph.JobFailedException;
import org.starling.graph.PartSummary;

/** The check that all parts of a generated graph were made. */
final class GeneratedParts {

    private GeneratedParts() {}

    /**
     * Compares the number of edges.
     *
     * @throws JobFailedException if parts are missing or were read twice
     */
    static void check(String generator, long edges, List<PartSummary> parts) {
        long made = parts.stream().mapToLong(PartSummary::entries).sum();
        if (made != edges) {
            throw new JobFailedException(
                    "generator %s: %d edges arrived in %d parts, %d were due"
                            .formatted(generator, made, parts.size(), edges));
        }
    }
}
