package org.starling.compute.cluster;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.ForecastSession;
import org.starling.compute.GroupName;
import org.starling.compute.access.TokenService;
import org.starling.compute.columns.ColumnService;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.internal.catalogue.CatalogueService;
import org.starling.compute.internal.catalogue.KeptColumn;
import org.starling.compute.internal.catalogue.KeptGraph;
import org.starling.compute.internal.files.FileCopies;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.compute.internal.protocol.QueryMessage.AskJobs;
import org.starling.compute.internal.protocol.QueryMessage.JobNews;
import org.starling.compute.internal.protocol.QueryMessage.JobsNews;
import org.starling.compute.jars.JobCode;
import org.starling.compute.script.ExistingGraphs;
import org.starling.compute.script.JobActivity;
import org.starling.compute.script.JobCourse;
import org.starling.compute.script.JobPriority;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.QueuedJob;
import org.starling.compute.script.Script;
import org.starling.compute.script.ScriptPlan;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.GraphQueries;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.store.ClusterStatus;
import org.starling.store.DataLostException;
import org.starling.store.Durability;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobRefusedException;
import org.starling.store.JobStatus;
import org.starling.store.NodeInfo;
import org.starling.store.RemovalRefusedException;
import org.starling.store.Role;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/** The service of a real superpeer: the directory's jobs and status. Any thread. */
final class SuperpeerService implements ApiService {
    /** A master that does not say what it knows by then is not waited for. */
    private static final Duration NEWS_TIMEOUT = Duration.ofSeconds(1);

    private static final double NANOS_PER_SECOND = 1e9;

    private final StoreNode store;
    private final InstantSource clock = InstantSource.system();
    private final TaskCatalog tasks;
    private final CatalogueService catalogue;

    /** Folders that files of scripts must lie under. */
    private final List<Path> roots;

    /** Web servers that scripts may read from. */
    private final List<String> hosts;

    private final ActivitySource activities;

    private final SuperpeerJars jars;
    private final GraphQueries queries;

    private final SuperpeerResults results;
    private final SuperpeerColumns columns;
    private final UploadService uploads;
    private final FileCopies copies;
    private final TokenService tokens;

    SuperpeerService(
            StoreNode store,
            TaskCatalog tasks,
            FileCopies copies,
            List<Path> roots,
            NodeTuning tuning,
            TokenService tokens) {
        this.tokens = tokens;
        this.jars = new SuperpeerJars(store, tuning.jars());
        this.queries = new SuperpeerQueries(store);
        this.results = new SuperpeerResults(store);
        this.columns = new SuperpeerColumns(store);
        this.uploads = new UploadFolder(roots, clock);
        this.store = store;
        this.copies = copies;
        this.activities = new ActivitySource(store);
        this.tasks = tasks;
        this.roots = List.copyOf(roots);
        this.hosts = tuning.hosts();
        this.catalogue = new CatalogueService(store, clock);
    }

    @Override
    public long submit(JobRequest request, long nonce) {
        QueuedJob job = new QueuedJob(request, roots, hosts);
        ExistingGraphs existing = ask(() -> ExistingGraphs.of(names(catalogue.graphs())));
        boolean hasJars = !request.jars().isEmpty();
        String name = hasJars ? jars.check(job) : nameOfGood(job, existing);
        if (name.getBytes(StandardCharsets.UTF_8).length > Job.MAX_NAME_BYTES) {
            throw new InvalidInputException(
                    "the name of the script is longer than " + Job.MAX_NAME_BYTES + " bytes");
        }
        byte[] payload = job.json().getBytes(StandardCharsets.UTF_8);
        if (payload.length > Job.MAX_PAYLOAD_BYTES) {
            throw new InvalidInputException(
                    "the script is too large for a job: %d bytes of %d with its parameters"
                            .formatted(payload.length, Job.MAX_PAYLOAD_BYTES));
        }
        checkGroup(request.group());
        long id = ask(() -> store.jobs().submit(nonce, name, payload));
        if (hasJars) {
            keepJars(job, id);
        }
        return id;
    }

    private String nameOfGood(QueuedJob job, ExistingGraphs existing) {
        try (BroughtFiles files = copies.user()) {
            return job.script(tasks, files, existing).name();
        }
    }

    @Override
    public ScriptPlan check(JobRequest request) {
        if (!request.jars().isEmpty()) {
            throw new InvalidInputException(
                    "jars: a script with jars is checked when it is submitted, or by \"starling run --check\"");
        }
        checkGroup(request.group());
        ExistingGraphs existing = ask(() -> ExistingGraphs.of(names(catalogue.graphs())));
        List<NodeInfo> peers =
                ask(store::status).nodes().stream().filter(request.group()::has).toList();
        int threads = peers.stream().mapToInt(NodeInfo::cores).max().orElse(1);
        try (BroughtFiles files = copies.user();
                ForecastSession session =
                        new ForecastSession(
                                Math.max(1, peers.size()), threads, JobCode.builtIn())) {
            Script script = new QueuedJob(request, roots, hosts).script(tasks, files, existing);
            return ScriptPlan.of(script, session);
        }
    }

    @Override
    public List<Path> folders() {
        return roots;
    }

    @Override
    public Optional<JobCourse> course(long id) {
        return activities.course(id);
    }

    /**
     * Whoever removes a jar looks at jobs when it can't be found any more, and this the other way.
     */
    private void keepJars(QueuedJob job, long id) {
        try {
            jars.checkThere(job);
        } catch (InvalidInputException removed) {
            cancel(id);
            throw removed;
        }
    }

    @Override
    public JarService jars() {
        return jars;
    }

    @Override
    public TokenService tokens() {
        return tokens;
    }

    @Override
    public ResultService results() {
        return results;
    }

    @Override
    public UploadService uploads() {
        return uploads;
    }

    @Override
    public ColumnService columns() {
        return columns;
    }

    @Override
    public List<JobView> jobs() {
        Map<Long, JobNews> news = news();
        return ask(store.jobs()::jobs).stream().map(job -> view(job, news.get(job.id()))).toList();
    }

    @Override
    public Optional<JobView> job(long id) {
        return ask(() -> store.jobs().job(id))
                .map(Job::info)
                .map(job -> view(job, job.status().isEnded() ? null : news().get(id)));
    }

    @Override
    public Optional<String> report(long id) {
        return ask(() -> store.jobs().job(id))
                .filter(job -> job.report().length > 0)
                .map(job -> new String(job.report(), StandardCharsets.UTF_8));
    }

    @Override
    public boolean cancel(long id) {
        return ask(() -> store.jobs().cancel(id));
    }

    @Override
    public List<GraphView> graphs() {
        return ask(() -> {
            List<KeptGraph> graphs = catalogue.graphs();
            Map<String, Integer> copies = catalogue.copies(graphs);
            return graphs.stream()
                    .map(graph -> view(graph, copies.getOrDefault(graph.name(), 0)))
                    .toList();
        });
    }

    @Override
    public Optional<GraphDetail> graph(String name) {
        return ask(() -> catalogue.graph(name).map(this::detail));
    }

    @Override
    public void dropGraph(String name) {
        change(() -> catalogue.drop(name));
    }

    @Override
    public void forgetGraphs() {
        change(catalogue::forget);
    }

    @Override
    public void renameGraph(String name, String newName) {
        change(() -> catalogue.rename(name, newName));
    }

    @Override
    public void copyGraph(String name, String newName) {
        change(() -> catalogue.copy(name, newName));
    }

    @Override
    public GraphQueries queries() {
        return queries;
    }

    @Override
    public void drain(int node) {
        List<NodeInfo> peers =
                ask(store::status).nodes().stream().filter(one -> one.role() == Role.PEER).toList();
        NodeInfo peer =
                peers.stream()
                        .filter(one -> one.id() == node)
                        .findFirst()
                        .orElseThrow(() ->
                                new InvalidInputException(
                                        "node %d is no peer; peers are %s"
                                                .formatted(
                                                        node,
                                                        peers.stream()
                                                                .map(NodeInfo::id)
                                                                .toList())));
        if (peer.isLeaving()) {
            return;
        }
        if (store.promisedWithout(node) == Durability.MEMORY) {
            throw new InvalidInputException(
                    "node %d can't leave: without it there would be too few peers for copies of what is stored; start another one first"
                            .formatted(node));
        }
        GroupName group = GroupName.of(peer);
        if (peers.stream()
                .noneMatch(one -> one.id() != node && group.has(one) && !one.isLeaving())) {
            throw new InvalidInputException(
                    "node %d can't leave: it is the last peer of group \"%s\"; start another one first"
                            .formatted(node, group));
        }
        ask(() -> {
            store.letLeave(node);
            return true;
        });
    }

    @Override
    public RemovedView remove(int node, boolean acceptLoss) {
        try {
            return RemovedView.of(store.forget(node, acceptLoss));
        } catch (RemovalRefusedException stays) {
            throw new InvalidInputException(String.valueOf(stays.getMessage()), stays);
        } catch (StoreException down) {
            throw new ClusterException(
                    "the cluster's directory does not answer: " + down.getMessage(), down);
        }
    }

    @Override
    public Optional<ZoneMoveView> rebalance() {
        for (JobView job : jobs()) {
            if (job.status() == JobView.Status.RUNNING) {
                throw new InvalidInputException(
                        "job %d is running, and counts on it that its graphs stay where they are: rebalance when it has ended, or cancel it"
                                .formatted(job.id()));
            }
        }
        try {
            return store.rebalance().map(ZoneMoveView::of);
        } catch (StoreException stays) {
            throw new ClusterException(String.valueOf(stays.getMessage()), stays);
        }
    }

    @Override
    public List<LogLine> log(int node, int count, LogLine.Level least) {
        return ask(() -> NodeLogs.of(store, node, count, least));
    }

    @Override
    public ClusterView status() {
        ClusterStatus status = ask(store::status);
        return new ClusterView(
                Long.toHexString(status.clusterId()),
                status.leader(),
                status.master(),
                status.nodes().stream().map(SuperpeerService::view).toList(),
                status.absent().stream()
                        .map(one -> new ClusterView.Absent(one.id(), one.address(), one.votes()))
                        .toList(),
                status.zones(),
                status.underReplicated(),
                status.lost(),
                status.orphaned(),
                status.exposures().stream()
                        .map(each ->
                                new ClusterView.Exposure(
                                        each.domain(), each.isHost(), each.zones()))
                        .toList(),
                store.promise());
    }

    @Override
    public RecoveriesView recoveries() {
        return RecoveriesView.of(ask(store::recoveries), clock.instant());
    }

    @Override
    public List<NetworkView> networks() {
        return store.networks().stream().map(NetworkView::of).toList();
    }

    private GraphDetail detail(KeptGraph graph) {
        return new GraphDetail(
                view(graph, catalogue.copies(List.of(graph)).getOrDefault(graph.name(), 0)),
                graph.created(),
                graph.lastUsed(),
                graph.users(),
                catalogue.shares(graph).stream()
                        .map(share ->
                                new GraphDetail.Share(
                                        share.node(),
                                        share.shards(),
                                        share.vertices(),
                                        share.bytes()))
                        .toList());
    }

    private static GraphView view(KeptGraph graph, int copies) {
        long columnBytes =
                graph.columns().stream()
                        .mapToLong(column -> column.type().width() * graph.vertices())
                        .sum();
        long stored = graph.directed() ? graph.edges() : 2 * graph.edges();
        long propertyBytes =
                graph.properties().stream()
                        .mapToLong(property -> property.bytes(graph.vertices(), stored))
                        .sum();
        return new GraphView(
                graph.name(),
                graph.vertices(),
                graph.edges(),
                graph.directed(),
                graph.weighted(),
                graph.hasTextIds() ? GraphView.Ids.TEXT : GraphView.Ids.NUMBER,
                columns(graph),
                graph.bytes() + columnBytes + propertyBytes,
                copies);
    }

    /** Properties, then published columns. */
    private static List<GraphView.Column> columns(KeptGraph graph) {
        List<GraphView.Column> columns = new ArrayList<>();
        for (StoredProperty one : graph.properties()) {
            String of = one.ofEdges() ? "edge" : "vertex";
            columns.add(new GraphView.Column(one.name(), one.type().toString(), of));
        }
        for (KeptColumn one : graph.columns()) {
            columns.add(new GraphView.Column(one.name(), one.type().toString(), "vertex"));
        }
        return columns;
    }

    private static List<String> names(List<KeptGraph> graphs) {
        return graphs.stream().map(KeptGraph::name).toList();
    }

    private void checkGroup(GroupName group) {
        List<NodeInfo> nodes = ask(store::status).nodes();
        if (nodes.stream().noneMatch(group::has)) {
            List<String> known =
                    nodes.stream()
                            .filter(NodeInfo::computes)
                            .filter(node -> node.role() == Role.PEER)
                            .map(node -> GroupName.of(node).text())
                            .distinct()
                            .sorted()
                            .toList();
            throw new InvalidInputException(
                    "group: no peer of a group \"%s\" is there; %s"
                            .formatted(
                                    group,
                                    known.isEmpty()
                                            ? "no peer is at all"
                                            : "there are " + String.join(", ", known)));
        }
    }

    /** What the master says of jobs that have not ended; nothing if it does not answer soon. */
    private Map<Long, JobNews> news() {
        int master = store.jobs().master();
        if (master < 0) {
            return Map.of();
        }
        Map<Long, JobNews> news = new HashMap<>();
        store.network()
                .request(master, new AskJobs(), NEWS_TIMEOUT)
                .exceptionally(_ -> new JobsNews(List.of()))
                .join()
                .jobs()
                .forEach(job -> news.put(job.job(), job));
        return news;
    }

    private JobView view(JobInfo info, @Nullable JobNews news) {
        JobActivity now =
                info.status() == JobStatus.RUNNING ? activities.of(info).orElse(null) : null;
        JobNews told = info.status().isEnded() ? null : news;
        return new JobView(
                info.id(),
                info.name(),
                JobView.Status.valueOf(info.status().name()),
                info.attempt(),
                info.cancelRequested(),
                now,
                told == null ? null : told.group(),
                told == null ? null : JobPriority.valueOf(told.priority()),
                told == null || told.waitsFor().isEmpty() ? null : told.waitsFor(),
                told == null ? 0 : told.waitingNanos() / NANOS_PER_SECOND);
    }

    private static ClusterView.Node view(NodeInfo node) {
        return new ClusterView.Node(
                node.id(),
                node.role().name().toLowerCase(Locale.ROOT),
                node.address(),
                node.cores(),
                node.diskHangs(),
                node.role() == Role.PEER ? GroupName.of(node).text() : null,
                node.isLeaving(),
                node.place().isKnown() ? node.place().path() : null);
    }

    private static void change(Runnable work) {
        try {
            work.run();
        } catch (StoreException | JobFailedException down) {
            throw new ClusterException(String.valueOf(down.getMessage()), down);
        }
    }

    static <T> T ask(Supplier<T> question) {
        try {
            return question.get();
        } catch (JobRefusedException full) {
            throw new QueueFullException(String.valueOf(full.getMessage()));
        } catch (DataLostException lost) {
            throw new ClusterException(String.valueOf(lost.getMessage()), lost);
        } catch (StoreException down) {
            throw new ClusterException(
                    "the cluster's directory does not answer: " + down.getMessage(), down);
        }
    }
}
