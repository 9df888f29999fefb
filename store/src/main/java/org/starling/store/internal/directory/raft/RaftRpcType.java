package org.starling.store.internal.directory.raft;

import java.util.function.IntPredicate;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.ServerFactory;
import org.starling.net.Network;

/** Has the library use {@link RaftRpc}; it makes one by the name of this class. */
final class RaftRpcType implements RpcType {
    private static final String FACTORY = "starling.factory";

    /** What the library's server is to be given along. */
    static Parameters parameters(Network network, IntPredicate isSuperpeer) {
        Parameters parameters = new Parameters();
        var _ = parameters.put(FACTORY, new Factory(network, isSuperpeer), Factory.class);
        return parameters;
    }

    @Override
    public String name() {
        return RaftRpcType.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return parameters.getNonNull(FACTORY, Factory.class);
    }

    private record Factory(Network network, IntPredicate isSuperpeer) implements ServerFactory {
        @Override
        public RaftRpc newRaftServerRpc(RaftServer server) {
            return new RaftRpc(server, network, isSuperpeer);
        }

        @Override
        public RpcType getRpcType() {
            return new RaftRpcType();
        }
    }
}
