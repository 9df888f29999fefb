package org.starling.store.internal.directory.raft;

import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/** What superpeers and their group are called in the log. They have no addresses there. */
final class RaftNames {
    private static final String PEER_PREFIX = "superpeer-";

    /** Second half of each group's id; the first is the cluster's. */
    private static final long GROUP = 0x9d55_7374_6172_646cL;

    private RaftNames() {}

    static RaftPeerId peer(int index) {
        return RaftPeerId.valueOf(PEER_PREFIX + index);
    }

    static int index(RaftPeerId peer) {
        return Integer.parseInt(peer.toString().substring(PEER_PREFIX.length()));
    }

    static RaftGroupId groupId(long clusterId) {
        return RaftGroupId.valueOf(new UUID(clusterId, GROUP));
    }

    /** Of nobody yet: the leader says who is in it. */
    static RaftGroup emptyGroup(long clusterId) {
        return RaftGroup.valueOf(groupId(clusterId));
    }

    static RaftGroup group(long clusterId, int superpeers) {
        return RaftGroup.valueOf(
                groupId(clusterId),
                IntStream.range(0, superpeers)
                        .mapToObj(index -> RaftPeer.newBuilder().setId(peer(index)).build())
                        .toList());
    }
}
