package org.starling.loaders;

import it.unimi.dsi.fastutil.floats.FloatArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.objects.Object2LongOpenHashMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PartSummary;
import org.starling.graph.Property;
import org.starling.graph.SourceDescription;
import org.starling.graph.TextId;

/**
 * All edges of a file in memory, and its vertices in the order of their ids, on the way into
 * another file. Confined to one thread.
 */
final class EdgeTable {
    /** Bytes of an edge and of the ids at its ends, while they are sorted. */
    private static final long EDGE_BYTES = 60;

    /** What an id that is a text takes beside its characters. */
    private static final long TEXT_BYTES = 100;

    private static final long MAX_EDGES = 1L << 30;

    private final LongArrayList sources = new LongArrayList();
    private final LongArrayList targets = new LongArrayList();
    private final FloatArrayList weights = new FloatArrayList();
    private final LongArrayList named = new LongArrayList();
    private final boolean directed;
    private final SourceDescription description;
    private long[] ids = {};

    /** Numbers of ids that are texts, in the order in which they came. */
    private final Object2LongOpenHashMap<String> numbers = new Object2LongOpenHashMap<>();

    /** These texts, in the order of their code points; empty where ids are numbers. */
    private String[] texts = {};

    private EdgeTable(boolean directed, SourceDescription description) {
        this.directed = directed;
        this.description = description;
    }

    /**
     * Reads a source.
     *
     * @param directed whether its edges have directions
     * @throws InvalidInputException if it does not fit into memory, or makes no sense
     */
    static EdgeTable read(EdgeSource source, boolean directed) throws IOException {
        SourceDescription description = source.describe();
        long room = Runtime.getRuntime().maxMemory();
        long edges = description.edgeCount();
        if (edges > MAX_EDGES
                || edges * EDGE_BYTES > room
                || description.vertexCount() * Long.BYTES * 2 > room
                || (description.textIds()
                        && description.stringBytes() + description.vertexCount() * TEXT_BYTES
                                > room)) {
            throw new InvalidInputException(
                    String.format(
                            Locale.ROOT,
                            "about %,d edges and %,d vertices don't fit into the %,d MiB of this program (give it more: STARLING_JAVA_OPTS=-Xmx…)",
                            edges,
                            description.vertexCount(),
                            room >> 20));
        }
        EdgeTable table = new EdgeTable(directed, description);
        List<PartSummary> parts = new ArrayList<>();
        for (int part = 0; part < description.parts(); part++) {
            parts.add(source.read(part, table.sink()));
        }
        source.check(parts);
        table.number();
        return table;
    }

    private EdgeSink sink() {
        return new EdgeSink() {
            @Override
            public void edge(long source, long target, float weight) {
                sources.add(source);
                targets.add(target);
                weights.add(weight);
            }

            @Override
            public void vertex(long id) {
                named.add(id);
            }

            @Override
            public long number(byte[] utf8, int offset, int length) {
                TextId.require(utf8, offset, length);
                String text = new String(utf8, offset, length, StandardCharsets.UTF_8);
                return numbers.computeIfAbsent(text, _ -> numbers.size());
            }
        };
    }

    private void number() {
        if (description.dense()) {
            return;
        }
        if (description.textIds()) {
            numberTexts();
        }
        long[] all = new long[2 * sources.size() + named.size()];
        sources.getElements(0, all, 0, sources.size());
        targets.getElements(0, all, sources.size(), sources.size());
        named.getElements(0, all, 2 * sources.size(), named.size());
        for (int i = 0; i < all.length; i++) {
            all[i] ^= Long.MIN_VALUE; // ids are unsigned
        }
        Arrays.parallelSort(all);
        int count = 0;
        for (int i = 0; i < all.length; i++) {
            if (i == 0 || all[i] != all[i - 1]) {
                all[count++] = all[i];
            }
        }
        ids = Arrays.copyOf(all, count);
    }

    /** Texts are numbered anew, in their order. */
    private void numberTexts() {
        String[] came = new String[numbers.size()];
        numbers.object2LongEntrySet()
                .forEach(entry -> came[(int) entry.getLongValue()] = entry.getKey());
        Integer[] order = new Integer[came.length];
        Arrays.setAll(order, i -> i);
        byte[][] bytes = Arrays.stream(came).map(EdgeTable::utf8).toArray(byte[][]::new);
        Arrays.sort(order, (a, b) -> Arrays.compareUnsigned(bytes[a], bytes[b]));
        long[] places = new long[came.length];
        texts = new String[came.length];
        for (int place = 0; place < order.length; place++) {
            places[order[place]] = place;
            texts[place] = came[order[place]];
        }
        numbers.clear();
        for (LongArrayList some : List.of(sources, targets, named)) {
            some.replaceAll((long number) -> places[(int) number]);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether ids are texts: then {@link #id} is their place, and {@link #name} the text. */
    boolean textIds() {
        return description.textIds();
    }

    /** What an id is called in files. */
    String name(long id) {
        return textIds() ? texts[(int) id] : Long.toUnsignedString(id);
    }

    boolean directed() {
        return directed;
    }

    boolean weighted() {
        return description.weighted();
    }

    int edges() {
        return sources.size();
    }

    long source(int edge) {
        return sources.getLong(edge);
    }

    long target(int edge) {
        return targets.getLong(edge);
    }

    float weight(int edge) {
        return weights.getFloat(edge);
    }

    long vertices() {
        return description.dense() ? description.vertexCount() : ids.length;
    }

    /** The id of a vertex, by its place among all ids. */
    long id(long rank) {
        return description.dense()
                ? description.firstId() + rank
                : ids[(int) rank] ^ Long.MIN_VALUE;
    }

    /** The place of an id among all. */
    long rank(long id) {
        return description.dense()
                ? id - description.firstId()
                : Arrays.binarySearch(ids, id ^ Long.MIN_VALUE);
    }

    /** Whether vertices that are counted from there have other numbers than their ids. */
    boolean isRenumbered(long first) {
        long count = vertices();
        return textIds() || (count > 0 && (id(0) != first || id(count - 1) != first + count - 1));
    }

    /** Names of properties, which no file that is written holds. */
    Set<String> properties() {
        Set<String> names = new TreeSet<>();
        description.vertexProperties().stream().map(Property::name).forEach(names::add);
        description.edgeProperties().stream().map(Property::name).forEach(names::add);
        return names;
    }
}
