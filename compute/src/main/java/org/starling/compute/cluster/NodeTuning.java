package org.starling.compute.cluster;

import java.time.Duration;
import java.util.Objects;

/**
 * What holds for all nodes of a cluster alike.
 *
 * @param replication backups of each zone that are wanted, 0 to {@value #MAX_REPLICATION}
 * @param durability of writes that do not say otherwise
 * @param zoneBytes size of a zone from which on no more chunks are created in it
 * @param checkpointInterval time between two checkpoints of a running program
 * @param transport how nodes of different processes talk
 * @param ucxTls what UCX may use ({@code posix}, {@code tcp}, {@code rc}…), empty for its own
 *     choice
 * @param tls whether they prove who they are; over {@link Transport#ETHERNET} alone
 */
public record NodeTuning(
        int replication,
        Durability durability,
        long zoneBytes,
        Duration checkpointInterval,
        Transport transport,
        String ucxTls,
        NodeTls tls) {
    /** Most backups of a zone. */
    public static final int MAX_REPLICATION = 8;

    /** Smallest zone. */
    public static final long MIN_ZONE_BYTES = 1L << 20;

    /** Largest zone. */
    public static final long MAX_ZONE_BYTES = 16L << 30;

    /** What acknowledged writes survive. */
    public enum Durability {
        /** Nothing. */
        MEMORY,
        /** The loss of processes. */
        PROCESS,
        /** The loss of all processes at once. */
        POWER
    }

    /** How processes talk. */
    public enum Transport {
        /** TCP. */
        ETHERNET,
        /** UCX. */
        INFINIBAND
    }

    /** What holds where nothing is said: three backups, power, zones of 256 MiB, Ethernet. */
    public static final NodeTuning DEFAULT =
            new NodeTuning(
                    3, Durability.POWER, 256L << 20, Duration.ofSeconds(5), Transport.ETHERNET, "");

    /** Checks the bounds. */
    public NodeTuning {
        Objects.requireNonNull(durability, "durability");
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(ucxTls, "ucxTls");
        if (tls != NodeTls.Word.OFF && transport != Transport.ETHERNET) {
            throw new IllegalArgumentException("TLS works over Ethernet alone");
        }
        if (replication < 0 || replication > MAX_REPLICATION) {
            throw new IllegalArgumentException(
                    "replication must be 0 to " + MAX_REPLICATION + ", not " + replication);
        }
        if (zoneBytes < MIN_ZONE_BYTES || zoneBytes > MAX_ZONE_BYTES) {
            throw new IllegalArgumentException(
                    "zones must have %d to %d bytes, not %d"
                            .formatted(MIN_ZONE_BYTES, MAX_ZONE_BYTES, zoneBytes));
        }
        if (!checkpointInterval.isPositive()) {
            throw new IllegalArgumentException("the checkpoint interval must be positive");
        }
    }

    /** A tuning without TLS. */
    public NodeTuning(
            int replication,
            Durability durability,
            long zoneBytes,
            Duration checkpointInterval,
            Transport transport,
            String ucxTls) {
        this(
                replication,
                durability,
                zoneBytes,
                checkpointInterval,
                transport,
                ucxTls,
                NodeTls.Word.OFF);
    }

    /** With other proofs. */
    public NodeTuning withTls(NodeTls other) {
        return new NodeTuning(
                replication,
                durability,
                zoneBytes,
                checkpointInterval,
                transport,
                ucxTls,
                other);
    }
}
