package org.starling.store.internal.directory.raft;

import java.util.ArrayList;
import java.util.List;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.Request;
import org.starling.store.internal.directory.SuperpeerInfo;

/** The messages between the replicas of the directory; type ids 1150 to 1159. */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface RaftMessage extends Message {
    MessageType<Call> CALL =
            new MessageType<>(
                    1150, "raft.Call", in -> new Call(Procedure.read(in), in.readBytes()));
    MessageType<Reply> REPLY =
            new MessageType<>(1151, "raft.Reply", in -> new Reply(in.readBytes()));
    MessageType<Submit> SUBMIT =
            new MessageType<>(1152, "raft.Submit", in -> new Submit(in.readBytes()));

    MessageType<Admit> ADMIT =
            new MessageType<>(1153, "raft.Admit", in -> new Admit(Step.read(in)));
    MessageType<Admitted> ADMITTED =
            new MessageType<>(1154, "raft.Admitted", RaftMessage::readAdmitted);

    /** More superpeers nobody can have told of. */
    int MAX_TOLD = 64;

    /** What a replica with an empty disk asks the others, one after the other. */
    enum Step {
        /** Whether the cluster has been founded. */
        LOOK(0),
        /** To go on without it. */
        LEAVE_OUT(1),
        /** To bring it up to date, and to count on it again then. */
        TAKE_IN(2);

        private final byte number;

        Step(int number) {
            this.number = (byte) number;
        }

        static Step read(Importer in) {
            byte number = in.readByte();
            for (Step step : values()) {
                if (step.number == number) {
                    return step;
                }
            }
            throw new MalformedMessageException("no replica begins with step " + number);
        }
    }

    /**
     * What replicas ask of each other. What the library can do besides (to remove, add and list
     * groups, to change the members) has no number here and so can't be asked for.
     */
    enum Procedure {
        REQUEST_VOTE(0),
        APPEND_ENTRIES(1),
        INSTALL_SNAPSHOT(2),
        START_ELECTION(3);

        private final byte number;

        Procedure(int number) {
            this.number = (byte) number;
        }

        static Procedure read(Importer in) {
            byte number = in.readByte();
            for (Procedure procedure : values()) {
                if (procedure.number == number) {
                    return procedure;
                }
            }
            throw new MalformedMessageException("replicas have no procedure " + number);
        }
    }

    /**
     * One step of the protocol.
     *
     * @param body the library's request
     */
    record Call(Procedure procedure, byte[] body) implements RaftMessage, Request<Reply> {
        @Override
        public MessageType<Call> type() {
            return CALL;
        }

        @Override
        public MessageType<Reply> responseType() {
            return REPLY;
        }

        @Override
        public void write(Exporter out) {
            out.writeByte(procedure.number);
            out.writeBytes(body);
        }
    }

    /**
     * Answers it.
     *
     * @param body the library's reply, or the result of a command ({@link
     *     org.starling.store.internal.directory.ResultLayout}); empty if the asked replica does not
     *     lead, or can't tell what became of the command
     */
    record Reply(byte[] body) implements RaftMessage {
        @Override
        public MessageType<Reply> type() {
            return REPLY;
        }

        @Override
        public void write(Exporter out) {
            out.writeBytes(body);
        }
    }

    /** Asks for a step. */
    record Admit(Step step) implements RaftMessage, Request<Admitted> {
        @Override
        public MessageType<Admit> type() {
            return ADMIT;
        }

        @Override
        public MessageType<Admitted> responseType() {
            return ADMITTED;
        }

        @Override
        public void write(Exporter out) {
            out.writeByte(step.number);
        }
    }

    /**
     * Answers what became of the step.
     *
     * @param answer see {@link Admission}
     * @param superpeers of the cluster, as far as the asked one knows
     */
    record Admitted(byte answer, List<SuperpeerInfo> superpeers) implements RaftMessage {
        @Override
        public MessageType<Admitted> type() {
            return ADMITTED;
        }

        @Override
        public void write(Exporter out) {
            out.writeByte(answer);
            out.writeInt(superpeers.size());
            for (SuperpeerInfo one : superpeers) {
                out.writeInt(one.node());
                out.writeString(one.host());
                out.writeInt(one.port());
            }
        }
    }

    private static Admitted readAdmitted(Importer in) {
        byte answer = in.readByte();
        int count = in.readInt();
        if (count < 0 || count > MAX_TOLD) {
            throw new MalformedMessageException(count + " superpeers, limit " + MAX_TOLD);
        }
        List<SuperpeerInfo> superpeers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            try {
                superpeers.add(
                        new SuperpeerInfo(
                                in.readInt(),
                                in.readString(),
                                in.readInt(),
                                SuperpeerInfo.State.VOTING));
            } catch (IllegalArgumentException e) {
                throw new MalformedMessageException(String.valueOf(e.getMessage()));
            }
        }
        return new Admitted(answer, superpeers);
    }

    /**
     * A command on its way from another replica to the leader.
     *
     * @param command see {@link org.starling.store.internal.directory.CommandLayout}
     */
    record Submit(byte[] command) implements RaftMessage, Request<Reply> {
        @Override
        public MessageType<Submit> type() {
            return SUBMIT;
        }

        @Override
        public MessageType<Reply> responseType() {
            return REPLY;
        }

        @Override
        public void write(Exporter out) {
            out.writeBytes(command);
        }
    }
}
