package org.starling.compute.internal.group;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnChunks;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.graph.StringColumn;
import org.starling.compute.internal.protocol.ComputeMessage.Done;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.QueryMessage.Copied;
import org.starling.compute.internal.protocol.QueryMessage.ReadVertices;
import org.starling.compute.internal.protocol.QueryMessage.VertexValues;
import org.starling.compute.internal.protocol.RecoveryMessage.Attach;
import org.starling.compute.internal.protocol.RecoveryMessage.KeepCheckpoints;
import org.starling.compute.internal.protocol.RecoveryMessage.MoveShards;
import org.starling.compute.internal.protocol.RecoveryMessage.ReleaseCheckpoint;
import org.starling.compute.internal.protocol.RecoveryMessage.RestoreStates;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveManifest;
import org.starling.compute.internal.protocol.RecoveryMessage.SaveStates;
import org.starling.compute.internal.protocol.RecoveryMessage.Saved;
import org.starling.compute.internal.protocol.RecoveryMessage.SetColumns;
import org.starling.compute.internal.protocol.TopologyMessage.ListStates;
import org.starling.compute.internal.protocol.TopologyMessage.StateList;
import org.starling.compute.internal.run.MadeChunks;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.StopSign;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.RangeCopy;

/**
 * The graphs of one job on a slave, and checkpoints of their states. Owned by {@link SlaveJob},
 * which sees that nothing else is under way while a graph is attached, detached or closed.
 */
final class SlaveGraphs {
    /** Strings of an answer come to about as much. */
    private static final int MAX_STRINGS_BYTES = 1 << 18;

    private static final Duration SHARD_PATIENCE = Duration.ofSeconds(30);
    private static final long SHARD_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final NodeContext node;
    private final Map<String, StoredGraph> graphs = new ConcurrentHashMap<>();

    /** Chunk of each graph's descriptor. */
    private final Map<String, Long> descriptorChunks = new ConcurrentHashMap<>();

    /** Number of the newest command that attached each graph; guarded by this. */
    private final Map<String, Long> attachments = new HashMap<>();

    private final MadeChunks checkpoints;

    /** Shared by those who make chunks of checkpoints outside of runs. */
    private final ReadWriteLock making = new ReentrantReadWriteLock();

    SlaveGraphs(NodeContext node) {
        this.node = node;
        this.checkpoints = new MadeChunks(node, Kind.CHECKPOINT);
    }

    /** The graph of that name. */
    StoredGraph graph(String name) {
        @Nullable StoredGraph graph = graphs.get(name);
        if (graph == null) {
            throw new InvalidInputException(
                    "there is no graph \"" + name + "\"; there are " + graphs.keySet());
        }
        return graph;
    }

    /** Makes chunks of checkpoints. */
    MadeChunks checkpoints() {
        return checkpoints;
    }

    /**
     * Waits until this node serves all shards that a graph's attachment gives it: the directory,
     * and so the master, may know of a new owner before the owner itself does.
     */
    Done awaitShards(Attach command) {
        GraphDescriptor descriptor =
                DescriptorChunk.read(node.chunks(), command.descriptorChunk())
                        .moved(command.moved());
        int[] owners = command.owners();
        long start = System.nanoTime();
        for (int shard = 0; shard < owners.length; shard++) {
            long rows = descriptor.outRanges()[shard];
            boolean empty = descriptor.shardFirsts()[shard] == descriptor.shardFirsts()[shard + 1];
            while (!empty && owners[shard] == node.node() && !node.chunks().isLocal(rows)) {
                if (System.nanoTime() - start > SHARD_PATIENCE.toNanos()) {
                    throw new JobFailedException(
                            "shard "
                                    + shard
                                    + " of graph \""
                                    + descriptor.name()
                                    + "\" has not come to node "
                                    + node.node()
                                    + " within "
                                    + SHARD_PATIENCE.toSeconds()
                                    + " s");
                }
                LockSupport.parkNanos(this, SHARD_STEP_NANOS);
            }
        }
        return new Done();
    }

    /** Pins own shards of a graph; an older attachment that comes late is refused. */
    synchronized Done attach(Attach command, @Nullable Column degrees) {
        GraphDescriptor descriptor =
                DescriptorChunk.read(node.chunks(), command.descriptorChunk())
                        .named(command.graph())
                        .withOwners(command.owners())
                        .moved(command.moved());
        String name = descriptor.name();
        if (attachments.getOrDefault(name, Long.MIN_VALUE) > command.number()) {
            throw new JobCancelledException("graph \"" + name + "\" has been attached anew");
        }
        attachments.put(name, command.number());
        if (!command.keepsStates()) {
            detach(name);
        }
        StoredGraph graph =
                new StoredGraph(descriptor, command.version(), node.node(), node.chunks());
        StoredGraph older = graphs.remove(name);
        if (older != null) {
            graph.takeStates(older);
            older.close();
        }
        if (degrees != null) {
            graph.putState(degrees);
        }
        graph.publish(command.columns());
        graphs.put(name, graph);
        descriptorChunks.put(name, command.descriptorChunk());
        return new Done();
    }

    /** Makes chunks of checkpoints; nobody is told meanwhile that these have ended. */
    <R> R make(Supplier<R> work) {
        making.readLock().lock();
        try {
            return work.get();
        } finally {
            making.readLock().unlock();
        }
    }

    /** Copies shards of others to this node. */
    Copied copyShards(MoveShards command) {
        return make(() -> copy(command));
    }

    private Copied copy(MoveShards command) {
        GraphDescriptor descriptor =
                DescriptorChunk.read(node.chunks(), command.descriptorChunk())
                        .moved(command.moved());
        int[] shards = command.shards();
        int properties = descriptor.valueChunks();
        long[] out = new long[shards.length];
        long[] in = new long[descriptor.hasOwnIncomingRows() ? shards.length : 0];
        long[] ids = new long[shards.length];
        long[] values = new long[properties > 0 ? shards.length : 0];
        forEach(
                shards.length,
                i -> {
                    int shard = shards[i];
                    long[] firsts = descriptor.shardFirsts();
                    int size = Math.toIntExact(firsts[shard + 1] - firsts[shard]);
                    long number = command.numbers()[i];
                    long rows = descriptor.outRanges()[shard];
                    ChunkService all = node.chunks().with(KeptShards.durability(rows));
                    out[i] = copy(number, all, rows, size);
                    ChunkService near = all.near(out[i]);
                    if (in.length > 0) {
                        in[i] = copy(number, near, descriptor.inRanges()[shard], size);
                    }
                    ids[i] = copy(number, near, descriptor.idChunks()[shard], 1);
                    if (properties > 0) {
                        long first = descriptor.propertyRanges()[shard];
                        values[i] = copy(number, near, first, properties);
                    }
                });
        checkpoints.settle(command.numbers());
        return new Copied(shards, out, in, ids, command.numbers(), values);
    }

    private long copy(long number, ChunkService to, long first, int count) {
        try (RangeCopy from = node.chunks().readRange(first, count)) {
            int[] sizes = new int[count];
            for (int i = 0; i < count; i++) {
                if (!from.exists(i)) {
                    throw new ChunkNotFoundException(first + i);
                }
                sizes[i] = from.bytes(i);
            }
            return checkpoints.make(
                    number,
                    to,
                    sizes,
                    into -> {
                        for (int i = 0; i < count; i++) {
                            NativeMemory.copy(from.address(i), into.address(i), sizes[i]);
                        }
                    });
        }
    }

    /** Names and types of all states of a graph, published columns among them. */
    StateList listStates(ListStates command) {
        StoredGraph graph = graph(command.graph());
        List<String> names = graph.stateNames();
        return new StateList(
                names, names.stream().map(name -> existing(graph, name).type()).toList());
    }

    /** Columns have been published. */
    Done setColumns(SetColumns command) {
        graph(command.graph()).publish(command.columns());
        return new Done();
    }

    /** The attached graph whose descriptor this is. */
    Optional<String> attached(long descriptorChunk) {
        return descriptorChunks.entrySet().stream()
                .filter(entry -> entry.getValue() == descriptorChunk)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Lets a graph go; its chunks stay. */
    Done detach(String name) {
        descriptorChunks.remove(name);
        StoredGraph graph = graphs.remove(name);
        if (graph != null) {
            graph.close();
        }
        return new Done();
    }

    /** Lets all graphs go. */
    void closeAll() {
        List.copyOf(graphs.keySet()).forEach(this::detach);
    }

    /** Writes states into chunks beside the rows of their shards. */
    Saved saveStates(SaveStates command) {
        return make(() -> save(command));
    }

    private Saved save(SaveStates command) {
        StoredGraph graph = graph(command.graph());
        List<Column> columns = new ArrayList<>();
        for (String state : command.states()) {
            columns.add(existing(graph, state));
        }
        int[] own = graph.ownShards();
        long[] chunks = new long[own.length];
        forEach(
                own.length,
                i -> {
                    if (graph.shards().size(own[i]) > 0) {
                        chunks[i] = save(command.checkpoint(), graph, own[i], columns);
                    }
                });
        checkpoints.settle(command.checkpoint());
        return new Saved(own, chunks, new long[0]);
    }

    /** Takes states out of chunks; a node without own shards gets columns without values. */
    Done restoreStates(RestoreStates command) {
        StoredGraph graph = graph(command.graph());
        List<String> names = command.states();
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Column column =
                    new Column(names.get(i), command.types().get(i), graph.shards().vertices());
            graph.fillMissing(column);
            graph.putState(column);
            columns.add(column);
        }
        int[] own = graph.ownShards();
        forEach(
                own.length,
                i -> {
                    boolean isNew = own[i] >= command.chunks().length;
                    long first = isNew ? 0 : command.chunks()[own[i]];
                    if (first != 0) {
                        restore(graph, own[i], first, columns);
                    }
                });
        return new Done();
    }

    /** Writes where a checkpoint's chunks are. */
    Numbers saveManifest(SaveManifest command) {
        Durability durability = command.replicated() ? Durability.PROCESS : Durability.MEMORY;
        ChunkService chunks = node.chunks().with(durability);
        return make(() -> {
            long chunk = checkpoints.make(command.checkpoint(), chunks, command.numbers());
            checkpoints.settle(command.checkpoint());
            return new Numbers(chunk);
        });
    }

    /** Leaves the chunks of a checkpoint to whoever has published them. */
    Done release(ReleaseCheckpoint command) {
        checkpoints.forget(command.checkpoint());
        return new Done();
    }

    /**
     * Of checkpoints that nobody needs any more, removes what has no backups. Waits until nobody
     * makes one that was cancelled: what is pinned for that can't be removed.
     */
    Done keep(KeepCheckpoints command) {
        Set<Long> kept = Arrays.stream(command.checkpoints()).boxed().collect(Collectors.toSet());
        making.writeLock().lock();
        try {
            checkpoints.remove(checkpoint -> !kept.contains(checkpoint));
        } finally {
            making.writeLock().unlock();
        }
        return new Done();
    }

    /** Ids of vertices of one shard, and values of a state. */
    VertexValues readVertices(ReadVertices command) {
        StoredGraph graph = graph(command.graph());
        byte[] ids = new byte[Math.multiplyExact(command.count(), Long.BYTES)];
        if (ids.length > 0) {
            NativeMemory.copyToArray(graph.idAddress(command.first()), ids, 0, ids.length);
        }
        if (command.state().isEmpty()) {
            return new VertexValues(ids, null, new byte[0]);
        }
        StringColumn strings = graph.strings(command.state());
        if (strings != null) {
            return readStrings(strings, command, ids);
        }
        Column column = existing(graph, command.state());
        int width = column.type().width();
        byte[] values = new byte[Math.multiplyExact(command.count(), width)];
        NativeMemory.copyToArray(
                column.address() + command.first() * width, values, 0, values.length);
        return new VertexValues(ids, column.type(), values);
    }

    /** As many as fit into an answer: each with its length (4 bytes) before it. */
    private static VertexValues readStrings(
            StringColumn strings, ReadVertices command, byte[] ids) {
        ByteArrayOutputStream values = new ByteArrayOutputStream();
        int read = 0;
        while (read < command.count() && values.size() < MAX_STRINGS_BYTES) {
            byte[] utf8 = strings.utf8(command.first() + read++);
            byte[] length = new byte[Integer.BYTES];
            ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).putInt(utf8.length);
            values.writeBytes(length);
            values.writeBytes(utf8);
        }
        return new VertexValues(
                Arrays.copyOf(ids, read * Long.BYTES),
                StateType.of(ColumnType.STRING),
                values.toByteArray());
    }

    private long save(long checkpoint, StoredGraph graph, int shard, List<Column> columns) {
        long rows = graph.descriptor().outRanges()[shard];
        int size = graph.shards().size(shard);
        int[] sizes =
                columns.stream()
                        .mapToInt(c -> Math.multiplyExact(size, c.type().width()))
                        .toArray();
        ChunkService chunks = node.chunks().with(KeptShards.durability(rows)).near(rows);
        return checkpoints.make(
                checkpoint,
                chunks,
                sizes,
                pinned -> {
                    for (int i = 0; i < sizes.length; i++) {
                        NativeMemory.copy(
                                address(columns.get(i), graph, shard), pinned.address(i), sizes[i]);
                    }
                });
    }

    private void restore(StoredGraph graph, int shard, long first, List<Column> columns) {
        for (int i = 0; i < columns.size(); i++) {
            ColumnChunks.read(
                    node.chunks(),
                    first + i,
                    columns.get(i),
                    graph.shards(),
                    shard,
                    graph.version().exists());
        }
    }

    private static long address(Column column, StoredGraph graph, int shard) {
        return column.address() + graph.shards().first(shard) * column.type().width();
    }

    static Column existing(StoredGraph graph, String state) {
        Column column = graph.state(state);
        if (column == null && graph.strings(state) != null) {
            throw new InvalidInputException(
                    "\"%s\" of graph \"%s\" is a property of strings: it stays with the graph, and is no state"
                            .formatted(state, graph.descriptor().name()));
        }
        if (column == null) {
            throw new InvalidInputException(
                    "graph \""
                            + graph.descriptor().name()
                            + "\" has no state \""
                            + state
                            + "\"; it has "
                            + graph.stateNames());
        }
        return column;
    }

    private void forEach(int parts, IntConsumer body) {
        node.team().forEach(parts, new StopSign(), (_, part) -> body.accept(part));
    }
}
