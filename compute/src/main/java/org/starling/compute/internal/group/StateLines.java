package org.starling.compute.internal.group;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.graph.StringColumn;
import org.starling.compute.internal.protocol.OutputMessage.PartsWritten;
import org.starling.compute.internal.protocol.OutputMessage.WriteParts;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.Gate;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.StopSign;
import org.starling.compute.internal.run.VertexTexts;
import org.starling.graph.JobCancelledException;
import org.starling.graph.TextId;
import org.starling.graph.VertexId;

/**
 * A slave's part of {@link PartsFile}: writes a state of the slave's own shards, one file for each,
 * some at once. Ids of vertices that a state names are asked of their owners, piece by piece. Owned
 * by {@link SlaveJob}; one thread writes, another may end it.
 */
final class PartWriting {
    /** Lines that are made before they are written. */
    private static final int PIECE_VERTICES = 1 << 14;

    private static final String NONE = "-1";

    private final WriteParts command;
    private final StoredGraph graph;
    private final @Nullable Column column;
    private final @Nullable StringColumn strings;
    private final NodeContext node;
    private final StopSign stop = new StopSign();
    private final Gate gate = new Gate();

    private PartWriting(
            WriteParts command,
            StoredGraph graph,
            @Nullable Column column,
            @Nullable StringColumn strings,
            NodeContext node) {
        this.command = command;
        this.graph = graph;
        this.column = column;
        this.strings = strings;
        this.node = node;
    }

    /** Writes a state. */
    static PartWriting of(WriteParts command, StoredGraph graph, Column column, NodeContext node) {
        return new PartWriting(command, graph, column, null, node);
    }

    /** Writes strings. */
    static PartWriting of(
            WriteParts command, StoredGraph graph, StringColumn strings, NodeContext node) {
        return new PartWriting(command, graph, null, strings, node);
    }

    /** Lets it end soon; any thread. */
    void stop() {
        stop.raise();
    }

    /** Waits, after {@link #stop}, until nobody writes; false if somebody does even then. */
    boolean awaitEnd(Duration patience) {
        return gate.shut(patience);
    }

    PartsWritten write() {
        if (!gate.enter()) {
            throw new JobCancelledException("the writing has ended");
        }
        try {
            int[] shards =
                    Arrays.stream(graph.ownShards())
                            .filter(shard -> graph.shards().size(shard) > 0)
                            .toArray();
            long[] bytes = new long[shards.length];
            node.team()
                    .forEach(shards.length, stop, (_, part) -> bytes[part] = write(shards[part]));
            return new PartsWritten(shards, bytes);
        } finally {
            gate.leave();
        }
    }

    private long write(int shard) {
        Path part = PartsFile.part(Path.of(command.file()), shard, command.stamp());
        long bytes = 0;
        try (OutputStream out = PartsFile.create(part)) {
            long end = graph.shards().end(shard);
            long pieces = 0;
            for (long first = graph.shards().first(shard); first < end; first += PIECE_VERTICES) {
                FaultPoint.write(FaultPoint.SLAVE, pieces++, stop::isRaised);
                stop.check();
                byte[] lines = lines(first, (int) Math.min(PIECE_VERTICES, end - first));
                out.write(lines);
                bytes += lines.length;
            }
        } catch (IOException e) {
            throw PartsFile.unwritable(part, e);
        }
        return bytes;
    }

    private byte[] lines(long first, int count) {
        StringBuilder text = new StringBuilder();
        long[] own = new long[count];
        Arrays.setAll(own, i -> graph.id(first + i));
        List<String> names = names(own);
        if (strings != null) {
            for (long vertex = first; vertex < first + count; vertex++) {
                text.append(names.get((int) (vertex - first))).append(' ');
                text.append(strings.get(vertex)).append('\n');
            }
        } else {
            addLines(Objects.requireNonNull(column), first, names, text);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Ids as files have them. */
    private List<String> names(long[] ids) {
        return graph.descriptor().textIds()
                ? VertexTexts.of(ids, graph, node, command.term()).stream()
                        .map(TextId::field)
                        .toList()
                : Arrays.stream(ids).mapToObj(VertexId::text).toList();
    }

    private void addLines(Column of, long first, List<String> names, StringBuilder text) {
        int count = names.size();
        ColumnType element = of.type().element();
        boolean named = element.namesVertices();
        String[] others = named ? named(of, first, count) : new String[0];
        for (int i = 0; i < count; i++) {
            text.append(names.get(i));
            for (int e = 0; e < of.type().length(); e++) {
                long bits = bits(of, first + i, e);
                text.append(' ');
                if (named) {
                    text.append(others[i]);
                } else {
                    text.append(element.format(bits));
                }
            }
            text.append('\n');
        }
    }

    private static long bits(Column column, long ordinal, int element) {
        ColumnType type = column.type().element();
        return type.read(
                column.address() + ordinal * column.type().width() + (long) element * type.width());
    }

    private String[] named(Column column, long first, int count) {
        long[] ordinals = new long[count];
        Arrays.setAll(ordinals, i -> bits(column, first + i, 0));
        long[] present = Arrays.stream(ordinals).filter(one -> one >= 0).toArray();
        boolean byOrdinal = column.type().element() == ColumnType.VERTEX;
        List<String> found =
                names(byOrdinal ? VertexIds.of(present, graph, node, command.term()) : present);
        String[] named = new String[count];
        int next = 0;
        for (int i = 0; i < count; i++) {
            named[i] = ordinals[i] < 0 ? NONE : found.get(next++);
        }
        return named;
    }
}
