package org.starling.compute.internal.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.EdgeColumn;
import org.starling.compute.internal.graph.GraphVersion;
import org.starling.compute.internal.graph.RowAdjacency;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.graph.StringColumn;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.ComputeMessage.Direction;
import org.starling.graph.Adjacency;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphInfo;
import org.starling.graph.InvalidInputException;
import org.starling.graph.RecordLayout;

/**
 * What the workers of one node share in a run: channels, mirrors, columns, aggregates, globals.
 *
 * <p>Filled while the program's instances declare, one after another on the control thread;
 * immutable while workers work, but for {@link #perNode}.
 */
final class RunContext implements AutoCloseable {
    final long run;
    final StoredGraph graph;
    final GraphInfo info;
    final NodeContext node;
    final StopSign stop;
    final FirstFailure failure = new FirstFailure();
    final Bitmap settled;
    final List<Channel> channels = new ArrayList<>();
    final List<RecordStream> records = new ArrayList<>();
    final List<Mirror> mirrors = new ArrayList<>();
    final Aggregates aggregates = new Aggregates();
    final Globals globals = new Globals();

    /** Columns of other graphs that are to be brought over. */
    final List<ColumnJoin> joins = new ArrayList<>();

    final RecordMemory recordMemory;
    private final Map<String, Path> outputs;
    private final Map<String, Column> newStates = new HashMap<>();
    private final Map<String, Column> usedStates = new LinkedHashMap<>();
    private final Map<String, Object> shared = new ConcurrentHashMap<>();
    private @Nullable RowCopies copies;
    private @Nullable Adjacency whole;
    private boolean readsEdges;

    /**
     * A context without anything declared.
     *
     * @param recordBytes what messages that are not combined may take
     * @param stop ends the run, and what prepares it
     */
    RunContext(
            long run,
            StoredGraph graph,
            GraphInfo info,
            NodeContext node,
            Map<String, Path> outputs,
            long recordBytes,
            StopSign stop) {
        this.run = run;
        this.stop = stop;
        this.graph = graph;
        this.info = info;
        this.node = node;
        this.outputs = outputs;
        this.recordMemory = new RecordMemory(node.node(), recordBytes);
        this.settled = new Bitmap(graph.shards().vertices());
        settleGone();
    }

    /** What columns of ids are: with texts people read these. */
    ColumnType idType() {
        return info.textIds() ? ColumnType.ID : ColumnType.LONG;
    }

    /** How ids that are texts are read, whoever keeps them; null if ids are numbers. */
    @Nullable Function<long[], List<String>> idTexts() {
        return info.textIds()
                ? numbers -> VertexTexts.of(numbers, graph, node, Attempt.term(run))
                : null;
    }

    /** Own ordinals that lead to nobody are never called. */
    void settleGone() {
        Bitmap gone = graph.gone();
        if (gone == null) {
            return;
        }
        for (int shard : graph.ownShards()) {
            long endWord = graph.shards().endWord(shard);
            for (long word = graph.shards().firstWord(shard); word < endWord; word++) {
                settled.setWord(word, settled.word(word) | gone.word(word));
            }
        }
    }

    /** Ordinal from which on vertices begin in a superstep behind the first. */
    long startsFrom(int superstep) {
        GraphVersion version = graph.version();
        return superstep > 0 && version.exists() && version.superstep() == superstep
                ? version.firstAdded()
                : Long.MAX_VALUE;
    }

    /** The channel of that name, made now if no other worker has declared it. */
    Channel channel(String name, ValueOp op, EdgeDirection broadcasts) {
        for (Channel channel : channels) {
            if (channel.name().equals(name)) {
                return channel;
            }
        }
        EdgePaths paths = EdgePaths.of(graph, broadcasts);
        Channel channel =
                new Channel(
                        name,
                        channels.size(),
                        op,
                        paths,
                        graph.descriptor().rowLayout(),
                        graph.shards().vertices(),
                        node.team().size(),
                        node.memory());
        channels.add(channel);
        return channel;
    }

    /**
     * The channel of messages that are not combined, made now if no other worker has declared it.
     */
    RecordStream records(String name, RecordLayout layout, long messages) {
        for (RecordStream stream : records) {
            if (stream.name().equals(name)) {
                stream.check(layout);
                return stream;
            }
        }
        RecordStream stream =
                new RecordStream(
                        name,
                        records.size(),
                        new RecordFormat(
                                graph.descriptor().rowLayout().targetBytes(), layout.bytes()),
                        messages,
                        graph.shards(),
                        recordMemory,
                        node.memory());
        records.add(stream);
        return stream;
    }

    /** The mirror of that name, made now if no other worker has declared it. */
    Mirror mirror(String name, ColumnType type, long initial) {
        for (Mirror mirror : mirrors) {
            if (mirror.name().equals(name)) {
                return mirror;
            }
        }
        Mirror mirror =
                new Mirror(
                        name,
                        mirrors.size(),
                        type,
                        initial,
                        graph.shards().vertices(),
                        node.memory());
        mirrors.add(mirror);
        return mirror;
    }

    /**
     * A state in which every own vertex has {@code initial}; takes the place of an older one at
     * once.
     */
    Column newState(String name, StateType type, long initial) {
        checkFits(name, type);
        Column state =
                newStates.computeIfAbsent(
                        name,
                        _ -> {
                            Column column = graph.stateHere(name);
                            if (column == null || !column.type().equals(type)) {
                                column = new Column(name, type, graph.shards().vertices());
                                graph.putState(column);
                            }
                            for (int shard : graph.ownShards()) {
                                column.fill(
                                        graph.shards().first(shard),
                                        graph.shards().end(shard),
                                        initial);
                            }
                            return column;
                        });
        usedStates.put(name, state);
        return state;
    }

    /** A shard's part of a checkpoint is a chunk. */
    private void checkFits(String name, StateType type) {
        for (int shard : graph.ownShards()) {
            if ((long) graph.shards().size(shard) * type.width() > Integer.MAX_VALUE) {
                throw new InvalidInputException(
                        "state \"%s\" of type %s takes more than 2 GiB in shard %d, which has %d vertices; take shorter vectors, or several states"
                                .formatted(name, type, shard, graph.shards().size(shard)));
            }
        }
    }

    /** A state that an earlier run left; on the master, which has no columns, an empty one. */
    Column existingState(String name, StateType type) {
        Column state = isStage() ? newState(name, type, 0) : graph.state(name, type);
        usedStates.put(name, state);
        return state;
    }

    /**
     * A column of edges; null where nothing is computed.
     *
     * @throws InvalidInputException if there is none of that name
     */
    @Nullable EdgeColumn edgeColumn(String name) {
        readsEdges = true;
        return isStage() ? null : graph.edgeColumn(name);
    }

    /**
     * Strings of vertices; null where nothing is computed.
     *
     * @throws InvalidInputException if there is no such property
     */
    @Nullable StringColumn strings(String name) {
        return isStage() ? null : graph.requireStrings(name);
    }

    /** Wants a column of another graph; each worker says so. */
    void join(ColumnJoin join) {
        if (!joins.contains(join)) {
            joins.add(join);
        }
    }

    /** The type that the program has declared a state with; null if it has not named it. */
    @Nullable StateType usedType(String name) {
        Column used = usedStates.get(name);
        return used == null ? null : used.type();
    }

    /** Whether the program reads columns of edges. */
    boolean readsEdges() {
        return readsEdges;
    }

    /** Whether a program only declares here, and nothing is computed. */
    private boolean isStage() {
        return graph.ownShards().length == 0 && graph.shards().vertices() == 0;
    }

    /** States that the program has named, new ones and others, in the order of declaration. */
    Collection<Column> usedStates() {
        return usedStates.values();
    }

    /** Forgets the states of a run that failed. */
    void dropNewStates() {
        newStates.keySet().forEach(graph::dropState);
    }

    /** File that wants the lines of an output. */
    @Nullable Path output(String name) {
        return outputs.get(name);
    }

    /** An object that the workers of this node share. */
    @SuppressWarnings("unchecked") // one name, one type: the program's own promise
    <T> T perNode(String name, Supplier<T> build) {
        return (T) shared.computeIfAbsent(name, _ -> build.get());
    }

    /** What a channel's broadcasts are pulled with in a superstep. */
    ChannelStep pull(Channel channel, int superstep, Direction direction) {
        boolean everyone = direction == Direction.PULL_ALL;
        return new ChannelStep(
                channel.published(superstep - 1),
                everyone,
                settled,
                channel.inbox(superstep),
                null);
    }

    /** What a channel's broadcasts are pushed with in a superstep. */
    ChannelStep push(Channel channel, int superstep, PushKernel.@Nullable RemoteTargets remote) {
        return new ChannelStep(
                channel.published(superstep - 1), false, settled, channel.inbox(superstep), remote);
    }

    /** Rows of all vertices; rows of other nodes are fetched at the first call. */
    Adjacency whole() {
        if (whole == null) {
            if (graph.shards().isOwnedBy(node.node())) {
                whole = new RowAdjacency(graph.out());
            } else {
                copies = RowCopies.fetch(graph, node.chunks(), stop);
                whole = new RowAdjacency(copies.rows());
            }
        }
        return whole;
    }

    /** Whether the program asked for the rows of all vertices. */
    boolean usesWhole() {
        return whole != null;
    }

    /** Bytes of memory that states, channels, mirrors and copies have taken. */
    long takenBytes() {
        long bytes = settled.takenBytes() + (copies == null ? 0 : copies.takenBytes());
        bytes += usedStates.values().stream().mapToLong(Column::takenBytes).sum();
        bytes += channels.stream().mapToLong(Channel::takenBytes).sum();
        bytes += records.stream().mapToLong(RecordStream::takenBytes).sum();
        bytes += recordMemory.mostBytes();
        return bytes + mirrors.stream().mapToLong(Mirror::takenBytes).sum();
    }

    @Override
    public void close() {
        channels.forEach(Channel::close);
        records.forEach(RecordStream::close);
        recordMemory.close();
        mirrors.forEach(Mirror::close);
        settled.close();
        if (copies != null) {
            copies.close();
        }
    }
}
