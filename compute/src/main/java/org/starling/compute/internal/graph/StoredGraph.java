package org.starling.compute.internal.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.starling.graph.GraphShare;
import org.starling.graph.InvalidInputException;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;
import org.starling.store.ChunkService;
import org.starling.store.PinnedRange;

/**
 * A graph on one node: its descriptor, the pinned rows of the node's own shards, and the state
 * columns that programs left.
 *
 * <p>Owned by the node's slave. Columns are added and replaced between runs by the slave's control
 * thread; everything else is immutable after construction. Closing unpins and frees columns but
 * leaves the chunks.
 */
public final class StoredGraph implements AutoCloseable {
    private final GraphDescriptor descriptor;
    private final ShardTable shards;
    private final int node;
    private final int[] ownShards;
    private final List<PinnedRange> pins = new ArrayList<>();
    private final Rows out;
    private final @Nullable Rows in;
    private final @Nullable RowLengths receivers;
    private final RowLengths sources;
    private final long[] idAddresses;
    private final Map<String, Column> states = new ConcurrentHashMap<>();

    /** Published columns by name; those that have been read are among the states, too. */
    private final Map<String, StoredColumn> published = new ConcurrentHashMap<>();

    /** Columns of edges that somebody has read, by name; guarded by this. */
    private final Map<String, EdgeColumn> edgeColumns = new HashMap<>();

    /**
     * Properties of vertices that are strings and that somebody has read, by name; guarded by this.
     */
    private final Map<String, StringColumn> strings = new HashMap<>();

    /** Ids that are texts, once somebody has read some; guarded by this. */
    private @Nullable GraphTexts texts;

    /** Index of each row's first edge in its shard, once it is needed; guarded by this. */
    private @Nullable Column rowStarts;

    /** States that are as they were published; guarded by this. */
    private final Map<String, StoredColumn> restored = new HashMap<>();

    private final ChunkService chunks;
    private final GraphVersion version;

    /** Ordinals of this version that lead to nobody, on whatever node; null if none does. */
    private final @Nullable Bitmap gone;

    /** Pins the node's own shards; leaves nothing pinned if one of them is not here. */
    public StoredGraph(GraphDescriptor descriptor, int node, ChunkService chunks) {
        this(descriptor, GraphVersion.NONE, node, chunks);
    }

    /** The same of a version that a program has made. */
    public StoredGraph(
            GraphDescriptor descriptor, GraphVersion version, int node, ChunkService chunks) {
        this.version = version;
        this.chunks = chunks;
        this.descriptor = descriptor;
        this.node = node;
        this.shards = new ShardTable(descriptor.shardFirsts(), descriptor.shardOwners());
        this.ownShards = shards.shardsOf(node);
        this.idAddresses = new long[shards.count()];
        try {
            this.out = pinRows(descriptor.outRanges(), chunks);
            this.in = incomingRows(chunks);
            pinIds(chunks);
            this.gone = GoneChunk.read(chunks, version, shards.vertices());
        } catch (RuntimeException | Error e) {
            pins.forEach(PinnedRange::close);
            throw e;
        }
        this.sources = new RowLengths(out, shards, ownShards);
        this.receivers =
                descriptor.hasOwnIncomingRows() ? new RowLengths(in(), shards, ownShards) : null;
    }

    private void pinIds(ChunkService chunks) {
        for (int shard : ownShards) {
            if (shards.size(shard) > 0) {
                PinnedRange range = chunks.pin(descriptor.idChunks()[shard], 1);
                pins.add(range);
                idAddresses[shard] = range.address(0);
            }
        }
    }

    /**
     * The state of that name, if a program left one, or the published column, or the property, if
     * it is not one of strings.
     */
    public @Nullable Column state(String name) {
        Column column = states.get(name);
        return column == null ? restored(name) : column;
    }

    /** The state of that name, if a program left one or somebody has read a column so named. */
    public @Nullable Column stateHere(String name) {
        return states.get(name);
    }

    /** These columns are published from now on; states that programs have left stay. */
    public synchronized void publish(List<StoredColumn> columns) {
        published.clear();
        columns.forEach(column -> published.put(column.name(), column));
        for (StoredColumn column : List.copyOf(restored.values())) {
            if (!column.equals(published.get(column.name()))) {
                dropState(column.name());
            }
        }
    }

    private synchronized @Nullable Column restored(String name) {
        if (states.containsKey(name)) {
            return states.get(name);
        }
        StoredColumn column = published.get(name);
        int property = descriptor.property(name, false);
        if (column == null && (property < 0 || descriptor.properties().get(property).isString())) {
            return null;
        }
        Column made =
                column == null
                        ? ColumnChunks.restore(property, this, chunks)
                        : ColumnChunks.restore(column, this, chunks);
        states.put(name, made);
        if (column != null) {
            restored.put(name, column);
        }
        return made;
    }

    /** The state of that name and type. */
    public Column state(String name, StateType type) {
        Column column = state(name);
        if (column == null || !column.type().equals(type)) {
            throw new InvalidInputException(
                    "graph \"%s\" has no state \"%s\" of type %s; it has %s"
                            .formatted(descriptor.name(), name, type, typedNames()));
        }
        return column;
    }

    /**
     * The column of edges of that name: a property, or {@code weight} of a weighted graph.
     *
     * @throws InvalidInputException if there is none
     */
    public synchronized EdgeColumn edgeColumn(String name) {
        EdgeColumn known = edgeColumns.get(name);
        if (known != null) {
            return known;
        }
        EdgeColumn made = makeEdgeColumn(name);
        edgeColumns.put(name, made);
        return made;
    }

    private EdgeColumn makeEdgeColumn(String name) {
        int index = descriptor.property(name, true);
        if (index < 0) {
            StoredProperty weight =
                    descriptor.edgeColumns().stream()
                            .filter(column -> column.name().equals(name))
                            .findFirst()
                            .orElseThrow(() -> noEdgeColumn(name));
            return EdgeColumn.ofWeights(weight, out, shards);
        }
        return new EdgeColumn(
                descriptor.properties().get(index), out, shards, pinProperty(index), rowStarts());
    }

    /** Where a property's chunk of each own shard lies, for as long as the graph is here. */
    private long[] pinProperty(int index) {
        long[] addresses = new long[shards.count()];
        for (int shard : ownShards) {
            if (shards.size(shard) > 0) {
                PinnedRange range = chunks.pin(descriptor.propertyRanges()[shard] + index, 1);
                pins.add(range);
                addresses[shard] = range.address(0);
            }
        }
        return addresses;
    }

    /** The strings that vertices have as a property of that name; null if there are none. */
    public synchronized @Nullable StringColumn strings(String name) {
        StringColumn known = strings.get(name);
        int index = descriptor.property(name, false);
        if (known != null || index < 0 || !descriptor.properties().get(index).isString()) {
            return known;
        }
        StringColumn made = new StringColumn(shards, pinProperty(index));
        strings.put(name, made);
        return made;
    }

    /**
     * The same that must be there.
     *
     * @throws InvalidInputException if it is not
     */
    public StringColumn requireStrings(String name) {
        StringColumn found = strings(name);
        if (found == null) {
            throw new InvalidInputException(
                    "graph \"%s\" has no property \"%s\" of vertices that is a string; it has %s"
                            .formatted(descriptor.name(), name, typedNames()));
        }
        return found;
    }

    /**
     * The ids that are texts of own shards' ranks.
     *
     * @throws InvalidInputException if ids are numbers
     */
    public synchronized GraphTexts texts() {
        if (!descriptor.textIds()) {
            throw new InvalidInputException(
                    "the ids of graph \"%s\" are numbers".formatted(descriptor.name()));
        }
        GraphTexts known = texts;
        if (known == null) {
            known = new GraphTexts(shards, ownShards, pinProperty(descriptor.properties().size()));
            texts = known;
        }
        return known;
    }

    private InvalidInputException noEdgeColumn(String name) {
        List<String> names =
                descriptor.edgeColumns().stream()
                        .map(column -> column.name() + " is " + column.type())
                        .toList();
        return new InvalidInputException(
                "graph \"%s\" has no column \"%s\" of edges; it has %s"
                        .formatted(descriptor.name(), name, names));
    }

    private Column rowStarts() {
        if (rowStarts == null) {
            rowStarts = new Column("row starts", ColumnType.INT, shards.vertices());
            for (int shard : ownShards) {
                int start = 0;
                for (long v = shards.first(shard); v < shards.end(shard); v++) {
                    rowStarts.set(v, start);
                    start += out.degree(v);
                }
            }
        }
        return rowStarts;
    }

    private List<String> typedNames() {
        return vertexColumns().entrySet().stream()
                .map(type -> type.getKey() + " is " + type.getValue())
                .toList();
    }

    /** Names and types of all states, published columns, and properties of vertices. */
    public SortedMap<String, StateType> vertexColumns() {
        SortedMap<String, StateType> types = new TreeMap<>();
        descriptor.properties().stream()
                .filter(property -> !property.ofEdges())
                .forEach(property -> types.put(property.name(), property.type()));
        published.values().forEach(column -> types.put(column.name(), column.type()));
        states.values().forEach(column -> types.put(column.name(), column.type()));
        return types;
    }

    /** Adds a state, replacing and freeing an older one of that name. */
    public synchronized void putState(Column column) {
        restored.remove(column.name());
        Column older = states.put(column.name(), column);
        if (older != null) {
            older.close();
        }
    }

    /** Takes over the states of an older version of the graph, whose shards are here, too. */
    public void takeStates(StoredGraph older) {
        boolean same = older.shards.vertices() == shards.vertices();
        for (Column column : older.states.values()) {
            putState(same ? column : grown(older, column));
        }
        older.states.clear();
    }

    private Column grown(StoredGraph older, Column column) {
        Column all = new Column(column.name(), column.type(), shards.vertices());
        fillMissing(all);
        int width = column.type().width();
        for (int shard : older.ownShards) {
            long from = older.shards.first(shard) * width;
            NativeMemory.copy(
                    column.address() + from,
                    all.address() + from,
                    (long) older.shards.size(shard) * width);
        }
        column.close();
        return all;
    }

    /** Gives own vertices what those have that are new in a version, before others get theirs. */
    public void fillMissing(Column column) {
        if (version.exists() && column.type().equals(StateType.of(ColumnType.VERTEX))) {
            for (int shard : ownShards) {
                column.fill(shards.first(shard), shards.end(shard), -1);
            }
        }
    }

    /** Frees a state, if there is one of that name. */
    public synchronized void dropState(String name) {
        restored.remove(name);
        Column column = states.remove(name);
        if (column != null) {
            column.close();
        }
    }

    /** Names of all states. */
    public List<String> stateNames() {
        return List.copyOf(vertexColumns().keySet());
    }

    /** Original id of a vertex of an own shard. */
    public long id(long ordinal) {
        return NativeMemory.getLong(idAddress(ordinal));
    }

    /** Where the ids of vertices of an own shard stand, 8 bytes each, from this ordinal on. */
    public long idAddress(long ordinal) {
        int shard = shards.shardOf(ordinal);
        if (idAddresses[shard] == 0) {
            throw new IllegalArgumentException("shard " + shard + " is not on node " + node);
        }
        return idAddresses[shard] + (ordinal - shards.first(shard)) * Long.BYTES;
    }

    /** Ordinal of an id, or -1 if no own shard has it. Searches each run of ascending ids. */
    public long ordinal(long id) {
        long[] runs = descriptor.idRuns();
        int run = 0;
        for (int shard : ownShards) {
            long end = shards.end(shard);
            for (long first = shards.first(shard); first < end; ) {
                while (run + 1 < runs.length && runs[run + 1] <= first) {
                    run++;
                }
                long runEnd = run + 1 < runs.length ? Math.min(runs[run + 1], end) : end;
                long base = idAddress(first) - first * Long.BYTES;
                long found = Search.ordinal(base, first, runEnd, id);
                if (found >= 0 && !isGone(found)) {
                    return found;
                }
                first = runEnd;
            }
        }
        return -1;
    }

    /**
     * Ordinals of ids, or -1 where no own shard has one.
     *
     * @param ids ascending as unsigned numbers
     */
    public long[] ordinals(long[] ids) {
        long[] found = new long[ids.length];
        Arrays.fill(found, -1);
        long[] runs = descriptor.idRuns();
        int run = 0;
        for (int shard : ownShards) {
            long end = shards.end(shard);
            for (long first = shards.first(shard); first < end; ) {
                while (run + 1 < runs.length && runs[run + 1] <= first) {
                    run++;
                }
                long runEnd = run + 1 < runs.length ? Math.min(runs[run + 1], end) : end;
                merge(first, runEnd, ids, found);
                first = runEnd;
            }
        }
        return found;
    }

    /** Goes along ascending ids of vertices and those that are looked for, whichever is behind. */
    private void merge(long first, long end, long[] ids, long[] found) {
        long base = idAddress(first) - first * Long.BYTES;
        long vertex = first;
        int at = 0;
        while (vertex < end && at < ids.length) {
            long here = idAt(base, vertex);
            int order = Long.compareUnsigned(here, ids[at]);
            if (order == 0) {
                found[at++] = isGone(vertex) ? -1 : vertex;
                vertex++;
            } else if (order < 0) {
                long wanted = ids[at];
                vertex = Search.first(vertex + 1, end, v -> isAtLeast(idAt(base, v), wanted));
            } else {
                at = (int) Search.first(at + 1, ids.length, i -> isAtLeast(ids[(int) i], here));
            }
        }
    }

    private static long idAt(long base, long ordinal) {
        return NativeMemory.getLong(base + ordinal * Long.BYTES);
    }

    private static boolean isAtLeast(long id, long other) {
        return Long.compareUnsigned(id, other) >= 0;
    }

    /** Whether an ordinal, of whatever node, leads to nobody: its vertex has been removed. */
    public boolean isGone(long ordinal) {
        return gone != null && gone.get(ordinal);
    }

    /** The ordinals that lead to nobody; null if there are none. */
    public @Nullable Bitmap gone() {
        return gone;
    }

    /** Which version of the graph this is. */
    public GraphVersion version() {
        return version;
    }

    /** What every node knows of the graph. */
    public GraphDescriptor descriptor() {
        return descriptor;
    }

    /** Where each ordinal belongs. */
    public ShardTable shards() {
        return shards;
    }

    /** Shards of this node, ascending. */
    public int[] ownShards() {
        return ownShards;
    }

    /** Rows of outgoing edges of own shards. */
    public Rows out() {
        return out;
    }

    /**
     * Rows of incoming edges of own shards; the same as {@link #out()} in an undirected graph.
     *
     * @throws InvalidInputException if they are not stored
     */
    public Rows in() {
        requireIncoming();
        return in == null ? out : in;
    }

    /** Own vertices by their incoming edges, if their rows are stored. */
    public RowLengths receivers() {
        requireIncoming();
        return receivers == null ? sources : receivers;
    }

    /** Own vertices by their outgoing edges; the same in an undirected graph. */
    public RowLengths sources() {
        return sources;
    }

    /** What this node holds of the graph. */
    public GraphShare share() {
        long neighbours = out.entries(ownShards);
        long rows = out.blockBytes(ownShards);
        int directions = 1;
        if (in != null) {
            directions = 2;
            neighbours += in.entries(ownShards);
            rows += in.blockBytes(ownShards);
        }
        int bitmaps = sources.bitmaps() + (receivers == null ? 0 : receivers.bitmaps());
        long vertices = 0;
        long rest = 0;
        for (int shard : ownShards) {
            int size = shards.size(shard);
            vertices += size;
            rest += (long) size * ChunkEntryLayout.ENTRY_BYTES * directions;
            rest += Bitmap.words(size) * Long.BYTES * bitmaps;
            if (size > 0) {
                int idBytes = Math.multiplyExact(size, Long.BYTES);
                rest += ChunkEntryLayout.ENTRY_BYTES + ChunkEntryLayout.blockBytes(idBytes);
            }
        }
        long neighbourBytes = neighbours * out.layout().edgeBytes();
        return new GraphShare(
                node,
                ownShards.length,
                vertices,
                neighbours,
                neighbourBytes,
                rows - neighbourBytes + rest);
    }

    @Override
    public void close() {
        states.values().forEach(Column::close);
        states.clear();
        if (rowStarts != null) {
            rowStarts.close();
        }
        if (gone != null) {
            gone.close();
        }
        sources.close();
        if (receivers != null) {
            receivers.close();
        }
        pins.forEach(PinnedRange::close);
        pins.clear();
    }

    private @Nullable Rows incomingRows(ChunkService chunks) {
        return descriptor.hasOwnIncomingRows() ? pinRows(descriptor.inRanges(), chunks) : null;
    }

    private void requireIncoming() {
        if (!descriptor.incoming()) {
            throw new InvalidInputException(
                    "graph \"%s\" has no rows of incoming edges; make it with them (\"incoming\": true)"
                            .formatted(descriptor.name()));
        }
    }

    private Rows pinRows(long[] ranges, ChunkService chunks) {
        Rows.Builder builder = new Rows.Builder(shards);
        for (int shard : ownShards) {
            int count = shards.size(shard);
            if (count == 0) {
                continue;
            }
            PinnedRange range = chunks.pin(ranges[shard], count);
            pins.add(range);
            for (int index = 0; index < count; index = range.pageEnd(index)) {
                builder.piece(shards.first(shard) + index, range.entryAddress(index));
            }
        }
        return builder.build(descriptor.rowLayout());
    }
}
