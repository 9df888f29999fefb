package org.starling.store.internal.node;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.Request;
import org.starling.store.Durability;

/**
 * The messages between a node that uses chunks and the node that owns them; type ids 1000 to 1049.
 * Array lengths are checked by the importer against the bytes that came.
 */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface ChunkMessage extends Message {
    /** The most ids in one message; longer batches are cut. */
    int MAX_IDS = 1 << 16;

    /**
     * An answer or a put stops growing at this many bytes of payload, but always holds at least one
     * chunk.
     */
    int BATCH_BYTES = 4 << 20;

    /** What is known about one id of a get. */
    byte PRESENT = 0;

    /** There is no such chunk. */
    byte ABSENT = 1;

    /** The asked node does not own it. */
    byte ELSEWHERE = 2;

    /** It is longer than can be sent. */
    byte TOO_LONG = 3;

    /** No good copy of it is left. */
    byte LOST = 4;

    /** The sequence number of a write that is not repeated. */
    long UNTAGGED = 0;

    MessageType<Get> GET = new MessageType<>(1000, "store.Get", in -> new Get(in.readLongs()));
    MessageType<Values> VALUES = new MessageType<>(1001, "store.Values", Values::read);
    MessageType<Put> PUT = new MessageType<>(1002, "store.Put", Put::read);
    MessageType<Remove> REMOVE =
            new MessageType<>(
                    1003,
                    "store.Remove",
                    in ->
                            new Remove(
                                    readDurability(in),
                                    in.readLong(),
                                    in.readLongs(),
                                    in.readInts()));
    MessageType<Resize> RESIZE =
            new MessageType<>(
                    1004,
                    "store.Resize",
                    in ->
                            new Resize(
                                    readDurability(in),
                                    in.readLong(),
                                    in.readLong(),
                                    in.readInt()));
    MessageType<Create> CREATE =
            new MessageType<>(
                    1005, "store.Create", in -> new Create(readDurability(in), in.readInts()));
    MessageType<RemoveRange> REMOVE_RANGE =
            new MessageType<>(
                    1006,
                    "store.RemoveRange",
                    in ->
                            new RemoveRange(
                                    readDurability(in),
                                    in.readLong(),
                                    in.readLong(),
                                    in.readInt()));
    MessageType<Outcomes> OUTCOMES = new MessageType<>(1007, "store.Outcomes", Outcomes::read);
    MessageType<Size> SIZE = new MessageType<>(1008, "store.Size", in -> new Size(in.readLong()));
    MessageType<SizeIs> SIZE_IS =
            new MessageType<>(1009, "store.SizeIs", in -> new SizeIs(in.readByte(), in.readInt()));
    MessageType<ReadRange> READ_RANGE =
            new MessageType<>(
                    1010, "store.ReadRange", in -> new ReadRange(in.readLong(), in.readInt()));
    MessageType<RangePart> RANGE_PART =
            new MessageType<>(
                    1011,
                    "store.RangePart",
                    in -> new RangePart(in.readByte(), in.readInts(), in.readBytes()));

    /** Asks for values. */
    record Get(long[] ids) implements ChunkMessage, Request<Values> {
        @Override
        public MessageType<Get> type() {
            return GET;
        }

        @Override
        public MessageType<Values> responseType() {
            return VALUES;
        }

        @Override
        public void write(Exporter out) {
            out.writeLongs(ids);
        }
    }

    /**
     * Answers a get for as many ids, from the first on, as states are given; a value is null unless
     * present.
     */
    record Values(byte[] states, byte[] @Nullable [] values) implements ChunkMessage {
        @Override
        public MessageType<Values> type() {
            return VALUES;
        }

        @Override
        public void write(Exporter out) {
            out.writeBytes(states);
            for (byte[] value : values) {
                if (value != null) {
                    out.writeBytes(value);
                }
            }
        }

        static Values read(Importer in) {
            byte[] states = in.readBytes();
            byte[] @Nullable [] values = new byte[states.length][];
            for (int i = 0; i < states.length; i++) {
                values[i] = states[i] == PRESENT ? in.readBytes() : null;
            }
            return new Values(states, values);
        }
    }

    /**
     * Replaces values.
     *
     * @param sequence tells a repetition from another write, with {@code offsets}: write i has the
     *     number {@code sequence + offsets[i]}; {@link #UNTAGGED} for volatile chunks
     * @param offsets empty if untagged
     */
    record Put(Durability durability, long sequence, long[] ids, int[] offsets, byte[][] values)
            implements ChunkMessage, Request<Outcomes> {
        @Override
        public MessageType<Put> type() {
            return PUT;
        }

        @Override
        public MessageType<Outcomes> responseType() {
            return OUTCOMES;
        }

        @Override
        public void write(Exporter out) {
            writeDurability(out, durability);
            out.writeLong(sequence);
            out.writeLongs(ids);
            out.writeInts(offsets);
            for (byte[] value : values) {
                out.writeBytes(value);
            }
        }

        static Put read(Importer in) {
            Durability durability = readDurability(in);
            long sequence = in.readLong();
            long[] ids = in.readLongs();
            int[] offsets = in.readInts();
            checkOffsets(ids, offsets);
            byte[][] values = new byte[ids.length][];
            for (int i = 0; i < ids.length; i++) {
                values[i] = in.readBytes();
            }
            return new Put(durability, sequence, ids, offsets, values);
        }
    }

    /** Removes chunks; numbered as {@link Put}. */
    record Remove(Durability durability, long sequence, long[] ids, int[] offsets)
            implements ChunkMessage, Request<Outcomes> {
        public Remove {
            checkOffsets(ids, offsets);
        }

        @Override
        public MessageType<Remove> type() {
            return REMOVE;
        }

        @Override
        public MessageType<Outcomes> responseType() {
            return OUTCOMES;
        }

        @Override
        public void write(Exporter out) {
            writeDurability(out, durability);
            out.writeLong(sequence);
            out.writeLongs(ids);
            out.writeInts(offsets);
        }
    }

    /** Changes a length. */
    record Resize(Durability durability, long sequence, long id, int bytes)
            implements ChunkMessage, Request<Outcomes> {
        @Override
        public MessageType<Resize> type() {
            return RESIZE;
        }

        @Override
        public MessageType<Outcomes> responseType() {
            return OUTCOMES;
        }

        @Override
        public void write(Exporter out) {
            writeDurability(out, durability);
            out.writeLong(sequence);
            out.writeLong(id);
            out.writeInt(bytes);
        }
    }

    /** Creates a range; answered with the first id as value. */
    record Create(Durability durability, int[] sizes) implements ChunkMessage, Request<Outcomes> {
        @Override
        public MessageType<Create> type() {
            return CREATE;
        }

        @Override
        public MessageType<Outcomes> responseType() {
            return OUTCOMES;
        }

        @Override
        public void write(Exporter out) {
            writeDurability(out, durability);
            out.writeInts(sizes);
        }
    }

    /** Removes a range; answered with the number of chunks removed as value. */
    record RemoveRange(Durability durability, long sequence, long first, int count)
            implements ChunkMessage, Request<Outcomes> {
        @Override
        public MessageType<RemoveRange> type() {
            return REMOVE_RANGE;
        }

        @Override
        public MessageType<Outcomes> responseType() {
            return OUTCOMES;
        }

        @Override
        public void write(Exporter out) {
            writeDurability(out, durability);
            out.writeLong(sequence);
            out.writeLong(first);
            out.writeInt(count);
        }
    }

    /**
     * One operation of a request that was not carried out.
     *
     * @param index of its id in the request
     * @param outcome why
     * @param text one sentence for people
     */
    record Failure(int index, Outcome outcome, String text) {}

    /** Answers a request that changes something: a number, and what failed. */
    record Outcomes(long value, List<Failure> failures) implements ChunkMessage {
        private static final int MIN_FAILURE_BYTES = 3;

        @Override
        public MessageType<Outcomes> type() {
            return OUTCOMES;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(value);
            out.writeCompactInt(failures.size());
            for (Failure failure : failures) {
                out.writeCompactInt(failure.index);
                failure.outcome.write(out);
                out.writeString(failure.text);
            }
        }

        static Outcomes read(Importer in) {
            long value = in.readLong();
            int count = in.readLength(MIN_FAILURE_BYTES);
            List<Failure> failures = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                failures.add(new Failure(in.readCompactInt(), Outcome.read(in), in.readString()));
            }
            return new Outcomes(value, failures);
        }
    }

    /** Asks for a length. */
    record Size(long id) implements ChunkMessage, Request<SizeIs> {
        @Override
        public MessageType<Size> type() {
            return SIZE;
        }

        @Override
        public MessageType<SizeIs> responseType() {
            return SIZE_IS;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(id);
        }
    }

    /** Answers with a length. */
    record SizeIs(byte state, int bytes) implements ChunkMessage {
        @Override
        public MessageType<SizeIs> type() {
            return SIZE_IS;
        }

        @Override
        public void write(Exporter out) {
            out.writeByte(state);
            out.writeInt(bytes);
        }
    }

    /** Asks for the values of consecutive ids, as many as fit in one answer. */
    record ReadRange(long first, int count) implements ChunkMessage, Request<RangePart> {
        @Override
        public MessageType<ReadRange> type() {
            return READ_RANGE;
        }

        @Override
        public MessageType<RangePart> responseType() {
            return RANGE_PART;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(first);
            out.writeInt(count);
        }
    }

    /**
     * Answers with the first sizes (−1: no chunk) of a range and their payloads, one after the
     * other.
     */
    record RangePart(byte state, int[] sizes, byte[] payload) implements ChunkMessage {
        @Override
        public MessageType<RangePart> type() {
            return RANGE_PART;
        }

        @Override
        public void write(Exporter out) {
            out.writeByte(state);
            out.writeInts(sizes);
            out.writeBytes(payload);
        }
    }

    private static void checkOffsets(long[] ids, int[] offsets) {
        if (offsets.length != 0 && offsets.length != ids.length) {
            throw new MalformedMessageException(
                    offsets.length + " numbers for " + ids.length + " writes");
        }
    }

    private static void writeDurability(Exporter out, Durability durability) {
        out.writeByte(
                switch (durability) {
                    case MEMORY -> (byte) 0;
                    case PROCESS -> (byte) 1;
                    case POWER -> (byte) 2;
                });
    }

    private static Durability readDurability(Importer in) {
        int number = in.readByte();
        return switch (number) {
            case 0 -> Durability.MEMORY;
            case 1 -> Durability.PROCESS;
            case 2 -> Durability.POWER;
            default -> throw new MalformedMessageException("unknown durability " + number);
        };
    }
}
