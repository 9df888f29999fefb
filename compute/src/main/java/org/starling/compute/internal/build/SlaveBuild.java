package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.protocol.BuildMessage.BuildStep;
import org.starling.compute.internal.protocol.BuildMessage.PartReport;
import org.starling.compute.internal.protocol.BuildMessage.RowReport;
import org.starling.compute.internal.run.Gate;
import org.starling.compute.internal.run.MadeChunks;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.Outbox;
import org.starling.compute.internal.run.Slaves;
import org.starling.compute.internal.run.StopSign;
import org.starling.compute.internal.run.WorkerTeam;
import org.starling.graph.BuildOptions;
import org.starling.graph.EdgeSource;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkService;
import org.starling.store.Durability;

/**
 * One slave's part in making a graph. The master calls the public steps in their order, on all
 * slaves at once, and waits for all before the next one.
 *
 * <p>Owned by the slave; steps run on its control thread and use its worker team. {@link #onBlock}
 * runs on receiving threads. Memory: edges as read (8 to 20 bytes each) give way, block by block,
 * to edges sorted into shards (8 to 20 bytes for each end), and these, shard by shard, to the rows.
 */
public final class SlaveBuild implements AutoCloseable {
    /** Texts that are taken of another graph at once. */
    private static final int CARRIED_TEXTS = 1 << 14;

    private final NodeContext node;
    private final Slaves slaves;
    private final EdgeSource source;
    private final SourceDescription description;
    private final BuildOptions options;

    /** Edges that were read here, and their layout: ids in those of a sparse source, then ranks. */
    private Records[] edges = {};

    private EdgeRecords layout;

    /** Values of vertices' properties that were read here, and their layout: ends as above. */
    private Records[] vertices = {};

    private EdgeRecords vertexLayout;

    /** By direction: of what lies in its buckets, and in blocks of its edges. */
    private EdgeRecords[] layouts = {};

    private final StopSign stop = new StopSign();
    private final Slabs slabs = new Slabs();
    private final Exchange exchange;
    private final PartSink[] sinks;
    private final StringExchange strings;
    private final BuildChunks chunks;
    private long[][] shardIds = {};
    private @Nullable OrderExchange order;
    private @Nullable IdExchange ids;

    /** By worker: ids that it has read, if these are texts. */
    private final StringDictionary[] readTexts;

    private @Nullable TextExchange texts;
    private @Nullable TextPieces pieces;

    /** Of the own range, once edges have been sent. */
    private long firstOwnRank;

    private long endOfOwnRanks;
    private @Nullable ShardTable shards;
    private ShardBuckets[] ownBuckets = {};
    private ShardBuckets[] receivedBuckets = {};
    private @Nullable Column inputDegrees;
    private final Gate gate = new Gate();

    /** Of what other graph this one is made; null if of edges that are read. */
    private final @Nullable Projection projection;

    /** Whether ends of edges are ranks already. */
    private boolean hasRanks;

    /** Begins a build. */
    public SlaveBuild(
            long build,
            NodeContext node,
            Slaves slaves,
            MadeChunks made,
            EdgeSource source,
            BuildOptions options)
            throws IOException {
        this.node = node;
        this.slaves = slaves;
        this.source = source;
        this.projection = source instanceof Projection of ? of : null;
        this.description = source.describe();
        this.hasRanks = description.dense();
        this.options = options;
        boolean readsTexts = description.textIds() && projection == null;
        int ofId = readsTexts ? AdjacencyLayout.NARROW_BYTES : Long.BYTES;
        int asRead = description.dense() ? endBytes(description.vertexCount()) : ofId;
        this.layout =
                new EdgeRecords(
                        asRead,
                        description.weighted(),
                        new PropertyLayout(description.edgeProperties()));
        this.vertexLayout =
                new EdgeRecords(asRead, false, new PropertyLayout(description.vertexProperties()));
        this.exchange = new Exchange(build, node, slaves, stop);
        this.chunks = new BuildChunks(build, made);
        this.sinks = new PartSink[node.team().size()];
        this.strings = new StringExchange(exchange, slabs, slaves, sinks.length);
        this.readTexts = new StringDictionary[readsTexts ? sinks.length : 0];
        Arrays.setAll(readTexts, _ -> new StringDictionary(slabs));
        Arrays.setAll(
                sinks,
                worker ->
                        new PartSink(
                                description,
                                layout,
                                vertexLayout,
                                slabs,
                                strings.dictionary(worker),
                                readsTexts ? readTexts[worker] : null,
                                stop));
    }

    /** Reads parts. */
    public PartReport read(int[] parts) {
        PartSummary[] summaries = new PartSummary[parts.length];
        node.team()
                .forEach(
                        parts.length,
                        stop,
                        (worker, index) ->
                                WorkerTeam.within(
                                        source.getClass().getClassLoader(),
                                        () ->
                                                summaries[index] =
                                                        readPart(parts[index], sinks[worker])));
        long count = Arrays.stream(sinks).mapToLong(sink -> sink.edges().size()).sum();
        long selfLoops = Arrays.stream(sinks).mapToLong(PartSink::selfLoops).sum();
        edges = Arrays.stream(sinks).map(PartSink::edges).toArray(Records[]::new);
        vertices = Arrays.stream(sinks).map(PartSink::vertices).toArray(Records[]::new);
        return new PartReport(summaries, count, selfLoops);
    }

    /** Does a step between reading and making rows; what it is answered with. */
    public long[] step(BuildStep command) {
        long number = command.number();
        long[] numbers = command.numbers();
        switch (command.step()) {
            case SAMPLE_IDS -> {
                return sampleIds(Math.toIntExact(number));
            }
            case EXCHANGE_IDS -> {
                boolean named = texts != null;
                return new long[] {named ? texts().share(numbers) : ids().share(numbers)};
            }
            case RANK_IDS -> rankIds(numbers[0]);
            case TEXT_OF -> {
                return textOf(number);
            }
            case COUNT_DEGREES -> countDegrees(numbers, number);
            case SHARE_DEGREES -> {
                return order().shareDegrees();
            }
            case ORDER_VERTICES -> {
                order().assign(numbers);
                return order().endsByGranule(Math.toIntExact(number));
            }
            case PREPARE_EXCHANGE -> prepareExchange(numbers, command.nodes());
            case SEND_EDGES -> exchangeEdges();
            case SHARE_RANKS -> {
                Long2LongOpenHashMap ranks = ids().ranks();
                ranks.defaultReturnValue(-1);
                projection().shareRanks(exchange, slaves, ranks);
            }
            case READ_ROWS -> {
                return readRows(number);
            }
        }
        return new long[0];
    }

    private long[] sampleIds(int most) {
        if (readTexts.length > 0) {
            texts = new TextExchange(exchange, slaves, slabs, readTexts);
            return texts.sample(most);
        }
        long[] read = IdSet.union(Arrays.stream(sinks).map(PartSink::ids).toArray(IdSet[]::new));
        ids = new IdExchange(exchange, slaves, read);
        return ids().sample(most);
    }

    private void rankIds(long first) {
        if (texts != null) {
            texts.rank(first);
        } else {
            ids().rank(first);
        }
    }

    /** The text of a rank of the own range, packed; nothing if it is in another one. */
    private long[] textOf(long rank) {
        if (rank < firstOwnRank || rank >= endOfOwnRanks) {
            return new long[0];
        }
        byte[] utf8;
        if (texts != null) {
            utf8 = StringIndex.segment(texts.text(rank)).toArray(ValueLayout.JAVA_BYTE);
        } else {
            long older = IdRanges.ordered(ids().range()[(int) (rank - firstOwnRank)]);
            utf8 =
                    projection()
                            .texts(new long[] {older})
                            .getFirst()
                            .getBytes(StandardCharsets.UTF_8);
        }
        return PackedTexts.pack(List.of(utf8));
    }

    private long[] readRows(long newVertices) {
        EdgeRecords withRanks = layout.withEnds(endBytes(newVertices));
        Arrays.setAll(edges, _ -> new Records(slabs, withRanks.bytes()));
        node.team()
                .forEach(
                        projection().parts(),
                        stop,
                        (worker, part) ->
                                projection()
                                        .readRows(
                                                part,
                                                edges[worker],
                                                withRanks,
                                                strings.dictionary(worker),
                                                stop));
        LongUnaryOperator ranks = ids().rankOf();
        EdgeRecords asRead = vertexLayout;
        EdgeRecords valuesWithRanks = vertexLayout.withEnds(endBytes(newVertices));
        node.team()
                .run(worker ->
                        vertices[worker] =
                                ranked(vertices[worker], asRead, ranks, valuesWithRanks));
        layout = withRanks;
        vertexLayout = valuesWithRanks;
        hasRanks = true;
        return new long[] {Arrays.stream(edges).mapToLong(Records::size).sum()};
    }

    private void countDegrees(long[] bounds, long averageDegree) {
        int rankBytes = endBytes(bounds[slaves.count()]);
        order = new OrderExchange(exchange, slaves, bounds, averageDegree, sinks.length, rankBytes);
        VertexOrder made = order.order();
        EdgeRecords asRead = layout;
        EdgeRecords ranked = layout.withEnds(rankBytes);
        EdgeRecords verticesAsRead = vertexLayout;
        EdgeRecords rankedVertices = vertexLayout.withEnds(rankBytes);
        IntFunction<LongUnaryOperator> ranksOf = hasRanks ? null : ranks();
        node.team()
                .run(worker -> {
                    if (ranksOf != null) {
                        LongUnaryOperator ranks = ranksOf.apply(worker);
                        edges[worker] = ranked(edges[worker], asRead, ranks, ranked);
                        vertices[worker] =
                                ranked(vertices[worker], verticesAsRead, ranks, rankedVertices);
                    }
                    edges[worker].forEach(at -> {
                        made.countRead(worker, ranked.first(at));
                        made.countRead(worker, ranked.second(at));
                    });
                });
        layout = ranked;
        vertexLayout = rankedVertices;
        node.team()
                .run(worker ->
                        made.addUp(
                                made.vertices() * worker / sinks.length,
                                made.vertices() * (worker + 1) / sinks.length));
    }

    /** By worker: from ids as it has read them to ranks. */
    private IntFunction<LongUnaryOperator> ranks() {
        TextExchange named = texts;
        if (named != null) {
            return worker -> code -> named.rank(worker, code);
        }
        LongUnaryOperator ranks = ids().rankOf();
        return _ -> ranks;
    }

    private void prepareExchange(long[] shardFirsts, int[] shardOwners) {
        ShardTable table = new ShardTable(shardFirsts, shardOwners);
        shards = table;
        layouts = new EdgeRecords[] {layout, layout.plain(), vertexLayout};
        ownBuckets = new ShardBuckets[sinks.length];
        Arrays.setAll(ownBuckets, _ -> new ShardBuckets(slabs, table, layouts));
        receivedBuckets = new ShardBuckets[slaves.count()];
        Arrays.setAll(receivedBuckets, _ -> new ShardBuckets(slabs, table, layouts));
        if (description.textIds()) {
            pieces = new TextPieces(exchange, slaves, slabs, table);
        }
        shardIds = new long[table.count()][];
        for (int shard : table.shardsOf(slaves.self())) {
            shardIds[shard] = new long[table.size(shard)];
        }
    }

    private void exchangeEdges() {
        if (hasStrings()) {
            strings.number();
        }
        node.team()
                .run(worker -> {
                    edges[worker].drainBlocks((from, end) -> sendBlock(worker, from, end));
                    vertices[worker].drain(at -> sendValues(worker, at));
                    exchange.flush(worker);
                });
        sendShardIds();
        if (pieces != null) {
            sendTexts(pieces);
        }
        exchange.finish();
        if (pieces != null) {
            pieces.arrange();
        }
        firstOwnRank = order().firstOwnRank();
        endOfOwnRanks = order().endOfOwnRanks();
        closeOrder();
        edges = new Records[0];
        vertices = new Records[0];
    }

    /**
     * Makes rows and writes them into chunks. All chunks of a shard lie in one zone, so that
     * whoever takes over one of them has them all.
     *
     * @param replicated whether backups get them too; then they have them when this returns
     */
    public RowReport makeRows(boolean replicated) {
        ChunkService store =
                node.chunks().with(replicated ? Durability.PROCESS : Durability.MEMORY);
        ShardTable table = shards();
        int[] own = table.shardsOf(slaves.self());
        long[] outRanges = new long[own.length];
        boolean storesIncoming = options.directed() && options.incoming();
        long[] inRanges = new long[storesIncoming ? own.length : 0];
        long[] idChunks = new long[own.length];
        PropertyChunks properties = new PropertyChunks(chunks, vertexLayout, layout, pieces);
        long[] propertyRanges = new long[properties.count() == 0 ? 0 : own.length];
        AtomicLongArray sums = new AtomicLongArray(3);
        if (options.keepInputDegrees()) {
            inputDegrees = new Column(BuildOptions.INPUT_DEGREE, ColumnType.INT, table.vertices());
        }
        node.team()
                .forEach(
                        own.length,
                        stop,
                        (_, i) -> {
                            int shard = own[i];
                            ShardStrings ofVertices = shardStrings(ShardBuckets.VERTEX, shard);
                            ShardStrings ofEdges = shardStrings(ShardBuckets.OUT, shard);
                            ShardRows out = rows(ShardBuckets.OUT, shard);
                            outRanges[i] = chunks.store(store, out);
                            ChunkService near = store.near(outRanges[i]);
                            sums.addAndGet(0, out.edges());
                            sums.addAndGet(1, out.duplicates());
                            addInputDegrees(out, shard);
                            if (storesIncoming) {
                                ShardRows in = rows(ShardBuckets.IN, shard);
                                inRanges[i] = chunks.store(near, in);
                                addInputDegrees(in, shard);
                            }
                            idChunks[i] = chunks.store(near, shardIds[shard]);
                            if (propertyRanges.length > 0) {
                                propertyRanges[i] =
                                        storeProperties(
                                                properties, near, out, ofVertices, ofEdges, shard);
                                sums.addAndGet(
                                        2,
                                        ofVertices.bytes()
                                                + ofEdges.bytes()
                                                + properties.textBytes(shard));
                            }
                        });
        chunks.settle();
        return new RowReport(
                own,
                outRanges,
                inRanges,
                idChunks,
                propertyRanges,
                sums.get(0),
                sums.get(1),
                sums.get(2),
                properties.twice());
    }

    private boolean hasStrings() {
        return layout.properties().hasStrings() || vertexLayout.properties().hasStrings();
    }

    /** Gives the strings of a shard's records codes of the shard. */
    private ShardStrings shardStrings(int direction, int shard) {
        ShardStrings made =
                new ShardStrings(layouts[direction], hasStrings() ? strings.empty() : 0);
        if (layouts[direction].properties().hasStrings()) {
            for (int worker = 0; worker < ownBuckets.length; worker++) {
                Records part = ownBuckets[worker].bucket(direction, shard);
                if (part != null) {
                    int reader = worker;
                    made.take(part, code -> strings.ofWorker(reader, code));
                }
            }
            for (int slave = 0; slave < receivedBuckets.length; slave++) {
                Records part = receivedBuckets[slave].bucket(direction, shard);
                if (part != null) {
                    int sender = slave;
                    made.take(part, code -> strings.ofSlave(sender, code));
                }
            }
            made.sort(buckets(direction, shard));
        }
        return made;
    }

    private long storeProperties(
            PropertyChunks properties,
            ChunkService near,
            ShardRows out,
            ShardStrings ofVertices,
            ShardStrings ofEdges,
            int shard) {
        long[] ids = shardIds[shard];
        List<Records> values = buckets(ShardBuckets.VERTEX, shard);
        long first =
                properties.store(
                        near,
                        out,
                        ids.length,
                        values,
                        ofVertices,
                        ofEdges,
                        index -> ids[index],
                        shard);
        values.forEach(Records::discard);
        if (layout.valued()) {
            buckets(ShardBuckets.OUT, shard).forEach(Records::discard);
        }
        return first;
    }

    /** Takes a block from another slave; called by the receiving thread. */
    public void onBlock(int from, long address, int bytes) {
        int count = BlockLayout.count(address);
        long records = address + BlockLayout.HEADER_BYTES;
        long end = address + bytes;
        int slave = slaves.indexOf(from);
        switch (BlockLayout.kind(address)) {
            case BlockLayout.IDS -> ids().onIds(slave, records, end, count);
            case BlockLayout.RANKS -> {
                if (texts != null) {
                    texts.onRanks(slave, records, end, count);
                } else {
                    ids().onRanks(slave, records, end, count);
                }
            }
            case BlockLayout.TEXTS -> texts().onTexts(slave, records, end, count);
            case BlockLayout.TEXT_PIECES -> pieces().onTexts(slave, records, end, count);
            case BlockLayout.EDGES ->
                    addEdges(slave, BlockLayout.channel(address), records, end, count);
            case BlockLayout.SHARD_IDS -> addShardIds(records, end, count);
            case BlockLayout.DEGREES -> order().onDegrees(records, end, count);
            case BlockLayout.ORDERED -> order().onOrdinals(records, end, count);
            case BlockLayout.STRINGS -> strings.onStrings(slave, records, end, count);
            case BlockLayout.PROJECTED -> projection().onRanks(records, end, count);
            case BlockLayout.SENT -> exchange.onEnd(BlockLayout.superstep(address));
            default ->
                    throw new IllegalArgumentException(
                            "block of unknown kind " + BlockLayout.kind(address));
        }
    }

    /** Whoever does a step or takes a block must be inside. */
    public Gate gate() {
        return gate;
    }

    /** Lets steps that are under way stop; called by any thread. */
    public void stop() {
        stop.raise();
    }

    /** The input degrees, if they were wanted; the caller owns them now. */
    public @Nullable Column takeInputDegrees() {
        Column taken = inputDegrees;
        inputDegrees = null;
        return taken;
    }

    @Override
    public void close() {
        exchange.close();
        slabs.close();
        if (projection != null) {
            projection.close();
        }
        closeOrder();
        if (inputDegrees != null) {
            inputDegrees.close();
        }
    }

    private PartSummary readPart(int part, PartSink sink) {
        try {
            return source.read(part, sink);
        } catch (IOException e) {
            throw new InvalidInputException(
                    "node %d cannot read the edges: %s"
                            .formatted(node.node(), FileTrouble.reason(e)),
                    e);
        }
    }

    /** Bytes of a rank or an ordinal in a graph of so many vertices. */
    private int endBytes(long vertices) {
        return AdjacencyLayout.targetBytes(vertices, options.wideNeighbours());
    }

    private Records ranked(
            Records read, EdgeRecords asRead, LongUnaryOperator ranks, EdgeRecords ranked) {
        Records made = new Records(slabs, ranked.bytes());
        read.drain(at -> {
            long to = made.add();
            ranked.write(
                    to,
                    ranks.applyAsLong(asRead.first(at)),
                    ranks.applyAsLong(asRead.second(at)),
                    asRead.weight(at));
            ranked.copyValues(to, asRead.values(at));
        });
        return made;
    }

    /** Ranks become ordinals first, in a loop so short that many look-ups are under way at once. */
    private void sendBlock(int worker, long from, long end) {
        EdgeRecords records = layout;
        OrderExchange ordinals = order();
        int width = records.bytes();
        stop.check();
        for (long at = from; at < end; at += width) {
            long first = ordinals.ordinal(records.first(at));
            long second = ordinals.ordinal(records.second(at));
            records.write(at, first, second, records.weight(at));
            strings.renumber(worker, records.properties(), records.values(at));
        }
        for (long at = from; at < end; at += width) {
            sendEdge(worker, at);
        }
    }

    private void sendEdge(int worker, long at) {
        long first = layout.first(at);
        long second = layout.second(at);
        float weight = layout.weight(at);
        long values = layout.values(at);
        sendEnd(worker, ShardBuckets.OUT, first, second, weight, values);
        if (!options.directed()) {
            sendEnd(worker, ShardBuckets.OUT, second, first, weight, values);
        } else if (options.incoming()) {
            sendEnd(worker, ShardBuckets.IN, second, first, weight, values);
        }
    }

    private void sendValues(int worker, long at) {
        long ordinal = order().ordinal(vertexLayout.first(at));
        strings.renumber(worker, vertexLayout.properties(), vertexLayout.values(at));
        sendEnd(worker, ShardBuckets.VERTEX, ordinal, 0, 0, vertexLayout.values(at));
    }

    private void sendEnd(
            int worker, int direction, long ordinal, long other, float weight, long values) {
        int shard = shards().shardOf(ordinal);
        int owner = shards().owner(shard);
        if (owner == slaves.self()) {
            ownBuckets[worker].add(direction, shard, ordinal, other, weight, values);
        } else {
            EdgeRecords records = layouts[direction];
            strings.send(worker, slaves.indexOf(owner), records.properties(), values);
            Outbox outbox = exchange.outbox(worker, slaves.indexOf(owner), direction);
            long to = outbox.record(BlockLayout.EDGES, 0, direction, records.bytes());
            records.write(to, ordinal, other, weight);
            records.copyValues(to, values);
        }
    }

    private void sendShardIds() {
        boolean numbered = description.dense() || description.textIds();
        long[] sparse = numbered ? new long[0] : ids().range();
        OrderExchange found = order();
        long first = found.firstOwnRank();
        for (long rank = first; rank < found.endOfOwnRanks(); rank++) {
            long id =
                    numbered
                            ? description.firstId() + rank
                            : IdRanges.ordered(sparse[(int) (rank - first)]);
            long ordinal = found.ordinal(rank);
            int shard = shards().shardOf(ordinal);
            int owner = shards().owner(shard);
            if (owner == slaves.self()) {
                putShardId(shard, ordinal, id);
            } else {
                long to =
                        exchange.outbox(0, slaves.indexOf(owner), Exchange.LANE)
                                .record(BlockLayout.SHARD_IDS, 0, 0, 2 * Long.BYTES);
                NativeMemory.putLong(to, ordinal);
                NativeMemory.putLong(to + 8, id);
            }
        }
    }

    /** Each text of the own range goes to who keeps it. */
    private void sendTexts(TextPieces to) {
        OrderExchange found = order();
        long first = found.firstOwnRank();
        long end = found.endOfOwnRanks();
        if (texts != null) {
            for (long rank = first; rank < end; rank++) {
                stop.check();
                to.send(rank, texts.text(rank));
            }
            return;
        }
        TextStore carried = new TextStore(slabs);
        long[] older = ids().range();
        for (long from = first; from < end; from += CARRIED_TEXTS) {
            stop.check();
            int at = (int) (from - first);
            long[] some = Arrays.copyOfRange(older, at, Math.min(older.length, at + CARRIED_TEXTS));
            Arrays.setAll(some, i -> IdRanges.ordered(some[i]));
            List<String> read = projection().texts(some);
            for (int i = 0; i < some.length; i++) {
                to.send(from + i, carried.add(read.get(i).getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    private void addEdges(int slave, int direction, long records, long end, int count) {
        Exchange.check(direction < layouts.length);
        EdgeRecords of = layouts[direction];
        Exchange.check((long) count * of.bytes() == end - records);
        ShardTable table = shards();
        for (long at = records; at < end; at += of.bytes()) {
            long ordinal = checked(of.first(at));
            long other = checked(of.second(at));
            receivedBuckets[slave].add(
                    direction,
                    table.shardOf(ordinal),
                    ordinal,
                    other,
                    of.weight(at),
                    of.values(at));
        }
    }

    private void addShardIds(long records, long end, int count) {
        Exchange.check(count * 2L * Long.BYTES == end - records);
        for (long at = records; at < end; at += 2 * Long.BYTES) {
            long ordinal = checked(NativeMemory.getLong(at));
            putShardId(shards().shardOf(ordinal), ordinal, NativeMemory.getLong(at + 8));
        }
    }

    private long checked(long ordinal) {
        Exchange.check(ordinal >= 0 && ordinal < shards().vertices());
        return ordinal;
    }

    private void putShardId(int shard, long ordinal, long id) {
        if (shardIds[shard] == null) {
            throw new IllegalArgumentException("shard " + shard + " is not on this node");
        }
        shardIds[shard][(int) (ordinal - shards().first(shard))] = id;
    }

    private ShardRows rows(int direction, int shard) {
        List<Records> parts = buckets(direction, shard);
        ShardRows rows = new ShardRows(layouts[direction], shards().size(shard), parts);
        if (!layouts[direction].valued()) {
            parts.forEach(Records::discard); // others are looked at still
        }
        return rows;
    }

    private List<Records> buckets(int direction, int shard) {
        return Stream.concat(Arrays.stream(ownBuckets), Arrays.stream(receivedBuckets))
                .flatMap(buckets -> Stream.ofNullable(buckets.bucket(direction, shard)))
                .toList();
    }

    private void addInputDegrees(ShardRows rows, int shard) {
        Column column = inputDegrees;
        if (column != null) {
            long first = shards().first(shard);
            for (int v = 0; v < shards().size(shard); v++) {
                column.set(first + v, column.get(first + v) + rows.inputDegree(v));
            }
        }
    }

    private void closeOrder() {
        if (order != null) {
            order.close();
            order = null;
        }
    }

    private OrderExchange order() {
        return Objects.requireNonNull(order, "an order of vertices");
    }

    private Projection projection() {
        return Objects.requireNonNull(projection, "a projection");
    }

    private IdExchange ids() {
        return Objects.requireNonNull(ids, "ids");
    }

    private TextExchange texts() {
        return Objects.requireNonNull(texts, "ids that are texts");
    }

    private TextPieces pieces() {
        return Objects.requireNonNull(pieces, "pieces of a dictionary");
    }

    private ShardTable shards() {
        return Objects.requireNonNull(shards, "shards");
    }
}
