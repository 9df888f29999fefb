package org.starling.store.internal.node;

import java.util.List;
import java.util.Optional;
import org.starling.store.ClusterStatus;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.Recoveries;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;

/** What the directory answers to a {@link DirectoryQuery}; in {@link NodeMessage.Answer}. */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface DirectoryReply {
    /** The most names in one reply. */
    int MAX_NAMES = 4096;

    /** The result of a command. */
    record Applied(Result result) implements DirectoryReply {}

    /**
     * The command was not carried out, as the node that sent it is no member (any more). An earlier
     * attempt may have been, when the node still was one.
     */
    record NoMember(int node) implements DirectoryReply {}

    /** A chunk id, or none. */
    record LookedUp(long id) implements DirectoryReply {}

    /** The next names in order, up to {@link #MAX_NAMES}, and their chunks. */
    record Names(String[] names, long[] ids) implements DirectoryReply {
        public Names {
            if (names.length != ids.length) {
                throw new IllegalArgumentException(names.length + " names of " + ids.length);
            }
        }
    }

    /** Zones. */
    record Zones(List<ZoneInfo> zones) implements DirectoryReply {}

    /** Zones that have been dropped. */
    record Dropped(long[] zones) implements DirectoryReply {}

    /** A node id, or −1. */
    record Chosen(int node) implements DirectoryReply {}

    /** Jobs in few words. */
    record JobList(List<JobInfo> jobs) implements DirectoryReply {}

    /** One job, if it is known. */
    record JobIs(Optional<Job> job) implements DirectoryReply {}

    /** What was granted, by ascending name. */
    record GrantsAre(String[] names, byte[][] grants) implements DirectoryReply {
        public GrantsAre {
            if (names.length != grants.length) {
                throw new IllegalArgumentException(grants.length + " grants of " + names.length);
            }
        }
    }

    /** How the cluster is. */
    record StatusIs(ClusterStatus status) implements DirectoryReply {}

    /** Which nodes were lost, and what has become of what they owned. */
    record RecoveriesAre(Recoveries recoveries) implements DirectoryReply {}
}
