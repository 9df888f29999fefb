package org.starling.compute.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.starling.compute.inputs.WebHosts;
import org.starling.compute.jars.JarRules;
import org.starling.net.NetConfig;
import org.starling.net.UcxOptions;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.TransportKind;

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
 * @param ucxDevices on which network devices ({@code mlx5_0:1}, {@code eth0}…), empty for its own
 *     choice
 * @param tls whether they prove who they are; over {@link Transport#ETHERNET} alone
 * @param socketSendBytes the system's send buffer of each socket over Ethernet, 0 for its choice
 * @param socketReceiveBytes likewise its receive buffer
 * @param maxConnections nodes that one sends to at a time
 * @param maxRunningJobs most jobs of a compute group that run at once
 * @param jars what holds for code of users
 * @param hosts web servers that submitted scripts may read from, as {@link WebHosts} has them
 * @param leaveTimeout how long a peer that is asked to end may take to give its work and zones to
 *     others first; not at all if it is 0
 */
public record NodeTuning(
        int replication,
        Durability durability,
        long zoneBytes,
        Duration checkpointInterval,
        Transport transport,
        String ucxTls,
        String ucxDevices,
        NodeTls tls,
        int socketSendBytes,
        int socketReceiveBytes,
        int maxConnections,
        int maxRunningJobs,
        JarRules jars,
        List<String> hosts,
        Duration leaveTimeout) {
    /** How long a peer takes to leave where nothing is said. */
    public static final Duration USUAL_LEAVE_TIMEOUT = Duration.ofSeconds(20);

    /** The longest that a peer may take to leave. */
    public static final Duration MAX_LEAVE_TIMEOUT = Duration.ofHours(1);

    /** Most backups of a zone. */
    public static final int MAX_REPLICATION = 8;

    /** Smallest zone. */
    public static final long MIN_ZONE_BYTES = 1L << 20;

    /** Largest zone. */
    public static final long MAX_ZONE_BYTES = 16L << 30;

    /** Smallest buffer of a socket. */
    public static final int MIN_SOCKET_BYTES = NetConfig.MIN_SOCKET_BYTES;

    /** Largest buffer of a socket. */
    public static final int MAX_SOCKET_BYTES = NetConfig.MAX_SOCKET_BYTES;

    /** Connections where nothing is said. */
    public static final int USUAL_CONNECTIONS = NetConfig.defaults().maxConnections();

    /** Fewest connections that can be asked for. */
    public static final int MIN_CONNECTIONS = NetConfig.MIN_CONNECTIONS;

    /** Most connections that can be asked for. */
    public static final int MAX_CONNECTIONS = NetConfig.MAX_CONNECTIONS;

    /** Most jobs of a group at once that can be asked for. */
    public static final int MAX_RUNNING_JOBS = 64;

    /** Jobs of a group that run at once where nothing is said. */
    public static final int USUAL_RUNNING_JOBS = 4;

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
                    3,
                    Durability.POWER,
                    256L << 20,
                    Duration.ofSeconds(5),
                    Transport.ETHERNET,
                    "",
                    "",
                    NodeTls.Word.OFF,
                    0,
                    0,
                    USUAL_CONNECTIONS,
                    USUAL_RUNNING_JOBS,
                    JarRules.DEFAULT,
                    List.of(),
                    USUAL_LEAVE_TIMEOUT);

    /** Checks the bounds. */
    public NodeTuning {
        Objects.requireNonNull(durability, "durability");
        Objects.requireNonNull(jars, "jars");
        hosts = new WebHosts(hosts).entries();
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(ucxTls, "ucxTls");
        Objects.requireNonNull(ucxDevices, "ucxDevices");
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
        if (!isSocketBuffer(socketSendBytes) || !isSocketBuffer(socketReceiveBytes)) {
            throw new IllegalArgumentException(
                    "socket buffers must be 0, or have %d to %d bytes"
                            .formatted(MIN_SOCKET_BYTES, MAX_SOCKET_BYTES));
        }
        if (maxConnections < MIN_CONNECTIONS || maxConnections > MAX_CONNECTIONS) {
            throw new IllegalArgumentException(
                    "connections must be %d to %d, not %d"
                            .formatted(MIN_CONNECTIONS, MAX_CONNECTIONS, maxConnections));
        }
        if (maxRunningJobs < 1 || maxRunningJobs > MAX_RUNNING_JOBS) {
            throw new IllegalArgumentException(
                    "jobs at once must be 1 to %d, not %d"
                            .formatted(MAX_RUNNING_JOBS, maxRunningJobs));
        }
        if (leaveTimeout.isNegative() || leaveTimeout.compareTo(MAX_LEAVE_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "a peer may take up to %s to leave, not %s"
                            .formatted(MAX_LEAVE_TIMEOUT, leaveTimeout));
        }
        if (!checkpointInterval.isPositive()) {
            throw new IllegalArgumentException("the checkpoint interval must be positive");
        }
    }

    /** With other proofs. */
    public NodeTuning withTls(NodeTls other) {
        return with(zoneBytes, other);
    }

    /** With zones of another size. */
    public NodeTuning withZoneBytes(long bytes) {
        return with(bytes, tls);
    }

    private NodeTuning with(long bytes, NodeTls proofs) {
        return new NodeTuning(
                replication,
                durability,
                bytes,
                checkpointInterval,
                transport,
                ucxTls,
                ucxDevices,
                proofs,
                socketSendBytes,
                socketReceiveBytes,
                maxConnections,
                maxRunningJobs,
                jars,
                hosts,
                leaveTimeout);
    }

    /** Options of a node, with what is said here about how it talks. */
    public NodeOptions wired(NodeOptions options) {
        return options.withTransport(
                        TransportKind.valueOf(transport.name()), new UcxOptions(ucxTls, ucxDevices))
                .withTls(tls.files());
    }

    /** A configuration of a node, with what is said here about its sockets and connections. */
    public StoreConfig sockets(StoreConfig config) {
        return config.withNet(
                config.net()
                        .withSocketBuffers(socketSendBytes, socketReceiveBytes)
                        .withMaxConnections(maxConnections));
    }

    private static boolean isSocketBuffer(int bytes) {
        return bytes == 0 || (bytes >= MIN_SOCKET_BYTES && bytes <= MAX_SOCKET_BYTES);
    }
}
