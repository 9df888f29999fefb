package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.ShardTable;
import org.starling.graph.RecordLayout;

/**
 * A channel of messages that are not combined on one node: two inboxes, used in turn as those of a
 * {@link Channel}.
 */
final class RecordStream implements AutoCloseable {
    private final String name;
    private final int index;
    private final RecordFormat format;
    private final long messages;
    private final RecordInbox[] inboxes;

    RecordStream(
            String name,
            int index,
            RecordFormat format,
            long messages,
            ShardTable shards,
            RecordMemory memory,
            ZeroedMemory zeroed) {
        this.name = name;
        this.index = index;
        this.format = format;
        this.messages = messages;
        this.inboxes =
                new RecordInbox[] {
                    new RecordInbox(format, shards, memory, zeroed),
                    new RecordInbox(format, shards, memory, zeroed)
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

    RecordFormat format() {
        return format;
    }

    /** How many the program expects to wait for one superstep, in the whole graph. */
    long messages() {
        return messages;
    }

    /** Throws unless another instance of the program has the same fields. */
    void check(RecordLayout layout) {
        if (layout.bytes() != format.fieldBytes()) {
            throw new IllegalArgumentException(
                    "channel \"" + name + "\" has other fields in another instance");
        }
    }

    /** What is received in a superstep. */
    RecordInbox inbox(int superstep) {
        return inboxes[superstep & 1];
    }

    /** Bytes of memory that its columns have taken. */
    long takenBytes() {
        return inboxes[0].takenBytes() + inboxes[1].takenBytes();
    }

    @Override
    public void close() {
        inboxes[0].close();
        inboxes[1].close();
    }
}
