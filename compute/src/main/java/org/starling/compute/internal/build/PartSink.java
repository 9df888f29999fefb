package org.starling.compute.internal.build;

import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.run.StopSign;
import org.starling.graph.EdgeSink;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PropertyValues;
import org.starling.graph.SourceDescription;
import org.starling.graph.TextId;

/** Takes edges from one reading thread, drops self-loops. Confined to that thread. */
final class PartSink implements EdgeSink {
    private final SourceDescription source;
    private final EdgeRecords layout;
    private final StopSign stop;
    private final Records edges;
    private final EdgeRecords vertexLayout;
    private final Records vertices;
    private final StringDictionary strings;

    /** Ids that are texts, whose codes are what edges name; null if ids are numbers. */
    private final @Nullable StringDictionary texts;

    private final IdSet ids = new IdSet();
    private long selfLoops;

    /**
     * Starts with no edges.
     *
     * @param layout of edges as read: ranks of a dense source, ids of a sparse one, codes of texts
     * @param vertexLayout of values of vertices' properties, with the same ends
     * @param strings gets those that are properties
     * @param texts gets ids that are texts; null if ids are numbers
     */
    PartSink(
            SourceDescription source,
            EdgeRecords layout,
            EdgeRecords vertexLayout,
            Slabs slabs,
            StringDictionary strings,
            @Nullable StringDictionary texts,
            StopSign stop) {
        this.source = source;
        this.strings = strings;
        this.texts = texts;
        this.stop = stop;
        this.layout = layout;
        this.edges = new Records(slabs, layout.bytes());
        this.vertexLayout = vertexLayout;
        this.vertices = new Records(slabs, vertexLayout.bytes());
    }

    @Override
    public void edge(long from, long to, float weight) {
        edge(from, to, weight, null);
    }

    @Override
    public void edge(long from, long to, float weight, @Nullable PropertyValues values) {
        stop.check();
        if (source.dense()) {
            long first = ordinal(from);
            long second = ordinal(to);
            if (first == second) {
                selfLoops++;
            } else {
                add(first, second, weight, values);
            }
            return;
        }
        if (texts != null) {
            requireCode(from);
            requireCode(to);
            if (from == to) {
                selfLoops++;
            } else {
                add(from, to, weight, values);
            }
            return;
        }
        ids.add(IdRanges.ordered(from));
        if (from == to) {
            selfLoops++;
        } else {
            ids.add(IdRanges.ordered(to));
            add(IdRanges.ordered(from), IdRanges.ordered(to), weight, values);
        }
    }

    private void add(long first, long second, float weight, @Nullable PropertyValues values) {
        long at = edges.add();
        layout.write(at, first, second, weight);
        if (layout.valued()) {
            write(layout, at, values);
        }
    }

    private void write(EdgeRecords records, long at, @Nullable PropertyValues values) {
        if (values == null) {
            records.properties().clear(records.values(at));
        } else {
            records.properties().write(records.values(at), values, strings);
        }
    }

    @Override
    public void vertex(long id, PropertyValues values) {
        vertex(id);
        if (vertexLayout.valued()) {
            long at = vertices.add();
            boolean asNamed = texts != null;
            long end = source.dense() ? ordinal(id) : asNamed ? id : IdRanges.ordered(id);
            vertexLayout.write(at, end, 0, 0);
            write(vertexLayout, at, values);
        }
    }

    @Override
    public void vertex(long id) {
        stop.check();
        if (source.dense()) {
            ordinal(id);
        } else if (texts != null) {
            requireCode(id);
        } else {
            ids.add(IdRanges.ordered(id));
        }
    }

    @Override
    public long number(byte[] utf8, int offset, int length) {
        if (texts == null) {
            return EdgeSink.super.number(utf8, offset, length);
        }
        TextId.require(utf8, offset, length);
        return texts.code(utf8, offset, length);
    }

    /** A bug of the source would lead to a vertex that nobody has named. */
    private void requireCode(long number) {
        if (texts == null || number < 0 || number >= texts.size()) {
            throw new IllegalArgumentException(
                    number + " is no number that this sink has given to a text");
        }
    }

    /** Edges; those of a sparse source with ids as {@link IdRanges#ordered} has them. */
    Records edges() {
        return edges;
    }

    /** Values of vertices' properties, with ranks or ids as edges have them. */
    Records vertices() {
        return vertices;
    }

    /** Ids that were named, as {@link IdRanges#ordered} has them. */
    IdSet ids() {
        return ids;
    }

    long selfLoops() {
        return selfLoops;
    }

    private long ordinal(long id) {
        long ordinal = id - source.firstId();
        if (ordinal < 0 || ordinal >= source.vertexCount()) {
            throw new InvalidInputException(
                    "vertex id "
                            + Long.toUnsignedString(id)
                            + " is outside "
                            + Long.toUnsignedString(source.firstId())
                            + " to "
                            + Long.toUnsignedString(source.firstId() + source.vertexCount() - 1));
        }
        return ordinal;
    }
}
