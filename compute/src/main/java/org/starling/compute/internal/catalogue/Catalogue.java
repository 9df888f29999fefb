package org.starling.compute.internal.catalogue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.starling.compute.script.NearestName;
import org.starling.compute.script.UnknownNameException;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.store.ChunkId;

/**
 * All graphs that outlive jobs, as one value. Immutable; every change makes a new one, which takes
 * the place of the old one in {@link CatalogueChunk}.
 *
 * @param revision how many values there were before
 * @param writer node that wrote it
 * @param life of that node's process
 * @param previous chunk of the value before, which the writer removes
 * @param graphs in the order of their names
 * @param leaving what is on its way out
 */
public record Catalogue(
        long revision,
        int writer,
        long life,
        long previous,
        List<KeptGraph> graphs,
        List<Leaving> leaving) {
    /** The most graphs. */
    static final int MAX_GRAPHS = 10_000;

    /** Copies the lists. */
    public Catalogue {
        graphs = List.copyOf(graphs);
        leaving = List.copyOf(leaving);
    }

    /** The graph of that name. */
    public Optional<KeptGraph> find(String name) {
        return graphs.stream().filter(graph -> graph.name().equals(name)).findFirst();
    }

    /**
     * The graph of that name.
     *
     * @throws InvalidInputException if there is none
     */
    public KeptGraph require(String name) {
        return find(name)
                .orElseThrow(() ->
                        new UnknownNameException(
                                "no graph \"%s\" is kept%s"
                                        .formatted(
                                                name,
                                                graphs.isEmpty()
                                                        ? "; none is at all"
                                                        : NearestName.hint(name, names()))));
    }

    /** The graph whose descriptor this is. */
    public Optional<KeptGraph> of(long descriptor) {
        return graphs.stream().filter(graph -> graph.descriptor() == descriptor).findFirst();
    }

    /** Whether anything that it names has backups, and so would outlive a peer. */
    boolean namesBackups() {
        return graphs.stream().anyMatch(graph -> ChunkId.isReplicated(graph.descriptor()))
                || leaving.stream().anyMatch(Leaving::hasBackups);
    }

    /** Names of all graphs. */
    public List<String> names() {
        return graphs.stream().map(KeptGraph::name).toList();
    }

    /**
     * With one more graph.
     *
     * @throws InvalidInputException if there is one of its name, or there are too many
     */
    public Catalogue add(KeptGraph graph) {
        GraphSession.requireKeepable(graph.name());
        if (find(graph.name()).isPresent()) {
            throw new InvalidInputException(
                    "graph \"%s\" is kept already; drop it first or take another name"
                            .formatted(graph.name()));
        }
        if (graphs.size() >= MAX_GRAPHS) {
            throw new InvalidInputException(
                    "%d graphs are kept, and no more can be; drop some".formatted(MAX_GRAPHS));
        }
        List<KeptGraph> more = new ArrayList<>(graphs);
        more.add(graph);
        more.sort((a, b) -> a.name().compareTo(b.name()));
        return with(more, leaving);
    }

    /** Without the graph of that name; with what is left of it among what leaves. */
    public Catalogue drop(String name, Leaving rest) {
        List<KeptGraph> less = new ArrayList<>(graphs);
        less.removeIf(graph -> graph.name().equals(name));
        return with(less, leaving).leave(rest);
    }

    /** With another name for one graph. */
    Catalogue rename(KeptGraph graph, String newName) {
        List<KeptGraph> changed = new ArrayList<>(graphs);
        changed.removeIf(one -> one.name().equals(graph.name()));
        return with(changed, leaving).add(graph.named(newName));
    }

    /** With another value for one graph. */
    public Catalogue replace(String name, UnaryOperator<KeptGraph> change) {
        List<KeptGraph> changed = new ArrayList<>(graphs);
        changed.replaceAll(graph -> graph.name().equals(name) ? change.apply(graph) : graph);
        return changed.equals(graphs) ? this : with(changed, leaving);
    }

    /** With something more that leaves. */
    public Catalogue leave(Leaving more) {
        List<Leaving> all = new ArrayList<>(leaving);
        all.add(more);
        return with(graphs, all);
    }

    /** Without something that was leaving. */
    public Catalogue stay(Predicate<Leaving> which) {
        List<Leaving> less = new ArrayList<>(leaving);
        return less.removeIf(which) ? with(graphs, less) : this;
    }

    /** With other values for what leaves. */
    Catalogue leaving(UnaryOperator<Leaving> change) {
        List<Leaving> changed = new ArrayList<>(leaving);
        changed.replaceAll(change);
        return changed.equals(leaving) ? this : with(graphs, changed);
    }

    Catalogue written(int newWriter, long newLife, long before) {
        return new Catalogue(revision + 1, newWriter, newLife, before, graphs, leaving);
    }

    private Catalogue with(List<KeptGraph> newGraphs, List<Leaving> newLeaving) {
        return new Catalogue(revision, writer, life, previous, newGraphs, newLeaving);
    }
}
