package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.RowWindow;
import org.starling.compute.internal.graph.Rows;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.graph.JobFailedException;
import org.starling.graph.RecordChannel;
import org.starling.graph.RecordCursor;
import org.starling.graph.RecordLayout;
import org.starling.graph.RecordLayout.DoubleField;
import org.starling.graph.RecordLayout.Field;
import org.starling.graph.RecordLayout.FloatField;
import org.starling.graph.RecordLayout.IntField;
import org.starling.graph.RecordLayout.LongField;
import org.starling.graph.RecordMessage;
import org.starling.net.NativeMemory;

/**
 * A channel of messages that are not combined, as one worker's program sees it. The message that is
 * being written stands in native memory as it will be sent. Confined to the worker's thread.
 */
final class RecordHandle implements RecordChannel, AutoCloseable {
    private final Worker worker;
    private final RecordStream stream;
    private final RecordFormat format;
    private final RecordLayout layout;
    private final RowWindow rows;
    private final RecordInbox.Appender[] appenders;
    private final Message message;
    private final Cursor cursor = new Cursor();
    private RecordInbox inbox;
    private RecordInbox.Appender next;
    private int superstep;

    RecordHandle(Worker worker, RecordStream stream, RecordLayout layout, Rows rows) {
        this.worker = worker;
        this.stream = stream;
        this.format = stream.format();
        this.layout = layout;
        this.rows = worker.window(rows);
        this.appenders =
                new RecordInbox.Appender[] {
                    stream.inbox(0).new Appender(), stream.inbox(1).new Appender()
                };
        this.message = new Message();
        this.inbox = stream.inbox(0);
        this.next = appenders[1];
    }

    /** Turns to the inboxes of a superstep. */
    void enter(int newSuperstep) {
        superstep = newSuperstep;
        inbox = stream.inbox(newSuperstep);
        next = appenders[newSuperstep + 1 & 1];
        message.number = 0;
        message.sender = -1;
    }

    /** Hands in what has been sent to own vertices. */
    void flush() {
        next.flush();
    }

    @Override
    public RecordMessage message(long sender) {
        worker.checkOwn(sender);
        message.begin(sender);
        return message;
    }

    @Override
    public RecordCursor received(long ordinal) {
        worker.checkOwn(ordinal);
        cursor.reset(ordinal);
        return cursor;
    }

    @Override
    public boolean hasReceived(long ordinal) {
        worker.checkOwn(ordinal);
        return inbox.receivers.has(ordinal);
    }

    @Override
    public long nextReceiver(long from) {
        if (from < worker.shardEnd()) {
            worker.checkOwn(from);
        }
        return inbox.receivers.next(from, worker.shardEnd());
    }

    @Override
    public void close() {
        for (RecordInbox.Appender appender : appenders) {
            appender.flush();
        }
        NativeMemory.release(message.memory, format.bytes());
    }

    /** Where a field of a message stands; a field of another layout is refused. */
    private long field(long at, Field field) {
        if (field.layout() != layout) {
            throw new IllegalArgumentException(
                    "field \"" + field.name() + "\" is none of channel \"" + stream.name() + '"');
        }
        return at + format.fields() + field.offset();
    }

    private final class Message implements RecordMessage {
        private final long memory = NativeMemory.reserve(format.bytes());
        private long sender = -1;
        private int number;

        private void begin(long newSender) {
            sender = newSender;
            format.writeSender(memory, newSender);
            NativeMemory.fill(memory + format.fields(), format.fieldBytes(), (byte) 0);
        }

        @Override
        public RecordMessage set(IntField field, int value) {
            NativeMemory.putInt(field(memory, field), value);
            return this;
        }

        @Override
        public RecordMessage set(LongField field, long value) {
            NativeMemory.putLong(field(memory, field), value);
            return this;
        }

        @Override
        public RecordMessage set(FloatField field, float value) {
            NativeMemory.putFloat(field(memory, field), value);
            return this;
        }

        @Override
        public RecordMessage set(DoubleField field, double value) {
            NativeMemory.putDouble(field(memory, field), value);
            return this;
        }

        @Override
        public void send(long target) {
            worker.checkOwn(sender); // it may be of a shard that is done
            sendTo(target);
        }

        @Override
        public void sendToNeighbours() {
            worker.checkOwn(sender);
            AdjacencyLayout targets = rows.rows().layout();
            long entry = rows.entry(sender);
            long at = AdjacencyLayout.targets(entry);
            long end = targets.targetsEnd(at, targets.degreeOf(entry));
            for (; at < end; at += targets.targetBytes()) {
                sendTo(targets.target(at));
            }
        }

        private void sendTo(long target) {
            if (++number == 0) {
                throw new JobFailedException(
                        "a worker has sent 2^32 messages on channel \"%s\" in one superstep; send fewer"
                                .formatted(stream.name()));
            }
            format.writeNumber(memory, number);
            format.writeReceiver(memory, target);
            Outbox outbox = worker.outboxFor(target);
            long to =
                    outbox == null
                            ? next.append(target)
                            : outbox.record(
                                    BlockLayout.RECORDS,
                                    superstep + 1,
                                    stream.index(),
                                    format.bytes());
            NativeMemory.copy(memory, to, format.bytes());
        }
    }

    private final class Cursor implements RecordCursor {
        private long place;
        private long end;
        private int count;
        private long at;

        private void reset(long ordinal) {
            count = inbox.count(ordinal);
            place = count == 0 ? 0 : inbox.order(worker.shard(), ordinal);
            end = place + ((long) count << 3);
            at = 0;
        }

        @Override
        public boolean next() {
            if (place == end) {
                at = 0;
                return false;
            }
            at = NativeMemory.getLong(place);
            place += Long.BYTES;
            return true;
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public long sender() {
            return format.sender(here());
        }

        @Override
        public int get(IntField field) {
            return NativeMemory.getInt(field(here(), field));
        }

        @Override
        public long get(LongField field) {
            return NativeMemory.getLong(field(here(), field));
        }

        @Override
        public float get(FloatField field) {
            return NativeMemory.getFloat(field(here(), field));
        }

        @Override
        public double get(DoubleField field) {
            return NativeMemory.getDouble(field(here(), field));
        }

        private long here() {
            if (at == 0) {
                throw new IllegalStateException("the cursor stands on no message");
            }
            return at;
        }
    }
}
