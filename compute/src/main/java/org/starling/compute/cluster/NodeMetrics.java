package org.starling.compute.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.Metric.Kind;
import org.starling.compute.cluster.Metric.Sample;
import org.starling.compute.cluster.Traffic.Figure;
import org.starling.compute.internal.group.ProcessMemory;
import org.starling.compute.internal.job.JobFigures;
import org.starling.compute.internal.job.JobService;
import org.starling.net.NetStatistics;
import org.starling.store.ClusterStatus;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.StorageStatistics;
import org.starling.store.StoreNode;
import org.starling.store.StoreStatistics;

/**
 * The figures of a running node. Labels are roles, states and outcomes, never names of jobs, graphs
 * or nodes, so their number does not grow. Looking costs no lock that work waits for. Any thread.
 */
final class NodeMetrics implements NodeMonitor {
    private static final double NANOS_PER_SECOND = 1e9;

    private final StoreNode store;
    private final NodeSettings settings;

    /** Of a peer that can lead jobs. */
    private final @Nullable JobService jobs;

    private final Traffic traffic;
    private final Prompt<ClusterStatus> status;
    private final Prompt<List<JobInfo>> registry;
    private final Prompt<Space> space;

    /** Bytes of the file system that the data folder is on. */
    private record Space(long total, long free) {}

    NodeMetrics(StoreNode store, NodeSettings settings, @Nullable JobService jobs) {
        this.store = store;
        this.settings = settings;
        this.jobs = jobs;
        traffic = new Traffic(store.membership()::isSuperpeer);
        status = new Prompt<>(store::status);
        registry = new Prompt<>(store.jobs()::jobs);
        space = new Prompt<>(this::measure);
    }

    @Override
    public boolean isReady() {
        return settings.superpeer()
                ? status.ask().filter(cluster -> cluster.leader() >= 0).isPresent()
                : store.isServing();
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        metrics.add(
                new Metric(
                        "starling_node_ready",
                        Kind.GAUGE,
                        "1 while the node serves, else 0.",
                        List.of(
                                new Sample(
                                        Map.of("role", role(store.role())), isReady() ? 1 : 0))));
        gauge(
                metrics,
                "starling_machine_memory_bytes",
                "Memory of the machine, or of the container if that has less.",
                ProcessMemory.machineBytes());
        addNetwork(metrics, store.network().statistics());
        if (settings.superpeer()) {
            status.ask().ifPresent(cluster -> addCluster(metrics, cluster));
            registry.ask().ifPresent(all -> addQueue(metrics, all));
        } else {
            addChunks(metrics, store.chunks().statistics());
            store.storage().ifPresent(storage -> addStorage(metrics, storage));
            if (jobs != null) {
                addJobs(metrics, jobs.figures());
            }
        }
        space.ask().ifPresent(disk -> addSpace(metrics, disk));
        return metrics;
    }

    private void addNetwork(List<Metric> metrics, NetStatistics net) {
        traffic.look(net.connections());
        Map<Role, Number> open = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            open.put(role, traffic.connections(role));
        }
        metrics.add(
                byRole(
                        "starling_net_connections",
                        Kind.GAUGE,
                        "other",
                        "Nodes with a connection to this one.",
                        open));
        carried(metrics, "sent_messages", Figure.SENT_MESSAGES, 1, "Frames that left");
        carried(metrics, "sent_bytes", Figure.SENT_BYTES, 1, "Bytes that left");
        carried(metrics, "received_messages", Figure.RECEIVED_MESSAGES, 1, "Frames received");
        carried(metrics, "received_bytes", Figure.RECEIVED_BYTES, 1, "Bytes received");
        carried(metrics, "writes", Figure.WRITES, 1, "Writes in which frames left");
        carried(metrics, "stalls", Figure.STALLS, 1, "Times that a sender waited for room");
        carried(
                metrics,
                "stall_seconds",
                Figure.STALL_NANOS,
                NANOS_PER_SECOND,
                "Time that senders waited for room");
        counter(
                metrics,
                "starling_net_malformed_total",
                "Connections that were closed because of malformed bytes.",
                net.malformed());
        counter(
                metrics,
                "starling_net_refused_total",
                "Connections that were refused at the handshake.",
                net.refused());
        counter(
                metrics,
                "starling_net_lost_nodes_total",
                "Nodes that were lost, each with all its connections.",
                net.lost());
        counter(
                metrics,
                "starling_net_handler_failures_total",
                "Exceptions of handlers of messages.",
                net.handlerFailures());
        counter(
                metrics,
                "starling_net_answers_total",
                "Requests of this node that were answered.",
                net.roundTrips().count());
        gauge(
                metrics,
                "starling_net_pending_requests",
                "Requests of this node without an answer now.",
                net.queues().pendingRequests());
        gauge(
                metrics,
                "starling_net_waiting_tasks",
                "Handlers that wait for a worker now.",
                net.queues().waitingTasks());
        gauge(
                metrics,
                "starling_net_native_bytes",
                "Native memory of rings and buffers.",
                net.nativeBytes());
    }

    private static void addChunks(List<Metric> metrics, StoreStatistics chunks) {
        gauge(
                metrics,
                "starling_store_chunks",
                "Chunks that this node owns, those without backups included.",
                chunks.chunks());
        gauge(
                metrics,
                "starling_store_payload_bytes",
                "Payloads of the chunks.",
                chunks.payloadBytes());
        gauge(
                metrics,
                "starling_store_memory_used_bytes",
                "Memory for chunks that is in use, with what fragmentation leaves between them.",
                chunks.heapUsedBytes());
        gauge(
                metrics,
                "starling_store_memory_limit_bytes",
                "The most memory that chunks may take.",
                chunks.heapLimitBytes());
    }

    private static void addStorage(List<Metric> metrics, StorageStatistics storage) {
        gauge(
                metrics,
                "starling_log_zones",
                "Zones whose logs this node keeps for others.",
                storage.logs());
        gauge(metrics, "starling_log_bytes", "Bytes of these logs on disk.", storage.logBytes());
        counter(
                metrics,
                "starling_log_written_bytes_total",
                "Bytes that were written to logs, what the cleaner moves included.",
                storage.writtenBytes());
        counter(
                metrics,
                "starling_log_cleaned_bytes_total",
                "Bytes of old segments that the cleaner has been through.",
                storage.cleanedBytes());
        counter(
                metrics,
                "starling_log_forces_total",
                "Times that written bytes were made safe from the loss of power.",
                storage.forces());
        counter(
                metrics,
                "starling_log_force_seconds_total",
                "Time that this took.",
                storage.forceNanos() / NANOS_PER_SECOND);
        gauge(
                metrics,
                "starling_log_disk_hangs",
                "1 while the disk does not answer, else 0.",
                storage.hangs() ? 1 : 0);
        metrics.add(
                new Metric(
                        "starling_recovery_zones_total",
                        Kind.COUNTER,
                        "Zones that this node was to bring back after their owner was lost.",
                        List.of(
                                sample(
                                        "outcome",
                                        "recovered",
                                        storage.recoveredZones() - storage.damagedZones()),
                                sample("outcome", "damaged", storage.damagedZones()),
                                sample("outcome", "failed", storage.failedRecoveries()))));
        counter(
                metrics,
                "starling_recovery_bytes_total",
                "Payloads of the chunks that this node has brought back.",
                storage.recoveredBytes());
    }

    private static void addJobs(List<Metric> metrics, JobFigures jobs) {
        gauge(
                metrics,
                "starling_jobs_led",
                "Jobs that this node leads now, as the master.",
                jobs.running());
        metrics.add(
                new Metric(
                        "starling_jobs_ended_total",
                        Kind.COUNTER,
                        "Jobs that have ended while this node led them.",
                        List.of(
                                sample("outcome", "succeeded", jobs.succeeded()),
                                sample("outcome", "failed", jobs.failed()),
                                sample("outcome", "cancelled", jobs.cancelled()))));
        counter(
                metrics,
                "starling_job_supersteps_total",
                "Supersteps of jobs that this node led.",
                jobs.supersteps());
        counter(
                metrics,
                "starling_job_messages_total",
                "Messages between vertices of jobs that this node led, before combining.",
                jobs.messages());
        counter(
                metrics,
                "starling_job_recoveries_total",
                "Losses of peers that jobs which have ended here got over.",
                jobs.recoveries());
    }

    private void addCluster(List<Metric> metrics, ClusterStatus cluster) {
        gauge(
                metrics,
                "starling_cluster_leads",
                "1 on the superpeer that leads the directory, else 0.",
                cluster.leader() == store.nodeId() ? 1 : 0);
        Map<Role, Number> members = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            members.put(
                    role,
                    cluster.nodes().stream().map(NodeInfo::role).filter(role::equals).count());
        }
        metrics.add(
                byRole(
                        "starling_cluster_members",
                        Kind.GAUGE,
                        "role",
                        "Members, as the directory knows them.",
                        members));
        gauge(
                metrics,
                "starling_cluster_has_master",
                "1 while a peer leads jobs, else 0.",
                cluster.master() >= 0 ? 1 : 0);
        gauge(metrics, "starling_cluster_zones", "Zones in all.", cluster.zones());
        gauge(
                metrics,
                "starling_cluster_under_replicated_zones",
                "Zones with fewer copies than are wanted.",
                cluster.underReplicated());
        gauge(metrics, "starling_cluster_lost_zones", "Zones without a good copy.", cluster.lost());
        gauge(
                metrics,
                "starling_cluster_orphaned_zones",
                "Zones whose owner was lost and that nobody serves yet.",
                cluster.orphaned());
        metrics.add(
                new Metric(
                        "starling_cluster_exposed_zones",
                        Kind.GAUGE,
                        "Zones whose live copies are all on one host, or all in one rack.",
                        List.of(
                                sample("domain", "host", cluster.exposedZones(true)),
                                sample("domain", "rack", cluster.exposedZones(false)))));
    }

    private static void addQueue(List<Metric> metrics, List<JobInfo> all) {
        List<Sample> samples = new ArrayList<>();
        for (JobStatus state : JobStatus.values()) {
            if (!state.isEnded()) {
                samples.add(
                        sample(
                                "state",
                                state.name().toLowerCase(Locale.ROOT),
                                all.stream().filter(job -> job.status() == state).count()));
            }
        }
        metrics.add(
                new Metric(
                        "starling_jobs",
                        Kind.GAUGE,
                        "Jobs of the cluster that have not ended.",
                        samples));
    }

    private static void addSpace(List<Metric> metrics, Space disk) {
        gauge(
                metrics,
                "starling_data_size_bytes",
                "Size of the file system of the data folder.",
                disk.total());
        gauge(
                metrics,
                "starling_data_free_bytes",
                "What is free of it for this node.",
                disk.free());
    }

    private Space measure() {
        Path data = Optional.ofNullable(settings.data()).orElse(Path.of(""));
        try {
            FileStore disk = Files.getFileStore(data.toAbsolutePath());
            return new Space(disk.getTotalSpace(), disk.getUsableSpace());
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private void carried(
            List<Metric> metrics, String what, Figure figure, double unit, String help) {
        Map<Role, Number> sums = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            sums.put(role, traffic.sum(role, figure) / unit);
        }
        metrics.add(
                byRole(
                        "starling_net_%s_total".formatted(what),
                        Kind.COUNTER,
                        "other",
                        help + ", by the role of the other node.",
                        sums));
    }

    private static Metric byRole(
            String name, Kind kind, String label, String help, Map<Role, Number> values) {
        List<Sample> samples = new ArrayList<>();
        values.forEach((role, value) -> samples.add(sample(label, role(role), value)));
        return new Metric(name, kind, help, samples);
    }

    private static Sample sample(String label, String value, Number number) {
        return new Sample(Map.of(label, value), number.doubleValue());
    }

    private static String role(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private static void gauge(List<Metric> metrics, String name, String help, Number value) {
        metrics.add(single(name, Kind.GAUGE, help, value));
    }

    private static void counter(List<Metric> metrics, String name, String help, Number value) {
        metrics.add(single(name, Kind.COUNTER, help, value));
    }

    private static Metric single(String name, Kind kind, String help, Number value) {
        return new Metric(name, kind, help, List.of(new Sample(Map.of(), value.doubleValue())));
    }
}
