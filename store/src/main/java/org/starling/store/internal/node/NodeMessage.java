package org.starling.store.internal.node;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NetStatistics;
import org.starling.net.Request;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ResultLayout;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * The messages between nodes and superpeers: joining, members, directory, recovery; type ids 1050
 * to 1099.
 */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface NodeMessage extends Message {
    /** Stands for no node, for example while nobody leads. */
    int NOBODY = -1;

    MessageType<Join> JOIN = new MessageType<>(1050, "store.Join", Join::read);
    MessageType<Joined> JOINED = new MessageType<>(1051, "store.Joined", Joined::read);
    MessageType<Heartbeat> HEARTBEAT = new MessageType<>(1052, "store.Heartbeat", Heartbeat::read);
    MessageType<Pulse> PULSE = new MessageType<>(1053, "store.Pulse", Pulse::read);
    MessageType<Ping> PING = new MessageType<>(1054, "store.Ping", in -> new Ping());
    MessageType<Pong> PONG = new MessageType<>(1055, "store.Pong", in -> new Pong());
    MessageType<Members> MEMBERS =
            new MessageType<>(
                    1056, "store.Members", in -> new Members(Headline.read(in), View.read(in)));
    MessageType<Ask> ASK =
            new MessageType<>(1058, "store.Ask", in -> new Ask(DirectoryQuery.read(in)));
    MessageType<Answer> ANSWER = new MessageType<>(1059, "store.Answer", Answer::read);
    MessageType<ZoneNews> ZONE_NEWS = new MessageType<>(1060, "store.ZoneNews", ZoneNews::read);
    MessageType<RecoverZone> RECOVER_ZONE =
            new MessageType<>(1061, "store.RecoverZone", RecoverZone::read);
    MessageType<Recovered> RECOVERED = new MessageType<>(1062, "store.Recovered", Recovered::read);
    MessageType<AskNetwork> ASK_NETWORK =
            new MessageType<>(1063, "store.AskNetwork", in -> new AskNetwork());
    MessageType<NetworkIs> NETWORK_IS = new MessageType<>(1064, "store.NetworkIs", NetworkIs::read);

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

    /**
     * Answers a join.
     *
     * @param nonce of the join
     * @param node the node id, or {@link #NOBODY}
     * @param incarnation how often that id was handed out before
     * @param firstZone number of the first zone that the node may open
     * @param refusal why not; empty if another superpeer is to be asked
     * @param clusterId of the cluster that the node has joined
     * @param leader who may lead, as far as the asked one knows
     */
    record Joined(
            long nonce,
            int node,
            int incarnation,
            int firstZone,
            String refusal,
            long clusterId,
            int leader)
            implements NodeMessage {
        Joined(long nonce, Result.NodeRegistered node, long clusterId, int leader) {
            this(nonce, node.node(), node.incarnation(), node.firstZone(), "", clusterId, leader);
        }

        static Joined refused(long nonce, String reason, int leader) {
            return new Joined(nonce, NOBODY, 0, 0, reason, 0, leader);
        }

        @Override
        public MessageType<Joined> type() {
            return JOINED;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(nonce);
            out.writeInt(node);
            out.writeInt(incarnation);
            out.writeInt(firstZone);
            out.writeString(refusal);
            out.writeLong(clusterId);
            out.writeInt(leader);
        }

        static Joined read(Importer in) {
            return new Joined(
                    in.readLong(),
                    in.readInt(),
                    in.readInt(),
                    in.readInt(),
                    in.readString(),
                    in.readLong(),
                    in.readInt());
        }
    }

    /**
     * A node lives.
     *
     * @param knownVersion of the members
     * @param replyHost where it listens, empty for the loopback: a superpeer does not know that of
     *     a node that was declared lost before it started
     * @param replyPort likewise
     */
    record Heartbeat(long knownVersion, String replyHost, int replyPort)
            implements NodeMessage, Request<Pulse> {
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
            out.writeString(replyHost);
            out.writeInt(replyPort);
        }

        static Heartbeat read(Importer in) {
            return new Heartbeat(in.readLong(), in.readString(), in.readInt());
        }
    }

    /** What a superpeer is to the node whose heartbeat it answers. */
    enum Standing {
        /** It leads, and the node is a member. */
        MEMBER(0),
        /** It leads, and the node is no member: it has been declared lost. */
        STRANGER(1),
        /** It does not lead, or cannot be sure now. */
        NOT_LEADER(2);

        private final byte number;

        Standing(int number) {
            this.number = (byte) number;
        }

        static Standing read(Importer in) {
            byte number = in.readByte();
            for (Standing standing : values()) {
                if (standing.number == number) {
                    return standing;
                }
            }
            throw new MalformedMessageException("unknown standing " + number);
        }
    }

    /**
     * What changes seldom and everybody should know.
     *
     * @param leader the leading superpeer, or {@link #NOBODY}
     * @param master the node that runs jobs, or {@link #NOBODY}
     * @param term of the master
     * @param jobChanges another number whenever jobs have changed
     */
    record Headline(int leader, int master, long term, long jobChanges) {
        /** Knows nothing but who leads. */
        static Headline ofLeader(int leader) {
            return new Headline(leader, NOBODY, 0, 0);
        }

        void write(Exporter out) {
            out.writeInt(leader);
            out.writeInt(master);
            out.writeLong(term);
            out.writeLong(jobChanges);
        }

        static Headline read(Importer in) {
            return new Headline(in.readInt(), in.readInt(), in.readLong(), in.readLong());
        }
    }

    /**
     * Answers a heartbeat.
     *
     * @param standing who answers, and to whom
     * @param leaseMillis from the sending of the heartbeat on the node may serve so long
     * @param headline what everybody should know; of one that does not lead only the leader
     * @param newer the members, if the node knows an older version
     */
    record Pulse(Standing standing, int leaseMillis, Headline headline, @Nullable View newer)
            implements NodeMessage {
        @Override
        public MessageType<Pulse> type() {
            return PULSE;
        }

        @Override
        public void write(Exporter out) {
            out.writeByte(standing.number);
            out.writeInt(leaseMillis);
            headline.write(out);
            out.writeBoolean(newer != null);
            if (newer != null) {
                newer.write(out);
            }
        }

        static Pulse read(Importer in) {
            return new Pulse(
                    Standing.read(in),
                    in.readInt(),
                    Headline.read(in),
                    in.readBoolean() ? View.read(in) : null);
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

    /** It does; or: taken. */
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

    /** The members, the master or jobs have changed. */
    record Members(Headline headline, View view) implements NodeMessage {
        @Override
        public MessageType<Members> type() {
            return MEMBERS;
        }

        @Override
        public void write(Exporter out) {
            headline.write(out);
            view.write(out);
        }
    }

    /** Asks the directory. */
    record Ask(DirectoryQuery query) implements NodeMessage, Request<Answer> {
        @Override
        public MessageType<Ask> type() {
            return ASK;
        }

        @Override
        public MessageType<Answer> responseType() {
            return ANSWER;
        }

        @Override
        public void write(Exporter out) {
            query.write(out);
        }
    }

    /**
     * Answers for the directory.
     *
     * @param leader who may lead if the asked superpeer does not, or {@link #NOBODY}
     * @param reply the reply; null if the asked superpeer does not lead
     */
    record Answer(int leader, @Nullable DirectoryReply reply) implements NodeMessage {
        @Override
        public MessageType<Answer> type() {
            return ANSWER;
        }

        @Override
        public void write(Exporter out) {
            out.writeInt(leader);
            out.writeBoolean(reply != null);
            if (reply != null) {
                reply.write(out);
            }
        }

        static Answer read(Importer in) {
            return new Answer(in.readInt(), in.readBoolean() ? DirectoryReply.read(in) : null);
        }
    }

    /** Zones have changed; answered with {@link Pong} when that has been taken. */
    record ZoneNews(List<ZoneInfo> zones) implements NodeMessage, Request<Pong> {
        @Override
        public MessageType<ZoneNews> type() {
            return ZONE_NEWS;
        }

        @Override
        public MessageType<Pong> responseType() {
            return PONG;
        }

        @Override
        public void write(Exporter out) {
            out.writeBytes(ResultLayout.writeZones(zones));
        }

        static ZoneNews read(Importer in) {
            try {
                return new ZoneNews(ResultLayout.readZones(in.readBytes()));
            } catch (IllegalArgumentException e) {
                throw new MalformedMessageException("bad zones: " + e.getMessage());
            }
        }
    }

    private static void writeNodes(Exporter out, List<Integer> nodes) {
        out.writeInts(nodes.stream().mapToInt(Integer::intValue).toArray());
    }

    private static List<Integer> readNodes(Importer in) {
        return Arrays.stream(in.readInts()).boxed().toList();
    }

    /**
     * Asks a backup to bring an orphaned zone back into its memory.
     *
     * @param zone zone id
     * @param epoch the current one
     * @param sources the nodes that may have the zone on their disks, the asked one among them
     * @param isLost whether they have come back with their disks, and none is a listed backup
     */
    record RecoverZone(long zone, long epoch, List<Integer> sources, boolean isLost)
            implements NodeMessage, Request<Recovered> {
        @Override
        public MessageType<RecoverZone> type() {
            return RECOVER_ZONE;
        }

        @Override
        public MessageType<Recovered> responseType() {
            return RECOVERED;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(zone);
            out.writeLong(epoch);
            writeNodes(out, sources);
            out.writeBoolean(isLost);
        }

        static RecoverZone read(Importer in) {
            long zone = in.readLong();
            long epoch = in.readLong();
            List<Integer> sources = readNodes(in);
            return new RecoverZone(zone, epoch, sources, in.readBoolean());
        }
    }

    /**
     * Answers how a recovery went.
     *
     * @param failure why it failed; empty if it did not
     * @param chunks brought back
     * @param bytes of their payloads
     * @param lost chunks without a good copy, as far as they are known
     * @param damaged whether there are such chunks
     * @param left sources that do not have all of the zone
     */
    record Recovered(
            String failure, long chunks, long bytes, int lost, boolean damaged, List<Integer> left)
            implements NodeMessage {
        @Override
        public MessageType<Recovered> type() {
            return RECOVERED;
        }

        @Override
        public void write(Exporter out) {
            out.writeString(failure);
            out.writeLong(chunks);
            out.writeLong(bytes);
            out.writeInt(lost);
            out.writeBoolean(damaged);
            writeNodes(out, left);
        }

        static Recovered read(Importer in) {
            return new Recovered(
                    in.readString(),
                    in.readLong(),
                    in.readLong(),
                    in.readInt(),
                    in.readBoolean(),
                    readNodes(in));
        }
    }

    /** Asks what a node's network has done. */
    record AskNetwork() implements NodeMessage, Request<NetworkIs> {
        @Override
        public MessageType<AskNetwork> type() {
            return ASK_NETWORK;
        }

        @Override
        public MessageType<NetworkIs> responseType() {
            return NETWORK_IS;
        }

        @Override
        public void write(Exporter out) {
            // nothing but its type
        }
    }

    /** Answers what it has done, and by what it talks. */
    record NetworkIs(String transport, NetStatistics statistics) implements NodeMessage {
        @Override
        public MessageType<NetworkIs> type() {
            return NETWORK_IS;
        }

        @Override
        public void write(Exporter out) {
            out.writeString(transport);
            StatisticsLayout.write(out, statistics);
        }

        static NetworkIs read(Importer in) {
            return new NetworkIs(in.readString(), StatisticsLayout.read(in));
        }
    }
}
