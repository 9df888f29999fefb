package org.starling.store.internal.directory.raft;

import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * Bounds and times of the replicated directory.
 *
 * @param snapshotEntries entries of the log after which a snapshot takes their place
 * @param segmentBytes size of a file of the log
 * @param patience how long a command looks for a leader and a majority
 */
record RaftSettings(int snapshotEntries, int segmentBytes, Duration patience) {
    /** Waits between two attempts to send a command to a leader. */
    static final Duration RETRY_PAUSE = Duration.ofMillis(100);

    /** How long one replica waits for another's answer. */
    static final Duration REQUEST_PATIENCE = Duration.ofSeconds(1);

    /** How long a leader that ends waits for one other replica to take its place. */
    static final Duration HAND_ON_PATIENCE = Duration.ofMillis(300);

    private static final int ELECTION_MIN_MILLIS = 300;
    private static final int ELECTION_MAX_MILLIS = 600;

    /** A superpeer without others waits for nobody before it votes for itself. */
    private static final int ALONE_MIN_MILLIS = 5;

    private static final int ALONE_MAX_MILLIS = 10;
    private static final int READ_MILLIS = 2_000;

    /** Longer than any pause: a replica that was stopped for long goes on as a follower. */
    private static final int SLOW_HOURS = 1_000;

    /** Entries kept behind a snapshot, for replicas that are only a little late. */
    private static final int KEPT_ENTRIES = 64;

    private static final int SNAPSHOTS_KEPT = 2;
    private static final SizeInBytes PREALLOCATED = SizeInBytes.valueOf("64KB");

    static RaftSettings defaults() {
        return new RaftSettings(1_000, 8 << 20, Duration.ofSeconds(5));
    }

    RaftProperties properties(File storage, boolean isAlone) {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, new RaftRpcType());
        times(properties, isAlone);
        log(properties, storage);
        return properties;
    }

    private static void times(RaftProperties properties, boolean isAlone) {
        int min = isAlone ? ALONE_MIN_MILLIS : ELECTION_MIN_MILLIS;
        int max = isAlone ? ALONE_MAX_MILLIS : ELECTION_MAX_MILLIS;
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, millis(ELECTION_MIN_MILLIS));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, millis(ELECTION_MAX_MILLIS));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, millis(min));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, millis(max));
        RaftServerConfigKeys.Rpc.setRequestTimeout(
                properties, millis((int) REQUEST_PATIENCE.toMillis()));
        RaftServerConfigKeys.Rpc.setSlownessTimeout(
                properties, TimeDuration.valueOf(SLOW_HOURS, TimeUnit.HOURS));
        RaftServerConfigKeys.Read.setOption(
                properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        RaftServerConfigKeys.Read.setTimeout(properties, millis(READ_MILLIS));
        // A read that confirms leadership asks a majority, whatever the clock says.
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(properties, false);
    }

    private void log(RaftProperties properties, File storage) {
        RaftServerConfigKeys.setStorageDir(properties, List.of(storage));
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(segmentBytes));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, PREALLOCATED);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, KEPT_ENTRIES);
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
        RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, snapshotEntries);
        RaftServerConfigKeys.Snapshot.setCreationGap(properties, 1);
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(properties, SNAPSHOTS_KEPT);
    }

    private static TimeDuration millis(int count) {
        return TimeDuration.valueOf(count, TimeUnit.MILLISECONDS);
    }
}
