package org.starling.compute.internal.group;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.compute.internal.protocol.OutputMessage.WriteTable;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.NodeContext;
import org.starling.compute.internal.run.OutputParts;
import org.starling.compute.internal.run.StopSign;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.StateCursor;
import org.starling.graph.VertexColumns;
import org.starling.graph.VertexTableFormats;

/** Files that are tables, which a slave writes of columns of its own shards. Any thread. */
final class ShardTableFile implements PartWriting.ShardFile {
    private static final int BUFFER_BYTES = 1 << 18;

    private final WriteTable command;
    private final StoredGraph graph;
    private final VertexNames names;
    private final VertexTableFormats formats;

    ShardTableFile(WriteTable command, StoredGraph graph, NodeContext node) {
        this.command = command;
        this.graph = graph;
        this.names = new VertexNames(graph, node, command.term());
        this.formats = formats(command.format());
    }

    private static VertexTableFormats formats(String name) {
        ClassLoader ours = Objects.requireNonNull(ShardTableFile.class.getClassLoader());
        for (VertexTableFormats some : ServiceLoader.load(VertexTableFormats.class, ours)) {
            if (some.names().contains(name)) {
                return some;
            }
        }
        throw new InvalidInputException("there is no format \"%s\" of tables".formatted(name));
    }

    @Override
    public long write(int shard, StopSign stop) {
        Path folder = Path.of(command.folder());
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new JobFailedException(PartsFolder.notSeen(folder));
        }
        Path part = folder.resolve(PartsFolder.part(shard, command.ending()));
        try (CountedOutput out =
                new CountedOutput(new BufferedOutputStream(PartsFile.create(part), BUFFER_BYTES))) {
            write(shard, stop, part, out);
            out.flush();
            return out.bytes;
        } catch (IOException e) {
            throw OutputParts.cannotWrite(part.toString(), e);
        }
    }

    private void write(int shard, StopSign stop, Path part, OutputStream out) throws IOException {
        List<StateCursor> cursors = new ArrayList<>();
        long[] pieces = {0};
        for (String column : command.columns()) {
            Runnable onPiece =
                    cursors.isEmpty()
                            ? () -> {
                                FaultPoint.write(FaultPoint.SLAVE, pieces[0]++, stop::isRaised);
                                stop.check();
                            }
                            : () -> {};
            cursors.add(new ShardStateCursor(graph, column, shard, names, onPiece));
        }
        VertexColumns columns =
                new VertexColumns(
                        command.columns(), cursors, graph.descriptor().textIds(), names::texts);
        formats.write(command.format(), part.getFileName().toString(), columns, out);
    }

    /** Knows how many bytes have passed. */
    private static final class CountedOutput extends FilterOutputStream {
        private long bytes;

        CountedOutput(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int one) throws IOException {
            out.write(one);
            bytes++;
        }

        @Override
        public void write(byte[] from, int offset, int count) throws IOException {
            out.write(from, offset, count);
            bytes += count;
        }
    }
}
