package org.starling.store.internal.replica;

import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.Request;

/**
 * The messages between the owner of a zone, or who recovers it, and its backups; type ids 1100 to
 * 1149. Entries travel as the records of {@code log.EntryLayout}, without their positions.
 */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface ReplicaMessage extends Message {
    MessageType<Append> APPEND = new MessageType<>(1100, "replica.Append", Append::read);
    MessageType<Backup> BACKUP = new MessageType<>(1101, "replica.Backup", Backup::read);
    MessageType<Force> FORCE =
            new MessageType<>(
                    1102,
                    "replica.Force",
                    in -> new Force(in.readLong(), in.readLong(), in.readLong()));
    MessageType<Fence> FENCE =
            new MessageType<>(1103, "replica.Fence", in -> new Fence(in.readLong(), in.readLong()));
    MessageType<Tail> TAIL =
            new MessageType<>(
                    1104,
                    "replica.Tail",
                    in -> new Tail(in.readLong(), in.readLong(), in.readInt()));
    MessageType<TailPart> TAIL_PART =
            new MessageType<>(
                    1105,
                    "replica.TailPart",
                    in -> new TailPart(in.readLong(), in.readInt(), in.readBytes()));
    MessageType<CopyStart> COPY_START =
            new MessageType<>(
                    1106,
                    "replica.CopyStart",
                    in ->
                            new CopyStart(
                                    in.readLong(), in.readLong(), in.readLong(), in.readLong()));
    MessageType<CopyPart> COPY_PART = new MessageType<>(1107, "replica.CopyPart", CopyPart::read);
    MessageType<CopyEnd> COPY_END =
            new MessageType<>(
                    1108,
                    "replica.CopyEnd",
                    in -> new CopyEnd(in.readLong(), in.readLong(), in.readLong()));
    MessageType<Dump> DUMP =
            new MessageType<>(1109, "replica.Dump", in -> new Dump(in.readLong(), in.readLong()));
    MessageType<DumpPart> DUMP_PART =
            new MessageType<>(
                    1110,
                    "replica.DumpPart",
                    in -> new DumpPart(in.readLong(), in.readLong(), in.readBytes()));

    /** How a backup takes a message. */
    enum Status {
        /** It did what was asked. */
        OK(0),
        /** It has promised a newer epoch not to take this one's messages. */
        STALE(1),
        /** Entries before these have not come. */
        GAP(2),
        /** It has no log of the zone, or not the one that is meant, or not all of it. */
        ABSENT(3),
        /** Its disk has failed; it gives the zone up. */
        FAILED(4);

        private final byte number;

        Status(int number) {
            this.number = (byte) number;
        }

        void write(Exporter out) {
            out.writeByte(number);
        }

        static Status read(Importer in) {
            byte number = in.readByte();
            for (Status status : values()) {
                if (status.number == number) {
                    return status;
                }
            }
            throw new MalformedMessageException("unknown status " + number);
        }
    }

    /**
     * What every question to a backup but {@link Tail} is answered with; of its log, see {@link
     * org.starling.store.internal.log.ZoneLog}.
     */
    record Backup(
            Status status, long epoch, long end, long forcedEnd, long safeEnd, long claimedEnd)
            implements ReplicaMessage {
        /** Without a log, or of one that nothing is missing of. */
        Backup(Status status, long epoch, long end, long forcedEnd) {
            this(status, epoch, end, forcedEnd, forcedEnd, forcedEnd);
        }

        @Override
        public MessageType<Backup> type() {
            return BACKUP;
        }

        @Override
        public void write(Exporter out) {
            status.write(out);
            out.writeLong(epoch);
            out.writeLong(end);
            out.writeLong(forcedEnd);
            out.writeLong(safeEnd);
            out.writeLong(claimedEnd);
        }

        static Backup read(Importer in) {
            return new Backup(
                    Status.read(in),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong());
        }
    }

    /** A question to a backup. */
    sealed interface Ask extends ReplicaMessage, Request<Backup> {
        long zone();

        @Override
        default MessageType<Backup> responseType() {
            return BACKUP;
        }
    }

    /** Takes {@code count} entries of the stream from position {@code first} on. */
    record Append(long zone, long epoch, long first, int count, byte[] entries) implements Ask {
        @Override
        public MessageType<Append> type() {
            return APPEND;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(zone);
            out.writeLong(epoch);
            out.writeLong(first);
            out.writeInt(count);
            out.writeBytes(entries);
        }

        static Append read(Importer in) {
            return new Append(
                    in.readLong(), in.readLong(), in.readLong(), in.readInt(), in.readBytes());
        }
    }

    /** Answers when everything up to a position is on disk. */
    record Force(long zone, long epoch, long position) implements Ask {
        @Override
        public MessageType<Force> type() {
            return FORCE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(zone);
            out.writeLong(epoch);
            out.writeLong(position);
        }
    }

    /** From now on takes nothing of an older epoch. */
    record Fence(long zone, long epoch) implements Ask {
        @Override
        public MessageType<Fence> type() {
            return FENCE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(zone);
            out.writeLong(epoch);
        }
    }

    /** Asks for entries from a position on, up to a number of bytes, but for one at least. */
    record Tail(long zone, long from, int limitBytes) implements ReplicaMessage, Request<TailPart> {
        @Override
        public MessageType<Tail> type() {
            return TAIL;
        }

        @Override
        public MessageType<TailPart> responseType() {
            return TAIL_PART;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(zone);
            out.writeLong(from);
            out.writeInt(limitBytes);
        }
    }

    /** {@code count} entries from position {@code first} on; none if it has none. */
    record TailPart(long first, int count, byte[] entries) implements ReplicaMessage {
        @Override
        public MessageType<TailPart> type() {
            return TAIL_PART;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(first);
            out.writeInt(count);
            out.writeBytes(entries);
        }
    }

    /**
     * A full copy begins, beside what there is of the zone. Appends after {@code base} come too.
     * The number grows from copy to copy of one owner, and tells a late message of one from
     * another.
     */
    record CopyStart(long zone, long epoch, long base, long number) implements Ask {
        @Override
        public MessageType<CopyStart> type() {
            return COPY_START;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(zone);
            out.writeLong(epoch);
            out.writeLong(base);
            out.writeLong(number);
        }
    }

    /** {@code count} entries of a full copy. */
    record CopyPart(long zone, long epoch, long number, int count, byte[] entries) implements Ask {
        @Override
        public MessageType<CopyPart> type() {
            return COPY_PART;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(zone);
            out.writeLong(epoch);
            out.writeLong(number);
            out.writeInt(count);
            out.writeBytes(entries);
        }

        static CopyPart read(Importer in) {
            return new CopyPart(
                    in.readLong(), in.readLong(), in.readLong(), in.readInt(), in.readBytes());
        }
    }

    /** A full copy is complete; answered when all that came is on disk. */
    record CopyEnd(long zone, long epoch, long number) implements Ask {
        @Override
        public MessageType<CopyEnd> type() {
            return COPY_END;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(zone);
            out.writeLong(epoch);
            out.writeLong(number);
        }
    }

    /**
     * Asks for the content of a log, which comes in parts; answered after the last: OK, or ABSENT
     * if it is damaged as well.
     */
    record Dump(long zone, long run) implements ReplicaMessage, Request<Backup> {
        @Override
        public MessageType<Dump> type() {
            return DUMP;
        }

        @Override
        public MessageType<Backup> responseType() {
            return BACKUP;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(zone);
            out.writeLong(run);
        }
    }

    /** A part of a log's content: puts, creations, and skips with the tags of operations. */
    record DumpPart(long zone, long run, byte[] entries)
            implements ReplicaMessage, Request<Backup> {
        @Override
        public MessageType<DumpPart> type() {
            return DUMP_PART;
        }

        @Override
        public MessageType<Backup> responseType() {
            return BACKUP;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(zone);
            out.writeLong(run);
            out.writeBytes(entries);
        }
    }
}
