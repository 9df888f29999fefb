package org.starling.compute.internal.catalogue;

import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.QueryMessage.MeasureKept;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.store.NodeInfo;
import org.starling.store.StoreNode;

/**
 * What people ask of the catalogue: lists, measures, drops, renames and copies graphs, beside
 * whatever jobs do. Any thread.
 */
public final class CatalogueService {
    private static final Duration MEASURE_TIMEOUT = Duration.ofSeconds(10);

    private final StoreNode store;
    private final CatalogueChunk catalogue;
    private final LeavingChunks leaving;
    private final CatalogueUsers users;
    private final InstantSource clock;

    /**
     * A graph's memory on a peer.
     *
     * @param node the peer
     * @param shards number of its shards
     * @param vertices number of its vertices
     * @param bytes of rows and ids
     */
    public record Share(int node, long shards, long vertices, long bytes) {}

    /** The catalogue of a node's cluster. */
    public CatalogueService(StoreNode store, InstantSource clock) {
        this.store = store;
        this.catalogue = new CatalogueChunk(store);
        this.leaving = new LeavingChunks(store, catalogue);
        this.users = new CatalogueUsers(store);
        this.clock = clock;
    }

    /** All graphs, by name. */
    public List<KeptGraph> graphs() {
        return catalogue.read().graphs();
    }

    /** One graph, with those of its users that run. */
    public Optional<KeptGraph> graph(String name) {
        return users.without(catalogue.read(), 0).find(name);
    }

    /** How many nodes hold each of some graphs: the fewest that hold any zone of it. */
    public Map<String, Integer> copies(List<KeptGraph> graphs) {
        Map<Long, Integer> known = new HashMap<>();
        Map<String, Integer> copies = new HashMap<>();
        for (KeptGraph graph : graphs) {
            int fewest =
                    graph.zones().stream()
                            .mapToInt(zone -> known.computeIfAbsent(zone, store::copies))
                            .min()
                            .orElse(0);
            copies.put(graph.name(), fewest);
        }
        return copies;
    }

    /** Memory of a graph on each peer that answers and has some of it. */
    public List<Share> shares(KeptGraph graph) {
        Map<Integer, CompletableFuture<Optional<Numbers>>> answers = new HashMap<>();
        for (NodeInfo node : store.membership().computingPeers()) {
            answers.put(
                    node.id(),
                    store.network()
                            .request(
                                    node.id(), new MeasureKept(graph.descriptor()), MEASURE_TIMEOUT)
                            .handle((answer, _) -> Optional.ofNullable(answer)));
        }
        List<Share> shares = new ArrayList<>();
        answers.forEach((node, answer) ->
                answer.join()
                        .ifPresent(told -> {
                            long[] n = told.values();
                            if (n[0] > 0) {
                                shares.add(new Share(node, n[0], n[1], n[2]));
                            }
                        }));
        shares.sort((a, b) -> Integer.compare(a.node(), b.node()));
        return shares;
    }

    /**
     * Drops a graph, and removes its chunks.
     *
     * @throws InvalidInputException if there is none of that name, or a running job uses it
     */
    public void drop(String name) {
        long token = ThreadLocalRandom.current().nextLong();
        catalogue.change(before -> {
            KeptGraph graph = before.require(name);
            users.requireNoOther(graph, 0, "dropped");
            return before.drop(name, Leaving.of(token, 0, graph));
        });
        removeAbandoned();
    }

    /**
     * Forgets all graphs, if the list of them is lost.
     *
     * @throws InvalidInputException if it can be read
     */
    public void forget() {
        catalogue.beginAnew();
    }

    /**
     * Renames a graph.
     *
     * @throws InvalidInputException if there is none of that name, a running job uses it, or there
     *     is one of the new name
     */
    public void rename(String name, String newName) {
        GraphSession.requireKeepable(newName);
        catalogue.change(before -> {
            KeptGraph graph = before.require(name);
            requireFree(before, newName);
            users.requireNoOther(graph, 0, "renamed");
            return users.without(before, 0).rename(graph, newName);
        });
    }

    /**
     * Copies a graph with its columns.
     *
     * @throws InvalidInputException if there is none of that name, or there is one of the new name
     */
    public void copy(String name, String newName) {
        GraphSession.requireKeepable(newName);
        Catalogue before = catalogue.read();
        KeptGraph source = before.require(name);
        requireFree(before, newName);
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        GraphCopy copy = new GraphCopy(store, source, newName, now);
        boolean done = false;
        try {
            KeptGraph made = copy.make();
            catalogue.change(value -> {
                boolean same =
                        value.find(name)
                                .filter(graph ->
                                        graph.descriptor() == source.descriptor()
                                                && graph.columns().equals(source.columns())
                                                && graph.created().equals(source.created())
                                                && graph.origin().equals(source.origin()))
                                .isPresent();
                if (!same) {
                    throw new InvalidInputException(
                            "graph \"%s\" was changed or dropped while it was copied; try again"
                                    .formatted(name));
                }
                return value.of(made.descriptor()).isPresent() ? value : value.add(made);
            });
            done = true;
        } finally {
            if (!done) {
                copy.undo();
            }
        }
        removeAbandoned();
    }

    /** Removes what jobs have left that have ended without their masters. */
    private void removeAbandoned() {
        leaving.remove(one -> !users.isRunning(one.job()));
    }

    private static void requireFree(Catalogue value, String name) {
        if (value.find(name).isPresent()) {
            throw new InvalidInputException(
                    "graph \"%s\" is kept already; drop it first or take another name"
                            .formatted(name));
        }
    }
}
