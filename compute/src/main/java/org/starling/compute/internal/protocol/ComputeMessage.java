package org.starling.compute.internal.protocol;

import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.Request;

/**
 * All messages of the room, with their ids. Requests go from the master to slaves; answers come
 * back. What many kinds of requests and answers share stands here (ids 3001 to 3004); the others
 * stand in the order of the work in {@link BuildMessage}, {@link RunMessage}, {@link QueryMessage}
 * and {@link RecoveryMessage}.
 *
 * <p>Arrays in messages belong to the message: whoever makes one gives them away, whoever reads one
 * does not change them.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface ComputeMessage extends Message
        permits BuildMessage,
                RunMessage,
                QueryMessage,
                RecoveryMessage,
                ComputeMessage.Command,
                ComputeMessage.Done,
                ComputeMessage.Numbers,
                ComputeMessage.Bytes,
                ComputeMessage.Failure {
    /**
     * A master's command. A slave refuses those of masters that are older than the newest it has
     * heard of.
     */
    non-sealed interface Command<R extends Message> extends ComputeMessage, Request<R> {
        /** The master's term. */
        long term();
    }

    /** Nothing to say but that it is done. */
    record Done() implements ComputeMessage {
        /** Type 3001. */
        public static final MessageType<Done> TYPE = new MessageType<>(3001, "Done", Done::read);

        @Override
        public MessageType<Done> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {}

        private static Done read(Importer in) {
            return new Done();
        }
    }

    /**
     * A list of numbers.
     *
     * @param values the numbers
     */
    record Numbers(long[] values) implements ComputeMessage {
        /** Type 3002. */
        public static final MessageType<Numbers> TYPE =
                new MessageType<>(3002, "Numbers", Numbers::read);

        @Override
        public MessageType<Numbers> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLongs(values);
        }

        private static Numbers read(Importer in) {
            return new Numbers(in.readLongs());
        }
    }

    /**
     * Bytes of a column or a chunk.
     *
     * @param values the bytes
     */
    record Bytes(byte[] values) implements ComputeMessage {
        /** Type 3003. */
        public static final MessageType<Bytes> TYPE = new MessageType<>(3003, "Bytes", Bytes::read);

        @Override
        public MessageType<Bytes> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeBytes(values);
        }

        private static Bytes read(Importer in) {
            return new Bytes(in.readBytes());
        }
    }

    /**
     * What went wrong, for people.
     *
     * @param kind ordinal of {@link FailureKind}
     * @param text one sentence
     */
    record Failure(int kind, String text) implements ComputeMessage {
        /** Type 3004. */
        public static final MessageType<Failure> TYPE =
                new MessageType<>(3004, "Failure", Failure::read);

        @Override
        public MessageType<Failure> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeInt(kind);
            out.writeString(text);
        }

        private static Failure read(Importer in) {
            return new Failure(in.readInt(), in.readString());
        }
    }

    /** How a failure ends a job. */
    enum FailureKind {
        /** Input that makes no sense. */
        INVALID_INPUT,
        /** User code or a bound. */
        JOB_FAILED,
        /** A node that this one needed is lost. */
        LOST,
        /** A bug. */
        INTERNAL,
        /** The command came from a master that has been replaced. */
        STALE,
        /** Work does not stop, and the slave can do nothing more. */
        STUCK,
        /** Work does not stop, and the slave's process is being replaced. */
        REPLACED;

        /** The kind of this number. */
        @SuppressWarnings("EnumOrdinal") // the number on the wire
        public static FailureKind of(int number) {
            return values()[number];
        }

        /** Number in messages. */
        @SuppressWarnings("EnumOrdinal") // the number on the wire
        public int number() {
            return ordinal();
        }
    }

    /** How broadcasts are delivered. */
    enum Direction {
        /** Nothing was broadcast. */
        NONE,
        /** Along the edges of the broadcasters. */
        PUSH,
        /** Receivers look at their neighbours. */
        PULL,
        /**
         * Receivers look at their neighbours, all of whom have broadcast: every vertex that has
         * edges has.
         */
        PULL_ALL;

        /** Whether receivers look at their neighbours. */
        public boolean isPull() {
            return this == PULL || this == PULL_ALL;
        }

        /** The direction of this number. */
        @SuppressWarnings("EnumOrdinal") // the number on the wire
        public static Direction of(int number) {
            return values()[number];
        }

        /** Number in messages. */
        @SuppressWarnings("EnumOrdinal") // the number on the wire
        public byte number() {
            return (byte) ordinal();
        }
    }
}
