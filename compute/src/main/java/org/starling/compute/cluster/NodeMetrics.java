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
        Sheet sheet = new Sheet();
        sheet.add(
                "starling_node_ready",
                Kind.GAUGE,
                "1 while the node serves, else 0.",
                List.of(new Sample(Map.of("role", role(store.role())), isReady() ? 1 : 0)));
        sheet.gauge(
                "starling_machine_memory_bytes",
                "Memory of the machine, or of the container if that has less.",
                ProcessMemory.machineBytes());
        addNetwork(sheet, store.network().statistics());
        if (settings.superpeer()) {
            status.ask().ifPresent(cluster -> addCluster(sheet, cluster));
            registry.ask().ifPresent(all -> addQueue(sheet, all));
        } else {
            addChunks(sheet, store.chunks().statistics());
            store.storage().ifPresent(storage -> addStorage(sheet, storage));
            if (jobs != null) {
                addJobs(sheet, jobs.figures());
            }
        }
        space.ask().ifPresent(disk -> addSpace(sheet, disk));
        return sheet.metrics;
    }

    private void addNetwork(Sheet sheet, NetStatistics net) {
        traffic.look(net.connections());
        Map<Role, Number> open = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            open.put(role, traffic.connections(role));
        }
        sheet.byRole(
                "starling_net_connections",
                Kind.GAUGE,
                "other",
                "Nodes with a connection to this one.",
                open);
        carried(sheet, "sent_messages", Figure.SENT_MESSAGES, 1, "Frames that left");
        carried(sheet, "sent_bytes", Figure.SENT_BYTES, 1, "Bytes that left");
        carried(sheet, "received_messages", Figure.RECEIVED_MESSAGES, 1, "Frames received");
        carried(sheet, "received_bytes", Figure.RECEIVED_BYTES, 1, "Bytes received");
        carried(sheet, "writes", Figure.WRITES, 1, "Writes in which frames left");
        carried(sheet, "stalls", Figure.STALLS, 1, "Times that a sender waited for room");
        carried(
                sheet,
                "stall_seconds",
                Figure.STALL_NANOS,
                NANOS_PER_SECOND,
                "Time that senders waited for room");
        sheet.counter(
                "starling_net_malformed_total",
                "Connections that were closed because of malformed bytes.",
                net.malformed());
        sheet.counter(
                "starling_net_refused_total",
                "Connections that were refused at the handshake.",
                net.refused());
        sheet.counter(
                "starling_net_lost_nodes_total",
                "Nodes that were lost, each with all its connections.",
                net.lost());
        sheet.counter(
                "starling_net_handler_failures_total",
                "Exceptions of handlers of messages.",
                net.handlerFailures());
        sheet.counter(
                "starling_net_answers_total",
                "Requests of this node that were answered.",
                net.roundTrips().count());
        sheet.gauge(
                "starling_net_pending_requests",
                "Requests of this node without an answer now.",
                net.queues().pendingRequests());
        sheet.gauge(
                "starling_net_waiting_tasks",
                "Handlers that wait for a worker now.",
                net.queues().waitingTasks());
        sheet.gauge(
                "starling_net_native_bytes",
                "Native memory of rings and buffers.",
                net.nativeBytes());
    }

    private static void addChunks(Sheet sheet, StoreStatistics chunks) {
        sheet.gauge(
                "starling_store_chunks",
                "Chunks that this node owns, those without backups included.",
                chunks.chunks());
        sheet.gauge(
                "starling_store_payload_bytes", "Payloads of the chunks.", chunks.payloadBytes());
        sheet.gauge(
                "starling_store_memory_used_bytes",
                "Memory for chunks that is in use, with what fragmentation leaves between them.",
                chunks.heapUsedBytes());
        sheet.gauge(
                "starling_store_memory_limit_bytes",
                "The most memory that chunks may take.",
                chunks.heapLimitBytes());
    }

    private static void addStorage(Sheet sheet, StorageStatistics storage) {
        sheet.gauge(
                "starling_log_zones",
                "Zones whose logs this node keeps for others.",
                storage.logs());
        sheet.gauge("starling_log_bytes", "Bytes of these logs on disk.", storage.logBytes());
        sheet.counter(
                "starling_log_written_bytes_total",
                "Bytes that were written to logs, what the cleaner moves included.",
                storage.writtenBytes());
        sheet.counter(
                "starling_log_cleaned_bytes_total",
                "Bytes of old segments that the cleaner has been through.",
                storage.cleanedBytes());
        sheet.counter(
                "starling_log_forces_total",
                "Times that written bytes were made safe from the loss of power.",
                storage.forces());
        sheet.counter(
                "starling_log_force_seconds_total",
                "Time that this took.",
                storage.forceNanos() / NANOS_PER_SECOND);
        sheet.gauge(
                "starling_log_disk_hangs",
                "1 while the disk does not answer, else 0.",
                storage.hangs() ? 1 : 0);
        sheet.add(
                "starling_recovery_zones_total",
                Kind.COUNTER,
                "Zones that this node was to bring back after their owner was lost.",
                List.of(
                        sample(
                                "outcome",
                                "recovered",
                                storage.recoveredZones() - storage.damagedZones()),
                        sample("outcome", "damaged", storage.damagedZones()),
                        sample("outcome", "failed", storage.failedRecoveries())));
        sheet.counter(
                "starling_recovery_bytes_total",
                "Payloads of the chunks that this node has brought back.",
                storage.recoveredBytes());
    }

    private static void addJobs(Sheet sheet, JobFigures jobs) {
        sheet.gauge(
                "starling_jobs_led",
                "Jobs that this node leads now, as the master.",
                jobs.running());
        sheet.add(
                "starling_jobs_ended_total",
                Kind.COUNTER,
                "Jobs that have ended while this node led them.",
                List.of(
                        sample("outcome", "succeeded", jobs.succeeded()),
                        sample("outcome", "failed", jobs.failed()),
                        sample("outcome", "cancelled", jobs.cancelled())));
        sheet.counter(
                "starling_job_supersteps_total",
                "Supersteps of jobs that this node led.",
                jobs.supersteps());
        sheet.counter(
                "starling_job_messages_total",
                "Messages between vertices of jobs that this node led, before combining.",
                jobs.messages());
        sheet.counter(
                "starling_job_recoveries_total",
                "Losses of peers that jobs which have ended here got over.",
                jobs.recoveries());
    }

    private void addCluster(Sheet sheet, ClusterStatus cluster) {
        sheet.gauge(
                "starling_cluster_leads",
                "1 on the superpeer that leads the directory, else 0.",
                cluster.leader() == store.nodeId() ? 1 : 0);
        Map<Role, Number> members = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            members.put(
                    role,
                    cluster.nodes().stream().map(NodeInfo::role).filter(role::equals).count());
        }
        sheet.byRole(
                "starling_cluster_members",
                Kind.GAUGE,
                "role",
                "Members, as the directory knows them.",
                members);
        sheet.gauge(
                "starling_cluster_has_master",
                "1 while a peer leads jobs, else 0.",
                cluster.master() >= 0 ? 1 : 0);
        sheet.gauge("starling_cluster_zones", "Zones in all.", cluster.zones());
        sheet.gauge(
                "starling_cluster_under_replicated_zones",
                "Zones with fewer copies than are wanted.",
                cluster.underReplicated());
        sheet.gauge("starling_cluster_lost_zones", "Zones without a good copy.", cluster.lost());
        sheet.gauge(
                "starling_cluster_orphaned_zones",
                "Zones whose owner was lost and that nobody serves yet.",
                cluster.orphaned());
        sheet.add(
                "starling_cluster_exposed_zones",
                Kind.GAUGE,
                "Zones whose live copies are all on one host, or all in one rack.",
                List.of(
                        sample("domain", "host", cluster.exposedZones(true)),
                        sample("domain", "rack", cluster.exposedZones(false))));
    }

    private static void addQueue(Sheet sheet, List<JobInfo> all) {
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
        sheet.add("starling_jobs", Kind.GAUGE, "Jobs of the cluster that have not ended.", samples);
    }

    private static void addSpace(Sheet sheet, Space disk) {
        sheet.gauge(
                "starling_data_size_bytes",
                "Size of the file system of the data folder.",
                disk.total());
        sheet.gauge("starling_data_free_bytes", "What is free of it for this node.", disk.free());
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

    private void carried(Sheet sheet, String what, Figure figure, double unit, String help) {
        Map<Role, Number> sums = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            sums.put(role, traffic.sum(role, figure) / unit);
        }
        sheet.byRole(
                "starling_net_%s_total".formatted(what),
                Kind.COUNTER,
                "other",
                help + ", by the role of the other node.",
                sums);
    }

    private static String role(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private static Sample sample(String label, String value, Number number) {
        return new Sample(Map.of(label, value), number.doubleValue());
    }

    /** Figures as they are written down. */
    private static final class Sheet {
        private final List<Metric> metrics = new ArrayList<>();

        private void gauge(String name, String help, Number value) {
            add(name, Kind.GAUGE, help, List.of(new Sample(Map.of(), value.doubleValue())));
        }

        private void counter(String name, String help, Number value) {
            add(name, Kind.COUNTER, help, List.of(new Sample(Map.of(), value.doubleValue())));
        }

        private void byRole(
                String name, Kind kind, String label, String help, Map<Role, Number> values) {
            List<Sample> samples = new ArrayList<>();
            values.forEach((role, value) -> samples.add(sample(label, role(role), value)));
            add(name, kind, help, samples);
        }

        private void add(String name, Kind kind, String help, List<Sample> samples) {
            metrics.add(new Metric(name, kind, help, samples));
        }
    }
}
