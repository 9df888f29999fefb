package org.starling.compute.internal.build;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.filter.Filter;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.EdgeColumn;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.compute.internal.graph.StringColumn;
import org.starling.compute.internal.graph.StringsLayout;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.net.NativeMemory;

/**
 * Values of one vertex, or one edge, of an own shard: what conditions ask, and what is carried over
 * into another graph. One for each thread; moved from row to row.
 */
public final class ColumnRow implements Filter.Row {
    /** The original id of a vertex, unless a column has that name. */
    private static final String ID = "id";

    private final StoredGraph graph;
    private final StateType[] types;
    private final @Nullable Column[] ofVertices;
    private final @Nullable StringColumn[] strings;
    private final EdgeColumn[] ofEdges;
    private final long[] addresses;

    /** Where the chunk of each column of strings lies that has the row. */
    private final long[] dictionaries;

    /** Which column is the original id, where that is a text; -1 if none is. */
    private final int textId;

    /** Vertices whose texts are read at once. */
    private static final int READ_TEXTS = 1 << 12;

    private @Nullable Function<long[], List<String>> readTexts;

    /** Texts of vertices from an ordinal on. */
    private long firstText;

    private List<String> texts = List.of();
    private MemorySegment text = MemorySegment.ofArray(new byte[0]);

    private ColumnRow(
            StoredGraph graph,
            List<Property> properties,
            @Nullable Column[] ofVertices,
            @Nullable StringColumn[] strings,
            EdgeColumn[] ofEdges,
            int textId) {
        this.graph = graph;
        this.textId = textId;
        this.strings = strings;
        this.types = properties.stream().map(StoredProperty::type).toArray(StateType[]::new);
        this.ofVertices = ofVertices;
        this.ofEdges = ofEdges;
        this.addresses = new long[types.length];
        this.dictionaries = new long[types.length];
    }

    /** Columns of vertices; those that nobody has read yet are read now. */
    static ColumnRow ofVertices(StoredGraph graph, List<Property> wanted) {
        @Nullable Column[] columns = new Column[wanted.size()];
        @Nullable StringColumn[] strings = new StringColumn[wanted.size()];
        int textId = -1;
        for (int i = 0; i < columns.length; i++) {
            String name = wanted.get(i).name();
            if (isTextId(graph, name)) {
                textId = i;
            } else if (wanted.get(i).type() == PropertyType.STRING) {
                strings[i] = graph.requireStrings(name);
            } else {
                columns[i] = graph.state(name);
            }
        }
        return new ColumnRow(graph, wanted, columns, strings, new EdgeColumn[0], textId);
    }

    private static boolean isTextId(StoredGraph graph, String name) {
        return graph.descriptor().textIds()
                && name.equals(ID)
                && !graph.vertexColumns().containsKey(ID);
    }

    /** Columns of edges. */
    static ColumnRow ofEdges(StoredGraph graph, List<Property> wanted) {
        EdgeColumn[] columns =
                wanted.stream()
                        .map(property -> graph.edgeColumn(property.name()))
                        .toArray(EdgeColumn[]::new);
        return new ColumnRow(graph, wanted, new Column[0], new StringColumn[0], columns, -1);
    }

    /**
     * What conditions on vertices can name: states, published columns and properties, and the id.
     *
     * @param types of all columns of vertices
     * @param textIds whether ids are texts
     * @param which leaves all others out
     */
    public static List<Property> nameable(
            Map<String, StateType> types, boolean textIds, Predicate<String> which) {
        List<Property> columns = new ArrayList<>();
        types.forEach((name, type) -> {
            if (which.test(name) && !type.element().namesVertices()) {
                columns.add(new StoredProperty(name, type, false).property());
            }
        });
        if (which.test(ID) && !types.containsKey(ID)) {
            columns.add(Property.of(ID, textIds ? PropertyType.STRING : PropertyType.LONG));
        }
        return columns;
    }

    /** How ids that are texts are read, if conditions name them. */
    void readIdsBy(Function<long[], List<String>> reader) {
        readTexts = reader;
    }

    void moveToVertex(long ordinal) {
        for (int i = 0; i < types.length; i++) {
            if (i == textId) {
                text = MemorySegment.ofArray(idText(ordinal).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            StringColumn string = strings[i];
            if (string != null) {
                addresses[i] = string.codeAddress(ordinal);
                dictionaries[i] = string.chunk(ordinal);
                continue;
            }
            Column column = ofVertices[i];
            addresses[i] =
                    column == null
                            ? graph.idAddress(ordinal)
                            : column.address() + ordinal * types[i].width();
        }
    }

    /** The vertex' id; those of some behind it, in its shard, are read with it. */
    private String idText(long ordinal) {
        if (ordinal < firstText || ordinal >= firstText + texts.size()) {
            long end = graph.shards().end(graph.shards().shardOf(ordinal));
            long[] numbers = new long[(int) Math.min(READ_TEXTS, end - ordinal)];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = graph.id(ordinal + i);
            }
            texts = Objects.requireNonNull(readTexts, "who reads texts").apply(numbers);
            firstText = ordinal;
        }
        return texts.get((int) (ordinal - firstText));
    }

    /** Moves to the first edge of a vertex. */
    void moveToEdgesOf(long ordinal) {
        for (int i = 0; i < types.length; i++) {
            addresses[i] = ofEdges[i].rowAddress(ordinal);
            if (types[i].element() == ColumnType.STRING) {
                dictionaries[i] = ofEdges[i].chunk(ordinal);
            }
        }
    }

    void moveToNextEdge() {
        for (int i = 0; i < types.length; i++) {
            addresses[i] += types[i].width();
        }
    }

    /** Where a column's value stands. */
    long address(int column) {
        return addresses[column];
    }

    /** A string. */
    String string(int column) {
        return StringsLayout.string(dictionaries[column], code(column));
    }

    /** The code that a string has among others, which get it. */
    int code(int column, StringDictionary into) {
        long chunk = dictionaries[column];
        int code = code(column);
        return into.code(StringsLayout.address(chunk, code), StringsLayout.bytes(chunk, code));
    }

    @Override
    public MemorySegment utf8(int column) {
        if (column == textId) {
            return text;
        }
        return StringsLayout.segment(dictionaries[column], code(column));
    }

    private int code(int column) {
        return NativeMemory.getInt(addresses[column]);
    }

    @Override
    public long asLong(int column, int element) {
        return types[column].element().asLong(bits(column, element));
    }

    @Override
    public double asDouble(int column, int element) {
        return types[column].element().asDouble(bits(column, element));
    }

    private long bits(int column, int element) {
        ColumnType type = types[column].element();
        return type.read(addresses[column] + (long) element * type.width());
    }
}
