package org.starling.compute.internal.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.graph.ColumnChunks;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.protocol.PointMessage.Answer;
import org.starling.compute.internal.protocol.PointMessage.AskNeighbours;
import org.starling.compute.internal.protocol.PointMessage.AskPath;
import org.starling.compute.internal.protocol.PointMessage.AskValue;
import org.starling.compute.internal.protocol.PointMessage.ColumnAt;
import org.starling.compute.internal.protocol.PointMessage.FindTextNumbers;
import org.starling.compute.internal.protocol.PointMessage.FindVertices;
import org.starling.compute.internal.protocol.PointMessage.GraphAt;
import org.starling.compute.internal.protocol.PointMessage.IdsTold;
import org.starling.compute.internal.protocol.PointMessage.NeighboursTold;
import org.starling.compute.internal.protocol.PointMessage.NumberTextsTold;
import org.starling.compute.internal.protocol.PointMessage.PathTold;
import org.starling.compute.internal.protocol.PointMessage.Presence;
import org.starling.compute.internal.protocol.PointMessage.ReadIds;
import org.starling.compute.internal.protocol.PointMessage.ReadNumberTexts;
import org.starling.compute.internal.protocol.PointMessage.ReadRows;
import org.starling.compute.internal.protocol.PointMessage.RowsTold;
import org.starling.compute.internal.protocol.PointMessage.TextNumbersTold;
import org.starling.compute.internal.protocol.PointMessage.ValueTold;
import org.starling.compute.internal.protocol.PointMessage.VerticesTold;
import org.starling.compute.internal.protocol.PointMessage.Word;
import org.starling.compute.internal.query.OpenGraph.GoneException;
import org.starling.compute.internal.query.OpenGraph.MovedException;
import org.starling.compute.internal.query.OpenGraph.Publication;
import org.starling.compute.internal.query.OpenGraph.Row;
import org.starling.graph.VertexId;
import org.starling.net.Execution;
import org.starling.net.Network;
import org.starling.net.RecordMessage;
import org.starling.net.RecordRequest;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.StoreNode;

/**
 * A peer's part in questions about single vertices: answers for the shards that it owns, and asks
 * other peers what an answer needs of theirs. Owned by the peer's slave; any thread.
 */
public final class PointService implements AutoCloseable {
    /** Neighbours in one answer to another peer: a mebibyte. */
    private static final int MAX_TARGETS = 1 << 17;

    /** Vertices that all path searches here together may come to; each takes 20 bytes. */
    private static final int MAX_VISITED_TOGETHER = 4 * PointQueries.MAX_PATH_VERTICES;

    private static final Logger LOG = LogManager.getLogger(PointService.class);

    private final StoreNode store;
    private final SmallJobs jobs;
    private final OpenGraphs graphs;
    private final Owners owners;
    private final Semaphore visitable = new Semaphore(MAX_VISITED_TOGETHER, true);

    /**
     * Starts the service on a peer.
     *
     * @param parallelism how many short jobs it does at once
     */
    public PointService(StoreNode store, int parallelism) {
        this.store = store;
        this.jobs = new SmallJobs(store.nodeId(), parallelism);
        this.graphs = new OpenGraphs(store, jobs);
        this.owners = new Owners(store);
        serve(
                AskNeighbours.class,
                AskNeighbours::graph,
                this::neighbours,
                PointService::neighboursNot);
        serve(AskValue.class, AskValue::graph, this::value, PointService::valueNot);
        serve(AskPath.class, AskPath::graph, this::path, PointService::pathNot);
        serve(
                FindVertices.class,
                FindVertices::graph,
                (question, graph) -> jobs.start(() -> find(question, graph)),
                word -> new VerticesTold(word, new long[0]));
        serve(
                ReadIds.class,
                ReadIds::graph,
                (question, graph) ->
                        jobs.start(() ->
                                new IdsTold(
                                        Word.of(Presence.FOUND), graph.ids(question.ordinals()))),
                word -> new IdsTold(word, new long[0]));
        serve(
                ReadRows.class,
                ReadRows::graph,
                (question, graph) -> jobs.start(() -> rows(question, graph)),
                word -> new RowsTold(word, new int[0], false, new long[0]));
        serve(
                FindTextNumbers.class,
                FindTextNumbers::graph,
                (question, graph) -> jobs.start(() -> findTexts(question, graph)),
                word -> new TextNumbersTold(word, new long[0]));
        serve(
                ReadNumberTexts.class,
                ReadNumberTexts::graph,
                (question, graph) -> jobs.start(() -> graph.texts(question.numbers())),
                word -> new NumberTextsTold(word, new int[0], List.of()));
    }

    /** Lets nobody here read a graph any more that is to be removed; waits for those that do. */
    public void letGo(long descriptor) {
        graphs.letGo(descriptor);
    }

    @Override
    public void close() {
        jobs.close();
    }

    /** Answers a kind of question once its graph is open, whatever happens. */
    private <A extends Answer, Q extends RecordRequest<A>> void serve(
            Class<Q> type,
            Function<Q, GraphAt> graphOf,
            BiFunction<Q, OpenGraph, CompletableFuture<A>> answer,
            Function<Word, A> not) {
        Network network = store.network();
        network.serveAsync(
                RecordMessage.type(type),
                Execution.INLINE,
                (from, question, responder) -> {
                    CompletableFuture<?> _ =
                            graphs.at(graphOf.apply(question))
                                    .thenCompose(graph -> answer.apply(question, graph))
                                    .exceptionally(failure -> not.apply(word(failure)))
                                    .thenAccept(responder::respond);
                });
    }

    private static Word word(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        return switch (cause) {
            case GoneException gone -> Word.of(Presence.GONE);
            case ChunkNotFoundException gone -> Word.of(Presence.GONE);
            case MovedException moved -> Word.of(Presence.MOVED);
            case SmallJobs.FullException full ->
                    Word.of(Presence.BUSY, String.valueOf(full.getMessage()));
            case PointQueries.UnansweredException late ->
                    Word.of(Presence.BUSY, String.valueOf(late.getMessage()));
            default -> {
                LOG.warn("a small job failed", cause);
                yield Word.of(Presence.BUSY, "a peer could not answer: " + cause);
            }
        };
    }

    // questions of other peers

    private static VerticesTold find(FindVertices question, OpenGraph graph) {
        BitSet searched = new BitSet();
        long[] ordinals =
                Arrays.stream(question.ids()).map(id -> graph.find(id, searched)).toArray();
        return new VerticesTold(searched(Presence.ABSENT, graph, searched), ordinals);
    }

    private static TextNumbersTold findTexts(FindTextNumbers question, OpenGraph graph) {
        BitSet searched = new BitSet();
        long[] numbers = graph.numbers(question.texts(), searched);
        return new TextNumbersTold(searched(Presence.ABSENT, graph, searched), numbers);
    }

    private static RowsTold rows(ReadRows question, OpenGraph graph) {
        long[] ordinals = question.ordinals();
        int[] counts = new int[ordinals.length];
        List<long[]> parts = new ArrayList<>();
        int told = 0;
        int vertex = 0;
        boolean whole = true;
        while (vertex < ordinals.length && whole && told < MAX_TARGETS) {
            int skip = vertex == 0 ? question.skip() : 0;
            Row row =
                    graph.row(
                            ordinals[vertex], question.incoming(), skip, MAX_TARGETS - told, false);
            counts[vertex++] = row.targets().length;
            told += row.targets().length;
            whole = skip + row.targets().length >= row.degree();
            parts.add(row.targets());
        }
        long[] targets = new long[told];
        int at = 0;
        for (long[] part : parts) {
            System.arraycopy(part, 0, targets, at, part.length);
            at += part.length;
        }
        return new RowsTold(Word.of(Presence.FOUND), Arrays.copyOf(counts, vertex), whole, targets);
    }

    // questions of people

    private CompletableFuture<NeighboursTold> neighbours(AskNeighbours question, OpenGraph graph) {
        Deadline deadline = Deadline.inNanos(question.nanos());
        if (question.incoming()
                && graph.descriptor().directed()
                && !graph.descriptor().incoming()) {
            return CompletableFuture.completedFuture(
                    neighboursNot(
                            Word.of(
                                    Presence.REFUSED,
                                    "graph \"%s\" has no rows of incoming edges; make it with them (\"incoming\": true)"
                                            .formatted(graph.descriptor().name()))));
        }
        boolean incoming = question.incoming() && graph.descriptor().hasOwnIncomingRows();
        BitSet searched = new BitSet();
        return jobs.start(
                        () -> {
                            long ordinal = graph.find(question.id(), searched);
                            return ordinal < 0
                                    ? new Row(-1, new long[0], new int[0])
                                    : graph.row(
                                            ordinal,
                                            incoming,
                                            question.offset(),
                                            question.limit(),
                                            true);
                        })
                .thenCompose(row -> {
                    if (row.degree() < 0) {
                        return CompletableFuture.completedFuture(
                                neighboursNot(searched(Presence.ABSENT, graph, searched)));
                    }
                    return ids(question.graph(), graph, row.targets(), deadline)
                            .thenApply(ids ->
                                    new NeighboursTold(
                                            Word.of(Presence.FOUND),
                                            row.degree(),
                                            ids,
                                            row.weightBits()));
                });
    }

    /** Ids of vertices; nothing is waited for where all are here. */
    private CompletableFuture<long[]> ids(
            GraphAt at, OpenGraph graph, long[] ordinals, Deadline deadline) {
        boolean here =
                Arrays.stream(ordinals)
                        .map(graph.shards()::shardOf)
                        .distinct()
                        .allMatch(shard -> graph.isHere((int) shard));
        return here
                ? jobs.start(() -> graph.ids(ordinals))
                : jobs.startWaiting(() -> owners.ids(at, graph, ordinals, deadline));
    }

    private CompletableFuture<ValueTold> value(AskValue question, OpenGraph graph) {
        Deadline deadline = Deadline.inNanos(question.nanos());
        StateType type = question.column().valueType();
        BitSet searched = new BitSet();
        return jobs.start(() -> graph.find(question.id(), searched))
                .thenCompose(ordinal -> {
                    if (ordinal < 0) {
                        return CompletableFuture.completedFuture(
                                valueNot(searched(Presence.ABSENT, graph, searched)));
                    }
                    if (type.element() == ColumnType.STRING) {
                        long[] chunks =
                                graph.descriptor().propertyChunks(question.column().property());
                        return jobs.start(() ->
                                new ValueTold(
                                        Word.of(Presence.FOUND),
                                        new long[0],
                                        graph.string(ordinal, chunks)));
                    }
                    return chunks(graph, question.column())
                            .thenCompose(
                                    chunks -> jobs.start(() -> graph.value(ordinal, type, chunks)))
                            .thenCompose(bits ->
                                    type.element() == ColumnType.VERTEX
                                            ? vertices(question.graph(), graph, bits, deadline)
                                            : CompletableFuture.completedFuture(bits))
                            .thenApply(bits -> new ValueTold(Word.of(Presence.FOUND), bits, ""));
                });
    }

    private CompletableFuture<long[]> chunks(OpenGraph graph, ColumnAt at) {
        if (at.property() >= 0) {
            return CompletableFuture.completedFuture(
                    graph.descriptor().propertyChunks(at.property()));
        }
        Publication column = new Publication(at.manifest(), at.publication());
        long[] known = graph.column(column);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        return jobs.startWaiting(() -> {
            long[] read = ColumnChunks.manifest(store.chunks(), column.manifest()).chunks();
            graph.learn(column, read);
            return read;
        });
    }

    /** Ids of those that are vertices; -1 stays. */
    private CompletableFuture<long[]> vertices(
            GraphAt at, OpenGraph graph, long[] ordinals, Deadline deadline) {
        long[] some = Arrays.stream(ordinals).filter(ordinal -> ordinal >= 0).toArray();
        return ids(at, graph, some, deadline)
                .thenApply(ids -> {
                    long[] all = new long[ordinals.length];
                    int next = 0;
                    for (int i = 0; i < all.length; i++) {
                        all[i] = ordinals[i] < 0 ? -1 : ids[next++];
                    }
                    return all;
                });
    }

    private CompletableFuture<PathTold> path(AskPath question, OpenGraph graph) {
        return jobs.startWaiting(() -> findPath(question, graph));
    }

    private PathTold findPath(AskPath question, OpenGraph graph) throws InterruptedException {
        Deadline deadline = Deadline.inNanos(question.nanos());
        long[] ends = {question.from(), question.to()};
        long[] ordinals = owners.ordinals(question.graph(), graph, ends, deadline);
        for (int i = 0; i < ends.length; i++) {
            if (ordinals[i] < 0) {
                return pathNot(Word.of(Presence.ABSENT, VertexId.text(ends[i])));
            }
        }
        int permits = question.maxVertices();
        if (!visitable.tryAcquire(permits, deadline.leftNanos(), TimeUnit.NANOSECONDS)) {
            return pathNot(
                    Word.of(
                            Presence.BUSY,
                            "other searches for paths take all the room that there is for them; ask"
                                    + " again in a moment"));
        }
        try {
            Deadline search =
                    Deadline.inNanos(Math.min(question.searchNanos(), deadline.leftNanos()));
            boolean directed = graph.descriptor().directed();
            OwnersRows rows = new OwnersRows(owners, question.graph(), graph, search, deadline);
            PathSearch.Rows bothWays =
                    (vertices, incoming, sink) -> rows.read(vertices, incoming && directed, sink);
            PathSearch.Found found =
                    new PathSearch(bothWays, !directed || graph.descriptor().incoming(), permits)
                            .find(ordinals[0], ordinals[1]);
            long[] path = found.path() == null ? new long[0] : found.path();
            return new PathTold(
                    Word.of(Presence.FOUND),
                    found.complete(),
                    owners.ids(question.graph(), graph, path, deadline),
                    found.visited());
        } finally {
            visitable.release(permits);
        }
    }

    private static Word searched(Presence presence, OpenGraph graph, BitSet searched) {
        return new Word(presence, "", graph.shards().count(), searched.toLongArray());
    }

    private static NeighboursTold neighboursNot(Word word) {
        return new NeighboursTold(word, 0, new long[0], new int[0]);
    }

    private static ValueTold valueNot(Word word) {
        return new ValueTold(word, new long[0], "");
    }

    private static PathTold pathNot(Word word) {
        return new PathTold(word, false, new long[0], 0);
    }
}
