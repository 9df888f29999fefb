package org.starling.store.internal.replica;

import org.starling.net.MessageType;
import org.starling.net.RecordMessage;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.RecordRequest;

/**
 * The messages between the owner of a zone, or who recovers it, and its backups; type ids 1100 to
 * 1149. Entries travel as the records of {@code log.EntryLayout}, without their positions.
 */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface ReplicaMessage extends RecordMessage {
    MessageType<Append> APPEND = RecordMessage.type(Append.class);
    MessageType<Force> FORCE = RecordMessage.type(Force.class);
    MessageType<Fence> FENCE = RecordMessage.type(Fence.class);
    MessageType<Tail> TAIL = RecordMessage.type(Tail.class);
    MessageType<CopyStart> COPY_START = RecordMessage.type(CopyStart.class);
    MessageType<CopyPart> COPY_PART = RecordMessage.type(CopyPart.class);
    MessageType<CopyEnd> COPY_END = RecordMessage.type(CopyEnd.class);
    MessageType<Dump> DUMP = RecordMessage.type(Dump.class);
    MessageType<DumpPart> DUMP_PART = RecordMessage.type(DumpPart.class);
    MessageType<Prepare> PREPARE = RecordMessage.type(Prepare.class);

    /** How a backup takes a message. */
    enum Status {
        /** It did what was asked. */
        OK,
        /** It has promised a newer epoch not to take this one's messages. */
        STALE,
        /** Entries before these have not come. */
        GAP,
        /** It has no log of the zone, or not the one that is meant, or not all of it. */
        ABSENT,
        /** Its disk has failed; it gives the zone up. */
        FAILED,
        /** It can't take this, which says nothing of other zones; it gives the zone up. */
        REFUSED
    }

    /**
     * What every question to a backup but {@link Tail} is answered with; of its log, see {@link
     * org.starling.store.internal.log.ZoneLog}.
     */
    @TypeId(1101)
    record Backup(
            Status status,
            long epoch,
            long end,
            long forcedEnd,
            long safeEnd,
            long claimedEnd,
            boolean isDamaged)
            implements ReplicaMessage {
        /** Without a log, or of one that nothing is missing of. */
        Backup(Status status, long epoch, long end, long forcedEnd) {
            this(status, epoch, end, forcedEnd, forcedEnd, forcedEnd, false);
        }
    }

    /** A question to a backup. */
    sealed interface Ask extends ReplicaMessage, RecordRequest<Backup> {
        long zone();
    }

    /** Takes {@code count} entries of the stream from position {@code first} on. */
    @TypeId(1100)
    record Append(long zone, long epoch, long first, int count, byte[] entries) implements Ask {}

    /** Answers when everything up to a position is on disk. */
    @TypeId(1102)
    record Force(long zone, long epoch, long position) implements Ask {}

    /** From now on takes nothing of an older epoch. */
    @TypeId(1103)
    record Fence(long zone, long epoch) implements Ask {}

    /** Asks for entries from a position on, up to a number of bytes, but for one at least. */
    @TypeId(1104)
    record Tail(long zone, long from, int limitBytes)
            implements ReplicaMessage, RecordRequest<TailPart> {}

    /** {@code count} entries from position {@code first} on; none if it has none. */
    @TypeId(1105)
    record TailPart(long first, int count, byte[] entries) implements ReplicaMessage {}

    /**
     * A full copy begins, beside what there is of the zone. Appends after {@code base} come too.
     * The number grows from copy to copy of one owner, and tells a late message of one from
     * another.
     */
    @TypeId(1106)
    record CopyStart(long zone, long epoch, long base, long number) implements Ask {}

    /** {@code count} entries of a full copy. */
    @TypeId(1107)
    record CopyPart(long zone, long epoch, long number, int count, byte[] entries) implements Ask {}

    /** A full copy is complete; answered when all that came is on disk. */
    @TypeId(1108)
    record CopyEnd(long zone, long epoch, long number) implements Ask {}

    /**
     * Brings the zone into memory, because its owner is about to hand it over; answered when it is
     * there, or can't be: {@link Status#FAILED}. To be sent again for what has come since.
     */
    @TypeId(1111)
    record Prepare(long zone, long epoch) implements Ask {}

    /**
     * Asks for the content of a log, which comes in parts; answered after the last: OK, or ABSENT
     * if it is damaged as well.
     */
    @TypeId(1109)
    record Dump(long zone, long run) implements ReplicaMessage, RecordRequest<Backup> {}

    /** A part of a log's content: puts, creations, and skips with the tags of operations. */
    @TypeId(1110)
    record DumpPart(long zone, long run, byte[] entries)
            implements ReplicaMessage, RecordRequest<Backup> {}
}
