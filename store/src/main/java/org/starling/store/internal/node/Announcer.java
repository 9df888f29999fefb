package org.starling.store.internal.node;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.store.NodeInfo;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.node.NodeMessage.Members;
import org.starling.store.internal.node.NodeMessage.ZoneNews;

/**
 * Tells the members what has changed: who belongs to the cluster, who is master, that jobs have
 * changed, and how zones are now. Works on the leading superpeer alone, stepped by its agent;
 * {@link #acknowledged} is called by receiving threads.
 *
 * <p>What each node has been told of zones is a version of the directory that it has acknowledged;
 * the difference is sent again until it is. What a node misses of members and headlines comes with
 * the answer to its next heartbeat.
 */
final class Announcer {
    private static final Logger LOG = LogManager.getLogger(Announcer.class);

    private final Asker asker;
    private final DirectoryReplica replica;
    private final Duration timeout;

    /** Wakes the agent. */
    private final Runnable wake;

    // guarded by this
    private final Map<Integer, Long> toldVersion = new HashMap<>();
    private final Set<Integer> underWay = new HashSet<>();

    // confined to the agent
    private Members lastTold = new Members(NodeMessage.LeaderAndMaster.ofLeader(-1), View.EMPTY);

    Announcer(Asker asker, DirectoryReplica replica, Duration timeout, Runnable wake) {
        this.asker = asker;
        this.replica = replica;
        this.timeout = timeout;
        this.wake = wake;
    }

    /** Nobody has been told anything by this leader. */
    synchronized void takeOver() {
        toldVersion.clear();
        underWay.clear();
    }

    /** Tells members and zones as far as somebody does not know them. */
    void doWork(Members now) {
        if (!now.equals(lastTold)) {
            lastTold = now;
            for (NodeInfo node : now.view().nodes()) {
                tell(node.id(), now);
            }
            forgetAllBut(now.view().nodes());
        }
        for (NodeInfo node : now.view().nodes()) {
            tellZones(node.id());
        }
    }

    /** What cannot be sent is not lost: the next heartbeat of the node brings the same news. */
    private void tell(int node, Members news) {
        asker.tell(
                node,
                news,
                failure ->
                        LOG.debug(
                                "could not tell node {} of a change: {}",
                                node,
                                failure.getMessage()));
    }

    private void tellZones(int node) {
        long told;
        synchronized (this) {
            told = toldVersion.getOrDefault(node, 0L);
            if (underWay.contains(node)) {
                return;
            }
        }
        long version = replica.read(Directory::zoneVersion);
        if (version <= told) {
            return;
        }
        List<ZoneInfo> zones = replica.read(directory -> directory.zonesChangedAfter(told));
        synchronized (this) {
            underWay.add(node);
        }
        var _ =
                asker.ask(node, new ZoneNews(zones), timeout)
                        .whenComplete(
                                (pong, failure) -> acknowledged(node, version, failure == null));
    }

    private void acknowledged(int node, long version, boolean isTaken) {
        synchronized (this) {
            underWay.remove(node);
            if (isTaken) {
                toldVersion.merge(node, version, Math::max);
            }
        }
        if (isTaken && replica.read(Directory::zoneVersion) > version) {
            wake.run();
        }
    }

    private synchronized void forgetAllBut(List<NodeInfo> members) {
        toldVersion.keySet().removeIf(id -> members.stream().noneMatch(node -> node.id() == id));
    }
}
