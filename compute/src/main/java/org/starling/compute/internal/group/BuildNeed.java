package org.starling.compute.internal.group;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.starling.compute.internal.group.Admission.Need;

/**
 * Memory that the making of a graph needs. Immutable.
 *
 * @param graph its name
 * @param wantedBytes what it needs on all peers together
 * @param limitBytes what the peers may use for graphs
 * @param usedBytes what their chunks use of that now, by node
 */
record BuildNeed(String graph, long wantedBytes, long limitBytes, Map<Integer, Long> usedBytes)
        implements Need {
    @Override
    public boolean isGraph() {
        return true;
    }

    @Override
    public Map<Integer, Long> bytes(Promises others, double share) {
        long each = wantedBytes / Math.max(1, usedBytes.size());
        return usedBytes.keySet().stream().collect(Collectors.toMap(node -> node, _ -> each));
    }

    @Override
    public Optional<String> shortage(Promises others) {
        long free = limitBytes;
        for (Map.Entry<Integer, Long> used : usedBytes.entrySet()) {
            free -= used.getValue() + others.forGraphs(used.getKey());
        }
        return wantedBytes <= free
                ? Optional.empty()
                : Optional.of(
                        String.format(
                                Locale.ROOT,
                                "graph \"%s\" needs about %,d MiB while it is made, and %,d MiB of %,d"
                                        + " are free beside the graphs of other jobs",
                                graph,
                                Math.ceilDiv(wantedBytes, 1L << 20),
                                Math.max(0, free) >> 20,
                                limitBytes >> 20));
    }
}
