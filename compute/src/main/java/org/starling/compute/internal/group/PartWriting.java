package org.starling.compute.internal.group;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.OutputMessage.PartsWritten;
import org.starling.compute.internal.protocol.OutputMessage.WriteParts;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.Gate;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.StopSign;
import org.starling.graph.JobCancelledException;
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
    private final Column column;
    private final NodeContext node;
    private final StopSign stop = new StopSign();
    private final Gate gate = new Gate();

    PartWriting(WriteParts command, StoredGraph graph, Column column, NodeContext node) {
        this.command = command;
        this.graph = graph;
        this.column = column;
        this.node = node;
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
        ColumnType element = column.type().element();
        boolean named = element == ColumnType.VERTEX;
        long[] ids = named ? namedIds(first, count) : new long[0];
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(VertexId.text(graph.id(first + i)));
            for (int e = 0; e < column.type().length(); e++) {
                long bits = bits(first + i, e);
                text.append(' ');
                if (named) {
                    text.append(bits < 0 ? NONE : VertexId.text(ids[i]));
                } else {
                    text.append(element.format(bits));
                }
            }
            text.append('\n');
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private long bits(long ordinal, int element) {
        ColumnType type = column.type().element();
        long value = column.address() + ordinal * column.type().width();
        return type.read(value + (long) element * type.width());
    }

    private long[] namedIds(long first, int count) {
        long[] ordinals = new long[count];
        Arrays.setAll(ordinals, i -> bits(first + i, 0));
        long[] present = Arrays.stream(ordinals).filter(one -> one >= 0).toArray();
        long[] found = VertexIds.of(present, graph, node, command.term());
        long[] ids = new long[count];
        int next = 0;
        for (int i = 0; i < count; i++) {
            if (ordinals[i] >= 0) {
                ids[i] = found[next++];
            }
        }
        return ids;
    }
}
