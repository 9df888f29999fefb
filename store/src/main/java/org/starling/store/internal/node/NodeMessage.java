package org.starling.store.internal.node;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.net.MessageType;
import org.starling.net.NetStatistics;
import org.starling.net.RecordMessage;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.RecordRequest;
import org.starling.store.NodeInfo;
import org.starling.store.StoreStatistics;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.SuperpeerInfo;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.directory.ZoneSources;

/**
 * The messages between nodes and superpeers: joining, members, directory, recovery; type ids 1050
 * to 1099.
 */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface NodeMessage extends RecordMessage {
    /** Stands for no node, for example while nobody leads. */
    int NOBODY = -1;

    MessageType<Join> JOIN = RecordMessage.type(Join.class);
    MessageType<Heartbeat> HEARTBEAT = RecordMessage.type(Heartbeat.class);
    MessageType<Ping> PING = RecordMessage.type(Ping.class);
    MessageType<Members> MEMBERS = RecordMessage.type(Members.class);
    MessageType<Ask> ASK = RecordMessage.type(Ask.class);
    MessageType<ZoneNews> ZONE_NEWS = RecordMessage.type(ZoneNews.class);
    MessageType<RecoverZone> RECOVER_ZONE = RecordMessage.type(RecoverZone.class);
    MessageType<HandOver> HAND_OVER = RecordMessage.type(HandOver.class);
    MessageType<AskNetwork> ASK_NETWORK = RecordMessage.type(AskNetwork.class);

    /**
     * Asks to become a member, from a network with a borrowed node id.
     *
     * @param nonce tells the answer to this request from others to the same borrowed id
     * @param replyHost where the borrowed id listens, empty for the loopback
     * @param replyPort likewise
     * @param command the registration ({@link CommandLayout})
     */
    @TypeId(1050)
    record Join(long nonce, String replyHost, int replyPort, byte[] command)
            implements NodeMessage, RecordRequest<Joined> {
        public Join {
            if (replyPort < 0 || replyPort > 65_535) {
                throw new IllegalArgumentException("port " + replyPort);
            }
        }
    }

    /**
     * Answers a join.
     *
     * @param nonce of the join
     * @param node the node id, or {@link #NOBODY}
     * @param incarnation how often that id was handed out before
     * @param firstZone number of the first zone that the node may open
     * @param isForgotten whether the node whose disk it has was removed for good meanwhile
     * @param refusal why not; empty if another superpeer is to be asked
     * @param clusterId of the cluster that the node has joined
     * @param leader who may lead, as far as the asked one knows
     * @param superpeers who they are, as far as it knows
     */
    @TypeId(1051)
    record Joined(
            long nonce,
            int node,
            int incarnation,
            int firstZone,
            boolean isForgotten,
            String refusal,
            long clusterId,
            int leader,
            List<SuperpeerInfo> superpeers)
            implements NodeMessage {
        Joined(
                long nonce,
                Result.NodeRegistered node,
                boolean isForgotten,
                long clusterId,
                int leader,
                List<SuperpeerInfo> superpeers) {
            this(
                    nonce,
                    node.node(),
                    node.incarnation(),
                    node.firstZone(),
                    isForgotten,
                    "",
                    clusterId,
                    leader,
                    superpeers);
        }

        static Joined refused(
                long nonce, String reason, int leader, List<SuperpeerInfo> superpeers) {
            return new Joined(nonce, NOBODY, 0, 0, false, reason, 0, leader, superpeers);
        }
    }

    /**
     * A node lives.
     *
     * @param knownVersion of the members
     * @param replyHost where it listens, empty for the loopback: a superpeer does not know that of
     *     a node that was declared lost before it started
     * @param replyPort likewise
     * @param incarnation which bearer of its id it is; likewise
     * @param freeBytes memory that it has for more chunks
     */
    @TypeId(1052)
    record Heartbeat(
            long knownVersion, String replyHost, int replyPort, int incarnation, long freeBytes)
            implements NodeMessage, RecordRequest<HeartbeatReply> {
        public Heartbeat {
            if (incarnation < 0 || incarnation > NodeInfo.MAX_INCARNATION) {
                throw new IllegalArgumentException("incarnation " + incarnation);
            }
            if (freeBytes < 0) {
                throw new IllegalArgumentException(freeBytes + " bytes of free memory");
            }
        }
    }

    /** What a superpeer is to the node whose heartbeat it answers. */
    enum Standing {
        /** It leads, and the node is a member. */
        MEMBER,
        /** It leads, and the node is no member: it has been declared lost. */
        STRANGER,
        /** It does not lead, or cannot be sure now. */
        NOT_LEADER,
        /** It leads, and the node was a superpeer until it was removed for good. */
        REMOVED
    }

    /**
     * What changes seldom and everybody should know.
     *
     * @param leader the leading superpeer, or {@link #NOBODY}
     * @param master the node that runs jobs, or {@link #NOBODY}
     * @param term of the master
     * @param jobChanges another number whenever jobs have changed
     */
    record LeaderAndMaster(int leader, int master, long term, long jobChanges) {
        /** Knows nothing but who leads. */
        static LeaderAndMaster ofLeader(int leader) {
            return new LeaderAndMaster(leader, NOBODY, 0, 0);
        }
    }

    /**
     * Answers a heartbeat.
     *
     * @param standing who answers, and to whom
     * @param leaseMillis from the sending of the heartbeat on the node may serve so long
     * @param leaders what everybody should know; of one that does not lead only the leader
     * @param newer the members, if the node knows an older version
     * @param superpeers of one that does not lead: who they are, as far as it knows
     */
    @TypeId(1053)
    record HeartbeatReply(
            Standing standing,
            int leaseMillis,
            LeaderAndMaster leaders,
            @Nullable View newer,
            List<SuperpeerInfo> superpeers)
            implements NodeMessage {
        HeartbeatReply(
                Standing standing, int leaseMillis, LeaderAndMaster leaders, @Nullable View newer) {
            this(standing, leaseMillis, leaders, newer, List.of());
        }

        static HeartbeatReply ofFollower(int leader, List<SuperpeerInfo> superpeers) {
            return new HeartbeatReply(
                    Standing.NOT_LEADER, 0, LeaderAndMaster.ofLeader(leader), null, superpeers);
        }
    }

    /** Asks whether a node lives. */
    @TypeId(1054)
    record Ping() implements NodeMessage, RecordRequest<Pong> {}

    /** It does; or: taken. */
    @TypeId(1055)
    record Pong() implements NodeMessage {}

    /** The members, the master or jobs have changed. */
    @TypeId(1056)
    record Members(LeaderAndMaster leaders, View view) implements NodeMessage {}

    /** Asks the directory. */
    @TypeId(1058)
    record Ask(DirectoryQuery query) implements NodeMessage, RecordRequest<Answer> {}

    /**
     * Answers for the directory.
     *
     * @param leader who may lead if the asked superpeer does not, or {@link #NOBODY}
     * @param reply the reply; null if the asked superpeer does not lead
     */
    @TypeId(1059)
    record Answer(int leader, @Nullable DirectoryReply reply) implements NodeMessage {}

    /** Zones have changed; answered with {@link Pong} when that has been taken. */
    @TypeId(1060)
    record ZoneNews(List<ZoneInfo> zones) implements NodeMessage, RecordRequest<Pong> {}

    /**
     * Asks a backup to bring an orphaned zone back into its memory.
     *
     * @param zone zone id
     * @param epoch the current one
     * @param sources who may have the zone, the asked one among them
     */
    @TypeId(1061)
    record RecoverZone(long zone, long epoch, ZoneSources sources)
            implements NodeMessage, RecordRequest<Recovered> {}

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
    @TypeId(1062)
    record Recovered(
            String failure, long chunks, long bytes, int lost, boolean damaged, List<Integer> left)
            implements NodeMessage {}

    /**
     * Asks an owner to hand one of its zones over.
     *
     * @param target the peer that is to have it
     * @param mostBytes of its payloads
     */
    @TypeId(1065)
    record HandOver(int target, long mostBytes) implements NodeMessage, RecordRequest<Gone> {}

    /**
     * Answers what was handed over.
     *
     * @param failure why nothing was; empty otherwise
     * @param zone zone id
     * @param bytes of its payloads
     */
    @TypeId(1066)
    record Gone(String failure, long zone, long bytes) implements NodeMessage {}

    /** Asks what a node's network has done, and how many chunks it holds. */
    @TypeId(1063)
    record AskNetwork() implements NodeMessage, RecordRequest<NetworkIs> {}

    /** Answers what it has done, by what it talks, and the node's chunks. */
    @TypeId(1064)
    record NetworkIs(String transport, NetStatistics statistics, StoreStatistics chunks)
            implements NodeMessage {}
}
