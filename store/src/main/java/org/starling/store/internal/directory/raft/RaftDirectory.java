package org.starling.store.internal.directory.raft;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.starling.store.internal.directory.DirectoryReplica;

/** The directory of a cluster with several superpeers: one of its replicas under Raft. */
public final class RaftDirectory {
    private RaftDirectory() {}

    public static DirectoryReplica open(Path dir, int self, List<InetSocketAddress> raftAddresses) {
        throw new UnsupportedOperationException("not written yet");
    }
}
