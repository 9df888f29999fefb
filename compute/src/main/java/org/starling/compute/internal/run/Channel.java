package org.starling.compute.internal.run;

import java.util.List;
import org.starling.compute.internal.graph.AdjacencyLayout;

/**
 * A channel on one node: two inboxes and two published columns, used in turn.
 *
 * <p>Messages sent in superstep s go to inbox (s + 1) mod 2; broadcasts of superstep s stand in
 * published column s mod 2 and are delivered at the beginning of superstep s + 1. So what is read
 * in a superstep is never what is being written.
 */
final class Channel implements AutoCloseable {
    private final String name;
    private final int index;
    private final ValueOp op;
    private final EdgePaths paths;
    private final MessageRecords messages;
    private final Inbox[] inboxes;
    private final Published[] published;
    private final List<PathPush> pushes;
    private final List<PathPull> pulls;

    Channel(
            String name,
            int index,
            ValueOp op,
            EdgePaths paths,
            AdjacencyLayout rows,
            long vertices,
            int workers,
            ZeroedMemory memory) {
        this.name = name;
        this.index = index;
        this.op = op;
        this.paths = paths;
        this.messages = new MessageRecords(rows.targetBytes(), op.width());
        PushKernel push = KernelCompiler.push(op, rows);
        this.pushes =
                paths.paths().stream().map(path -> new PathPush(path, push, workers)).toList();
        PullKernel pull = KernelCompiler.pull(op, rows);
        this.pulls =
                paths.paths().stream()
                        .filter(EdgePaths.Path::canPull)
                        .map(path -> new PathPull(path, op, pull))
                        .toList();
        this.inboxes =
                new Inbox[] {new Inbox(op, vertices, memory), new Inbox(op, vertices, memory)};
        this.published =
                new Published[] {
                    new Published(op, vertices, memory), new Published(op, vertices, memory)
                };
    }

    /** Name in the program. */
    String name() {
        return name;
    }

    /** Number in the order of declaration, which is the same on every node. */
    int index() {
        return index;
    }

    /** Type and combiner. */
    ValueOp op() {
        return op;
    }

    /** Rows along which broadcasts go. */
    EdgePaths paths() {
        return paths;
    }

    /** How messages are laid out in blocks. */
    MessageRecords messages() {
        return messages;
    }

    /** Carry broadcasts along edges, a path each. */
    List<PathPush> pushes() {
        return pushes;
    }

    /** Collect broadcasts from neighbours, a path each. */
    List<PathPull> pulls() {
        return pulls;
    }

    /** What is received in a superstep. */
    Inbox inbox(int superstep) {
        return inboxes[superstep & 1];
    }

    /** What is broadcast in a superstep. */
    Published published(int superstep) {
        return published[superstep & 1];
    }

    /** Bytes of memory that its columns have taken. */
    long takenBytes() {
        long bytes = 0;
        for (int i = 0; i < 2; i++) {
            bytes += inboxes[i].takenBytes() + published[i].takenBytes();
        }
        return bytes;
    }

    @Override
    public void close() {
        for (int i = 0; i < 2; i++) {
            inboxes[i].close();
            published[i].close();
        }
    }
}
