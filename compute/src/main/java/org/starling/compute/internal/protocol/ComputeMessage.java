package org.starling.compute.internal.protocol;

import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.Request;

/**
 * All messages of the room, with their ids. Requests go from the master to slaves; answers come
 * back. What many kinds of requests and answers share stands here (ids 3001 and 3002); the others
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
                ComputeMessage.Numbers {
    /**
     * A master's command. A slave refuses those of masters that are older than the newest it has
     * heard of.
     */
    non-sealed interface Command<R extends Message> extends ComputeMessage, Request<R> {
        /** The master's term. */
        long term();
    }

    /** A command that is answered when it has been done. */
    interface Order extends Command<Done> {
        @Override
        default MessageType<Done> responseType() {
            return Done.TYPE;
        }
    }

    /** A command that is answered with numbers. */
    interface Question extends Command<Numbers> {
        @Override
        default MessageType<Numbers> responseType() {
            return Numbers.TYPE;
        }
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
    record Numbers(long... values) implements ComputeMessage {
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
