package org.starling.compute.internal.query;

import com.google.gson.JsonParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.starling.compute.internal.catalogue.CatalogueChunk;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.protocol.PointMessage.GraphAt;
import org.starling.compute.internal.query.OpenGraph.GoneException;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.StoreNode;

/**
 * The graphs that small jobs of a peer have read lately. A graph is opened with its first question,
 * beside others; the catalogue, or the directory's name, must lead to it <em>after</em> it has its
 * place here, so whoever drops it sees either no graph here that anybody reads, or one that {@link
 * #letGo} closes. Any thread.
 */
final class OpenGraphs {
    /** The most that are open; the one that was not asked for longest makes room. */
    static final int MAX_OPEN = 64;

    private final StoreNode store;
    private final SmallJobs jobs;

    /** In the order of their last use; guarded by itself. */
    private final Map<GraphAt, Opening> open = new LinkedHashMap<>(16, 0.75f, true);

    /** A graph that is open or will be, unless it is let go of first. */
    private static final class Opening {
        private final CompletableFuture<OpenGraph> graph = new CompletableFuture<>();

        /** Lets nobody read it any more. */
        private void close() {
            if (!graph.completeExceptionally(new GoneException())
                    && !graph.isCompletedExceptionally()) {
                graph.join().close();
            }
        }
    }

    OpenGraphs(StoreNode store, SmallJobs jobs) {
        this.store = store;
        this.jobs = jobs;
    }

    /** The graph; fails with {@link GoneException} if it has been dropped. */
    CompletableFuture<OpenGraph> at(GraphAt at) {
        Opening opening;
        List<Opening> eldest = new ArrayList<>();
        synchronized (open) {
            opening = open.get(at);
            if (opening != null) {
                return opening.graph;
            }
            opening = new Opening();
            open.put(at, opening);
            while (open.size() > MAX_OPEN) {
                eldest.add(open.remove(open.keySet().iterator().next()));
            }
        }
        eldest.forEach(Opening::close);
        Opening begun = opening;
        CompletableFuture<?> _ =
                jobs.startWaiting(() -> read(at))
                        .whenComplete((graph, failure) -> {
                            if (failure != null) {
                                forget(at, begun);
                                begun.graph.completeExceptionally(failure);
                            } else if (!begun.graph.complete(graph)) {
                                graph.close();
                            }
                        });
        return opening.graph;
    }

    /** Lets nobody here read a graph any more that is to be removed; waits for those that do. */
    void letGo(long descriptor) {
        List<Opening> left = new ArrayList<>();
        synchronized (open) {
            open.entrySet()
                    .removeIf(entry -> {
                        boolean its = entry.getKey().descriptor() == descriptor;
                        if (its) {
                            left.add(entry.getValue());
                        }
                        return its;
                    });
        }
        left.forEach(Opening::close);
    }

    private void forget(GraphAt at, Opening failed) {
        synchronized (open) {
            open.remove(at, failed);
        }
    }

    private OpenGraph read(GraphAt at) {
        try {
            OpenGraph graph =
                    new OpenGraph(
                            DescriptorChunk.read(store.chunks(), at.descriptor()), store.chunks());
            if (!isNamed(at)) {
                throw new GoneException();
            }
            return graph;
        } catch (ChunkNotFoundException | JsonParseException removed) {
            throw new GoneException();
        }
    }

    private boolean isNamed(GraphAt at) {
        return at.name().isEmpty()
                ? new CatalogueChunk(store).read().of(at.descriptor()).isPresent()
                : store.names().lookup(at.name()) == at.descriptor();
    }
}
