package org.starling.compute.internal.group;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starling.compute.internal.graph.ColumnChunks;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.Manifest;
import org.starling.compute.internal.graph.StoredColumn;
import org.starling.compute.internal.protocol.RecoveryMessage.Detach;
import org.starling.compute.internal.protocol.RecoveryMessage.RemoveGraph;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.StoreNode;

/**
 * What a new master does first: reads how far the job was, finds its graphs, and removes what older
 * masters left that was never committed. All of it can be done twice. Confined to the job's thread.
 */
final class MasterFailover {
    private final StoreNode store;
    private final Group group;
    private final KeptGraphs kept;
    private final long term;
    private final Recovery recovery;

    MasterFailover(StoreNode store, Group group, KeptGraphs kept, long term) {
        this.kept = kept;
        this.store = store;
        this.group = group;
        this.term = term;
        this.recovery = new Recovery(store, group);
    }

    /** The progress that was committed; empty bytes are the start of the job. */
    Progress read(byte[] progress) {
        return progress.length == 0 ? Progress.nothing() : Progress.of(progress, this::manifest);
    }

    /** The graphs of the progress, whoever owns them. */
    Map<String, KnownGraph> graphs(Progress progress) {
        Map<String, KnownGraph> graphs = new TreeMap<>();
        progress.graphs()
                .forEach((name, chunk) -> {
                    recovery.awaitOwner(name, chunk);
                    List<StoredColumn> columns = progress.kept().get(name);
                    if (columns != null || kept.isKept(chunk)) {
                        graphs.put(
                                name,
                                kept.known(name, chunk, columns == null ? List.of() : columns));
                        return;
                    }
                    GraphDescriptor descriptor = DescriptorChunk.read(store.chunks(), chunk);
                    graphs.put(name, KnownGraph.of(descriptor, chunk));
                    store.names().register(DescriptorChunk.NAME_PREFIX + name, chunk);
                });
        return graphs;
    }

    /**
     * Removes graphs that have a name but are not in the progress; of those that are in the
     * catalogue the name alone, which a master that was lost did not come to remove.
     */
    void removeOthers(Progress progress) {
        for (Map.Entry<String, Long> name : store.names().list().entrySet()) {
            String text = name.getKey();
            if (text.startsWith(DescriptorChunk.NAME_PREFIX)) {
                String graph = text.substring(DescriptorChunk.NAME_PREFIX.length());
                boolean isKept = kept.isKept(name.getValue());
                if (isKept || !progress.graphs().containsKey(graph)) {
                    if (!isKept) {
                        remove(graph, name.getValue());
                    }
                    store.names().remove(text);
                }
            }
        }
    }

    private void remove(String graph, long chunk) {
        recovery.awaitOwner(graph, chunk);
        try {
            group.all(new Detach(term, graph));
            group.all(new RemoveGraph(term, chunk));
            store.chunks().remove(chunk);
        } catch (ChunkNotFoundException e) {
            return; // its name alone was left
        }
    }

    private Manifest manifest(long chunk) {
        recovery.awaitOwner("of a checkpoint", chunk);
        return ColumnChunks.manifest(store.chunks(), chunk);
    }
}
