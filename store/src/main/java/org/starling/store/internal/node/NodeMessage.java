package org.starling.store.internal.node;

import org.jspecify.annotations.Nullable;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.Request;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.RangeMap;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ResultLayout;

/**
 * The messages between nodes and the superpeer: joining, members, directory; type ids 1050 to 1099.
 */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface NodeMessage extends Message {
    /** The most names in one message. */
    int MAX_NAMES = 4096;

    MessageType<Join> JOIN = new MessageType<>(1050, "store.Join", Join::read);
    MessageType<Joined> JOINED = new MessageType<>(1051, "store.Joined", Joined::read);
    MessageType<Heartbeat> HEARTBEAT =
            new MessageType<>(1052, "store.Heartbeat", in -> new Heartbeat(in.readLong()));
    MessageType<Pulse> PULSE =
            new MessageType<>(
                    1053,
                    "store.Pulse",
                    in ->
                            new Pulse(
                                    in.readBoolean(),
                                    in.readBoolean() ? View.read(in) : null,
                                    in.readBoolean()));
    MessageType<Ping> PING = new MessageType<>(1054, "store.Ping", in -> new Ping());
    MessageType<Pong> PONG = new MessageType<>(1055, "store.Pong", in -> new Pong());
    MessageType<Members> MEMBERS =
            new MessageType<>(1056, "store.Members", in -> new Members(View.read(in)));
    MessageType<Moved> MOVED =
            new MessageType<>(1057, "store.Moved", in -> new Moved(Located.read(in).range()));
    MessageType<Apply> APPLY =
            new MessageType<>(1058, "store.Apply", in -> new Apply(in.readBytes()));
    MessageType<Applied> APPLIED = new MessageType<>(1059, "store.Applied", Applied::read);
    MessageType<Locate> LOCATE =
            new MessageType<>(1060, "store.Locate", in -> new Locate(in.readLong()));
    MessageType<Located> LOCATED = new MessageType<>(1061, "store.Located", Located::read);
    MessageType<Lookup> LOOKUP =
            new MessageType<>(1062, "store.Lookup", in -> new Lookup(in.readString()));
    MessageType<LookedUp> LOOKED_UP =
            new MessageType<>(1063, "store.LookedUp", in -> new LookedUp(in.readLong()));
    MessageType<ListNames> LIST_NAMES =
            new MessageType<>(1064, "store.ListNames", in -> new ListNames(in.readString()));
    MessageType<Names> NAMES = new MessageType<>(1065, "store.Names", Names::read);

    /**
     * Asks to become a member, from a network with a borrowed node id.
     *
     * @param nonce tells the answer to this request from others to the same borrowed id
     * @param replyHost where the borrowed id listens, empty for the loopback
     * @param replyPort likewise
     * @param command the registration ({@link CommandLayout})
     */
    record Join(long nonce, String replyHost, int replyPort, byte[] command)
            implements NodeMessage, Request<Joined> {
        @Override
        public MessageType<Join> type() {
            return JOIN;
        }

        @Override
        public MessageType<Joined> responseType() {
            return JOINED;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(nonce);
            out.writeString(replyHost);
            out.writeInt(replyPort);
            out.writeBytes(command);
        }

        static Join read(Importer in) {
            Join join = new Join(in.readLong(), in.readString(), in.readInt(), in.readBytes());
            if (join.replyPort < 0 || join.replyPort > 65_535) {
                throw new MalformedMessageException("port " + join.replyPort);
            }
            return join;
        }
    }

    /** Answers a join: the node id, or −1 and why not. */
    record Joined(long nonce, int node, String refusal) implements NodeMessage {
        @Override
        public MessageType<Joined> type() {
            return JOINED;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(nonce);
            out.writeInt(node);
            out.writeString(refusal);
        }

        static Joined read(Importer in) {
            return new Joined(in.readLong(), in.readInt(), in.readString());
        }
    }

    /** A peer lives, and knows this version of the members. */
    record Heartbeat(long knownVersion) implements NodeMessage, Request<Pulse> {
        @Override
        public MessageType<Heartbeat> type() {
            return HEARTBEAT;
        }

        @Override
        public MessageType<Pulse> responseType() {
            return PULSE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(knownVersion);
        }
    }

    /**
     * Answers a heartbeat.
     *
     * @param isMember false if the peer has been declared lost
     * @param newer the members, if the peer knows an older version
     * @param everyCreatorOwns whether no chunk has another owner than its creator
     */
    record Pulse(boolean isMember, @Nullable View newer, boolean everyCreatorOwns)
            implements NodeMessage {
        @Override
        public MessageType<Pulse> type() {
            return PULSE;
        }

        @Override
        public void write(Exporter out) {
            out.writeBoolean(isMember);
            out.writeBoolean(newer != null);
            if (newer != null) {
                newer.write(out);
            }
            out.writeBoolean(everyCreatorOwns);
        }
    }

    /** Asks whether a node lives. */
    record Ping() implements NodeMessage, Request<Pong> {
        @Override
        public MessageType<Ping> type() {
            return PING;
        }

        @Override
        public MessageType<Pong> responseType() {
            return PONG;
        }

        @Override
        public void write(Exporter out) {
            // nothing but its type
        }
    }

    /** It does. */
    record Pong() implements NodeMessage {
        @Override
        public MessageType<Pong> type() {
            return PONG;
        }

        @Override
        public void write(Exporter out) {
            // nothing but its type
        }
    }

    /** The members have changed. */
    record Members(View view) implements NodeMessage {
        @Override
        public MessageType<Members> type() {
            return MEMBERS;
        }

        @Override
        public void write(Exporter out) {
            view.write(out);
        }
    }

    /** A range has another owner. */
    record Moved(RangeMap.Range range) implements NodeMessage {
        @Override
        public MessageType<Moved> type() {
            return MOVED;
        }

        @Override
        public void write(Exporter out) {
            new Located(range).write(out);
        }
    }

    /** Asks the directory to carry out a command ({@link CommandLayout}). */
    record Apply(byte[] command) implements NodeMessage, Request<Applied> {
        @Override
        public MessageType<Apply> type() {
            return APPLY;
        }

        @Override
        public MessageType<Applied> responseType() {
            return APPLIED;
        }

        @Override
        public void write(Exporter out) {
            out.writeBytes(command);
        }
    }

    /** Answers with the result of a command. */
    record Applied(Result result) implements NodeMessage {
        @Override
        public MessageType<Applied> type() {
            return APPLIED;
        }

        @Override
        public void write(Exporter out) {
            out.writeBytes(ResultLayout.write(result));
        }

        static Applied read(Importer in) {
            try {
                return new Applied(ResultLayout.read(in.readBytes()));
            } catch (IllegalArgumentException e) {
                throw new MalformedMessageException("result cannot be read: " + e.getMessage());
            }
        }
    }

    /** Asks for the owner of a chunk. */
    record Locate(long id) implements NodeMessage, Request<Located> {
        @Override
        public MessageType<Locate> type() {
            return LOCATE;
        }

        @Override
        public MessageType<Located> responseType() {
            return LOCATED;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(id);
        }
    }

    /** Answers with the owner and all ids around that have the same one. */
    record Located(RangeMap.Range range) implements NodeMessage {
        @Override
        public MessageType<Located> type() {
            return LOCATED;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(range.first());
            out.writeLong(range.last());
            out.writeInt(range.node());
        }

        static Located read(Importer in) {
            long first = in.readLong();
            long last = in.readLong();
            if (first > last) {
                throw new MalformedMessageException("range ends before it starts");
            }
            return new Located(new RangeMap.Range(first, last, in.readInt()));
        }
    }

    /** Asks for the chunk of a name. */
    record Lookup(String name) implements NodeMessage, Request<LookedUp> {
        @Override
        public MessageType<Lookup> type() {
            return LOOKUP;
        }

        @Override
        public MessageType<LookedUp> responseType() {
            return LOOKED_UP;
        }

        @Override
        public void write(Exporter out) {
            out.writeString(name);
        }
    }

    /** Answers with a chunk id, or none. */
    record LookedUp(long id) implements NodeMessage {
        @Override
        public MessageType<LookedUp> type() {
            return LOOKED_UP;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(id);
        }
    }

    /** Asks for names greater than one. */
    record ListNames(String after) implements NodeMessage, Request<Names> {
        @Override
        public MessageType<ListNames> type() {
            return LIST_NAMES;
        }

        @Override
        public MessageType<Names> responseType() {
            return NAMES;
        }

        @Override
        public void write(Exporter out) {
            out.writeString(after);
        }
    }

    /** Answers with the next names in order, up to {@link #MAX_NAMES}, and their chunks. */
    record Names(String[] names, long[] ids) implements NodeMessage {
        @Override
        public MessageType<Names> type() {
            return NAMES;
        }

        @Override
        public void write(Exporter out) {
            out.writeLongs(ids);
            for (String name : names) {
                out.writeString(name);
            }
        }

        static Names read(Importer in) {
            long[] ids = in.readLongs();
            String[] names = new String[ids.length];
            for (int i = 0; i < ids.length; i++) {
                names[i] = in.readString();
            }
            return new Names(names, ids);
        }
    }
}
