package org.starling.store.internal.node;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.net.MessageType;
import org.starling.net.RecordMessage;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.RecordRequest;
import org.starling.store.Durability;

/**
 * The messages between a node that uses chunks and the node that owns them; type ids 1000 to 1049.
 * Array lengths are checked by the importer against the bytes that came.
 */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface ChunkMessage extends RecordMessage {
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

    MessageType<Get> GET = RecordMessage.type(Get.class);
    MessageType<Put> PUT = RecordMessage.type(Put.class);
    MessageType<Remove> REMOVE = RecordMessage.type(Remove.class);
    MessageType<Resize> RESIZE = RecordMessage.type(Resize.class);
    MessageType<Create> CREATE = RecordMessage.type(Create.class);
    MessageType<RemoveRange> REMOVE_RANGE = RecordMessage.type(RemoveRange.class);
    MessageType<Size> SIZE = RecordMessage.type(Size.class);
    MessageType<ReadRange> READ_RANGE = RecordMessage.type(ReadRange.class);

    /** Asks for values. */
    @TypeId(1000)
    record Get(long[] ids) implements ChunkMessage, RecordRequest<Values> {}

    /**
     * Answers a get for as many ids, from the first on, as states are given; a value is null unless
     * present.
     */
    @TypeId(1001)
    record Values(byte[] states, byte[] @Nullable [] values) implements ChunkMessage {
        public Values {
            if (states.length != values.length) {
                throw new IllegalArgumentException(
                        states.length + " states of " + values.length + " values");
            }
        }
    }

    /**
     * Replaces values.
     *
     * @param sequence tells a repetition from another write, with {@code offsets}: write i has the
     *     number {@code sequence + offsets[i]}; {@link #UNTAGGED} for volatile chunks
     * @param offsets empty if untagged
     */
    @TypeId(1002)
    record Put(Durability durability, long sequence, long[] ids, int[] offsets, byte[][] values)
            implements ChunkMessage, RecordRequest<Outcomes> {
        public Put {
            checkOffsets(ids, offsets);
            if (values.length != ids.length) {
                throw new IllegalArgumentException(
                        values.length + " values for " + ids.length + " writes");
            }
        }
    }

    /** Removes chunks; numbered as {@link Put}. */
    @TypeId(1003)
    record Remove(Durability durability, long sequence, long[] ids, int[] offsets)
            implements ChunkMessage, RecordRequest<Outcomes> {
        public Remove {
            checkOffsets(ids, offsets);
        }
    }

    /** Changes a length. */
    @TypeId(1004)
    record Resize(Durability durability, long sequence, long id, int bytes)
            implements ChunkMessage, RecordRequest<Outcomes> {}

    /** Creates a range; answered with the first id as value. */
    @TypeId(1005)
    record Create(Durability durability, int[] sizes)
            implements ChunkMessage, RecordRequest<Outcomes> {}

    /** Removes a range; answered with the number of chunks removed as value. */
    @TypeId(1006)
    record RemoveRange(Durability durability, long sequence, long first, int count)
            implements ChunkMessage, RecordRequest<Outcomes> {}

    /**
     * One operation of a request that was not carried out.
     *
     * @param index of its id in the request
     * @param outcome why
     * @param text one sentence for people
     */
    record Failure(int index, Outcome outcome, String text) {}

    /** Answers a request that changes something: a number, and what failed. */
    @TypeId(1007)
    record Outcomes(long value, List<Failure> failures) implements ChunkMessage {}

    /** Asks for a length. */
    @TypeId(1008)
    record Size(long id) implements ChunkMessage, RecordRequest<SizeIs> {}

    /** Answers with a length. */
    @TypeId(1009)
    record SizeIs(byte state, int bytes) implements ChunkMessage {}

    /** Asks for the values of consecutive ids, as many as fit in one answer. */
    @TypeId(1010)
    record ReadRange(long first, int count) implements ChunkMessage, RecordRequest<RangePart> {}

    /**
     * Answers with the first sizes (−1: no chunk) of a range and their payloads, one after the
     * other.
     */
    @TypeId(1011)
    record RangePart(byte state, int[] sizes, byte[] payload) implements ChunkMessage {}

    private static void checkOffsets(long[] ids, int[] offsets) {
        if (offsets.length != 0 && offsets.length != ids.length) {
            throw new IllegalArgumentException(
                    offsets.length + " numbers for " + ids.length + " writes");
        }
    }
}
