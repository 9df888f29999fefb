package org.starling.store.internal.directory.raft;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.function.IntPredicate;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.jspecify.annotations.Nullable;
import org.starling.net.Execution;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.net.RequestTimeoutException;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.raft.RaftMessage.Call;
import org.starling.store.internal.directory.raft.RaftMessage.Procedure;
import org.starling.store.internal.directory.raft.RaftMessage.Reply;

/**
 * How Ratis talks to the other replicas: by messages of the node's own network, so that nobody gets
 * in who has not passed its handshake, and nothing is served but what replicas need of each other.
 * Owned by the library's server, which calls it on threads of its own that may wait.
 */
final class RaftRpc implements RaftServerRpc {
    private final RaftServer server;
    private final Network network;
    private final IntPredicate isSuperpeer;

    RaftRpc(RaftServer server, Network network, IntPredicate isSuperpeer) {
        this.server = server;
        this.network = network;
        this.isSuperpeer = isSuperpeer;
    }

    // life cycle

    @Override
    public void start() {
        network.serve(RaftMessage.CALL, Execution.WORKER, this::serve);
    }

    /** The network outlives it; calls that come late are refused by the closed server. */
    @Override
    public void close() {}

    // what this replica asks of others

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
        return RequestVoteReplyProto.parseFrom(
                call(Procedure.REQUEST_VOTE, request.getServerRequest(), request.toByteArray()));
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request)
            throws IOException {
        return AppendEntriesReplyProto.parseFrom(
                call(Procedure.APPEND_ENTRIES, request.getServerRequest(), request.toByteArray()));
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request)
            throws IOException {
        return InstallSnapshotReplyProto.parseFrom(
                call(
                        Procedure.INSTALL_SNAPSHOT,
                        request.getServerRequest(),
                        request.toByteArray()));
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(
            StartLeaderElectionRequestProto request) throws IOException {
        return StartLeaderElectionReplyProto.parseFrom(
                call(Procedure.START_ELECTION, request.getServerRequest(), request.toByteArray()));
    }

    private byte[] call(Procedure procedure, RaftRpcRequestProto header, byte[] body)
            throws IOException {
        int replica = RaftNames.index(RaftPeerId.valueOf(header.getReplyId()));
        try {
            return network.call(replica, new Call(procedure, body), RaftSettings.REQUEST_PATIENCE)
                    .body();
        } catch (RequestTimeoutException e) {
            network.renew(replica);
            throw new IOException(e.getMessage(), e);
        } catch (NetException e) {
            throw new IOException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    // what others ask of this replica

    private Reply serve(int source, Call call) {
        try {
            return new Reply(
                    switch (call.procedure()) {
                        case REQUEST_VOTE -> {
                            var request = RequestVoteRequestProto.parseFrom(call.body());
                            check(source, request.getServerRequest());
                            yield server.requestVote(request).toByteArray();
                        }
                        case APPEND_ENTRIES -> {
                            var request = AppendEntriesRequestProto.parseFrom(call.body());
                            check(source, request.getServerRequest());
                            yield server.appendEntries(request).toByteArray();
                        }
                        case INSTALL_SNAPSHOT -> {
                            var request = InstallSnapshotRequestProto.parseFrom(call.body());
                            check(source, request.getServerRequest());
                            yield server.installSnapshot(request).toByteArray();
                        }
                        case START_ELECTION -> {
                            var request = StartLeaderElectionRequestProto.parseFrom(call.body());
                            check(source, request.getServerRequest());
                            yield server.startLeaderElection(request).toByteArray();
                        }
                    });
        } catch (IOException e) {
            throw new StoreException(
                    "superpeer " + network.nodeId() + " takes no part now: " + e.getMessage(), e);
        }
    }

    /** Who speaks is who it says: the network has proven the source. */
    private void check(int source, RaftRpcRequestProto header) {
        if (!isSuperpeer.test(source)
                || !RaftNames.peer(source).equals(RaftPeerId.valueOf(header.getRequestorId()))) {
            throw new StoreException(
                    "node "
                            + source
                            + " speaks as "
                            + header.getRequestorId().toStringUtf8()
                            + ", which it is not");
        }
    }

    // what the library wants to know

    @Override
    public RpcType getRpcType() {
        return new RaftRpcType();
    }

    @Override
    public @Nullable InetSocketAddress getInetSocketAddress() {
        return network.localAddress();
    }

    /** The network connects again by itself. */
    @Override
    public void handleException(RaftPeerId serverId, Exception e, boolean reconnect) {}

    /** Superpeers are known by their node ids. */
    @Override
    public void addRaftPeers(Collection<RaftPeer> peers) {}
}
