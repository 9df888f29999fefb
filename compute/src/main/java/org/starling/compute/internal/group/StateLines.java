package org.starling.compute.internal.group;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.graph.StringColumn;
import org.starling.compute.internal.protocol.OutputMessage.WriteParts;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.OutputParts;
import org.starling.compute.internal.run.StopSign;

/**
 * Files of lines {@code id value}, which a slave writes of a state of its own shards. Ids of
 * vertices that a state names are asked of their owners, piece by piece. Any thread.
 */
final class StateLines implements PartWriting.ShardFile {
    /** Lines that are made before they are written. */
    private static final int PIECE_VERTICES = 1 << 14;

    private final WriteParts command;
    private final StoredGraph graph;
    private final @Nullable Column column;
    private final @Nullable StringColumn strings;
    private final VertexNames ids;

    private StateLines(
            WriteParts command,
            StoredGraph graph,
            @Nullable Column column,
            @Nullable StringColumn strings,
            NodeContext node) {
        this.command = command;
        this.graph = graph;
        this.column = column;
        this.strings = strings;
        this.ids = new VertexNames(graph, node, command.term());
    }

    /** Those of a state, or of a property of strings. */
    static StateLines of(WriteParts command, StoredGraph graph, NodeContext node) {
        StringColumn strings = graph.strings(command.state());
        return strings == null
                ? new StateLines(
                        command, graph, SlaveGraphs.existing(graph, command.state()), null, node)
                : new StateLines(command, graph, null, strings, node);
    }

    @Override
    public long write(int shard, StopSign stop) {
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
            throw OutputParts.cannotWrite(part.toString(), e);
        }
        return bytes;
    }

    private byte[] lines(long first, int count) {
        StringBuilder text = new StringBuilder();
        long[] own = new long[count];
        Arrays.setAll(own, i -> graph.id(first + i));
        List<String> names = ids.of(own);
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

    private void addLines(Column of, long first, List<String> names, StringBuilder text) {
        int count = names.size();
        ColumnType element = of.type().element();
        boolean named = element.namesVertices();
        String[] others = named ? ids.named(of, first, count) : new String[0];
        for (int i = 0; i < count; i++) {
            text.append(names.get(i));
            for (int e = 0; e < of.type().length(); e++) {
                long bits = VertexNames.bits(of, first + i, e);
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
}
