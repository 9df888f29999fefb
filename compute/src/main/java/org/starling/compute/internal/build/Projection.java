package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.filter.Filter;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.Rows;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.run.Outbox;
import org.starling.compute.internal.run.Slaves;
import org.starling.compute.internal.run.StopSign;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.PartSummary;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.graph.PropertyValues;
import org.starling.graph.SourceDescription;
import org.starling.net.NativeMemory;

/**
 * One slave's part in making a graph of another one: of vertices and edges that conditions hold
 * for. It is an edge source whose parts are the slave's own shards and give vertices alone. When
 * these have got their ranks, everybody tells everybody, and the rows are read: an edge stays if
 * both its ends have a rank, and its condition holds.
 *
 * <p>Owned by {@link SlaveBuild}. Takes 4 bytes per vertex of the older graph, 8 if that is wide,
 * as the build does for its own vertices.
 */
public final class Projection implements EdgeSource, AutoCloseable {
    private final StoredGraph graph;
    private final SourceDescription description;
    private final Function<long[], List<String>> texts;
    private final List<Property> vertexColumns;
    private final List<Property> edgeColumns;
    private final Filter.@Nullable RowTest vertexTest;
    private final Filter.@Nullable RowTest edgeTest;
    private final int rankBytes;
    private final Column ranks;
    private final long none;

    /**
     * Takes conditions that have been checked.
     *
     * @param graph the older graph
     * @param vertices condition on vertices; empty if all stay
     * @param edges condition on edges; empty if all stay whose ends do
     * @param texts reads original ids of the older graph that are texts, whoever has them
     */
    public Projection(
            StoredGraph graph,
            String vertices,
            String edges,
            Function<long[], List<String>> texts) {
        this.graph = graph;
        this.texts = texts;
        this.description = describe(graph.descriptor());
        Filter ofVertices = vertices.isEmpty() ? null : Filter.parse(vertices);
        Filter ofEdges = edges.isEmpty() ? null : Filter.parse(edges);
        this.vertexColumns =
                ofVertices == null
                        ? List.of()
                        : ColumnRow.nameable(
                                graph.vertexColumns(),
                                graph.descriptor().textIds(),
                                ofVertices.columns()::contains);
        this.edgeColumns =
                ofEdges == null
                        ? List.of()
                        : edgeColumns(graph.descriptor()).stream()
                                .filter(column -> ofEdges.columns().contains(column.name()))
                                .toList();
        this.vertexTest =
                ofVertices == null ? null : ofVertices.over(vertexColumns, Projection::noHint);
        this.edgeTest = ofEdges == null ? null : ofEdges.over(edgeColumns, Projection::noHint);
        this.rankBytes = graph.out().layout().targetBytes();
        boolean narrow = rankBytes == AdjacencyLayout.NARROW_BYTES;
        this.none = narrow ? AdjacencyLayout.MAX_NARROW_VERTICES : -1;
        this.ranks =
                new Column(
                        "rank",
                        narrow ? ColumnType.INT : ColumnType.LONG,
                        graph.shards().vertices());
        ranks.fill(0, graph.shards().vertices(), -1);
    }

    /** What conditions on edges can name. */
    public static List<Property> edgeColumns(GraphDescriptor graph) {
        return graph.edgeColumns().stream().map(StoredProperty::property).toList();
    }

    /** What is carried over, before anybody knows how much. */
    public static SourceDescription describe(GraphDescriptor graph) {
        return describe(graph, graph.vertices(), graph.edges());
    }

    /** The same with so many vertices and edges. */
    public static SourceDescription describe(GraphDescriptor graph, long vertices, long edges) {
        return new SourceDescription(
                1,
                false,
                0,
                vertices,
                edges,
                graph.weighted(),
                properties(graph, false),
                properties(graph, true),
                graph.stringBytes(),
                graph.textIds());
    }

    private static List<Property> properties(GraphDescriptor graph, boolean ofEdges) {
        return graph.properties().stream()
                .filter(one -> one.ofEdges() == ofEdges)
                .map(StoredProperty::property)
                .toList();
    }

    @Override
    public SourceDescription describe() {
        return description;
    }

    /** Number of parts: each is an own shard. */
    public int parts() {
        return graph.ownShards().length;
    }

    /** Gives the vertices of an own shard that stay. */
    @Override
    public PartSummary read(int part, EdgeSink sink) {
        int shard = graph.ownShards()[part];
        ColumnRow asked = ColumnRow.ofVertices(graph, vertexColumns);
        List<Property> properties = description.vertexProperties();
        ColumnRow carried = ColumnRow.ofVertices(graph, properties);
        PropertyValues values = new PropertyValues(properties);
        long stay = 0;
        long edges = 0;
        asked.readIdsBy(texts);
        for (long v = graph.shards().first(shard); v < graph.shards().end(shard); v++) {
            asked.moveToVertex(v);
            if (vertexTest == null || vertexTest.holds(asked)) {
                carried.moveToVertex(v);
                copy(carried, values);
                sink.vertex(graph.id(v), values);
                stay++;
                edges += graph.out().degree(v);
            }
        }
        return new PartSummary(0, stay, edges, 0);
    }

    /** Original ids that are texts, by the numbers that the older graph has for them. */
    List<String> texts(long[] numbers) {
        return texts.apply(numbers);
    }

    private static void copy(ColumnRow from, PropertyValues to) {
        for (int i = 0; i < to.properties().size(); i++) {
            Property property = to.properties().get(i);
            if (property.type() == PropertyType.STRING) {
                to.setString(i, from.string(i));
                continue;
            }
            boolean real =
                    property.type() == PropertyType.FLOAT || property.type() == PropertyType.DOUBLE;
            for (int element = 0; element < property.length(); element++) {
                if (real) {
                    to.setDouble(i, element, from.asDouble(i, element));
                } else {
                    to.setLong(i, element, from.asLong(i, element));
                }
            }
        }
    }

    /** Tells all slaves the ranks of own vertices that stay. */
    void shareRanks(Exchange exchange, Slaves slaves, Long2LongOpenHashMap ranksOfIds) {
        for (int shard : graph.ownShards()) {
            for (long v = graph.shards().first(shard); v < graph.shards().end(shard); v++) {
                long rank = ranksOfIds.get(IdRanges.ordered(graph.id(v)));
                if (rank >= 0) {
                    ranks.set(v, rank);
                    send(exchange, slaves, v, rank);
                }
            }
        }
        exchange.finish();
    }

    private static void send(Exchange exchange, Slaves slaves, long ordinal, long rank) {
        for (int slave = 0; slave < slaves.count(); slave++) {
            if (slave != slaves.selfIndex()) {
                Outbox outbox = exchange.outbox(0, slave, Exchange.LANE);
                long at = outbox.record(BlockLayout.PROJECTED, 0, 0, 2 * Long.BYTES);
                NativeMemory.putLong(at, ordinal);
                NativeMemory.putLong(at + Long.BYTES, rank);
            }
        }
    }

    /** Takes a block of ranks from another slave; called by the receiving thread. */
    void onRanks(long records, long end, int count) {
        Exchange.check(count * 2L * Long.BYTES == end - records);
        for (long at = records; at < end; at += 2L * Long.BYTES) {
            long ordinal = NativeMemory.getLong(at);
            Exchange.check(ordinal >= 0 && ordinal < graph.shards().vertices());
            ranks.set(ordinal, NativeMemory.getLong(at + Long.BYTES));
        }
    }

    /**
     * Reads the edges of an own shard that stay; undirected ones once.
     *
     * @param into takes them, with ranks
     * @param strings gets those that are values
     */
    void readRows(
            int part, Records into, EdgeRecords layout, StringDictionary strings, StopSign stop) {
        int shard = graph.ownShards()[part];
        Rows rows = graph.out();
        AdjacencyLayout rowLayout = rows.layout();
        boolean once = !graph.descriptor().directed();
        ColumnRow asked = ColumnRow.ofEdges(graph, edgeColumns);
        ColumnRow carried = ColumnRow.ofEdges(graph, description.edgeProperties());
        for (long v = graph.shards().first(shard); v < graph.shards().end(shard); v++) {
            stop.check();
            long source = rank(v);
            if (source == none) {
                continue;
            }
            long entry = rows.entry(v);
            long targets = AdjacencyLayout.targets(entry);
            int degree = rowLayout.degreeOf(entry);
            asked.moveToEdgesOf(v);
            carried.moveToEdgesOf(v);
            for (int i = 0; i < degree; i++) {
                long other = rowLayout.target(targets, i);
                long target = once && other < v ? none : rank(other);
                if (target != none && (edgeTest == null || edgeTest.holds(asked))) {
                    float weight =
                            rowLayout.weighted()
                                    ? NativeMemory.getFloat(rowLayout.weight(targets, degree, i))
                                    : 1f;
                    long at = into.add();
                    layout.write(at, source, target, weight);
                    copy(carried, layout, at, strings);
                }
                asked.moveToNextEdge();
                carried.moveToNextEdge();
            }
        }
    }

    private static void copy(
            ColumnRow from, EdgeRecords layout, long at, StringDictionary strings) {
        PropertyLayout properties = layout.properties();
        for (int i = 0; i < properties.count(); i++) {
            long to = layout.values(at) + properties.offset(i);
            if (properties.isString(i)) {
                NativeMemory.putInt(to, from.code(i, strings));
            } else {
                NativeMemory.copy(from.address(i), to, properties.type(i).width());
            }
        }
    }

    private long rank(long ordinal) {
        return AdjacencyLayout.load(ranks.address() + ordinal * rankBytes, rankBytes);
    }

    @Override
    public void close() {
        ranks.close();
    }

    private static String noHint(String name, Collection<String> known) {
        return "";
    }
}
