package org.starling.compute.cluster;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.starling.compute.internal.catalogue.CatalogueService;
import org.starling.compute.internal.catalogue.KeptColumn;
import org.starling.compute.internal.catalogue.KeptGraph;
import org.starling.compute.jars.JarRules;
import org.starling.compute.script.ExistingGraphs;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.QueuedJob;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.store.ClusterStatus;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobRefusedException;
import org.starling.store.JobStatus;
import org.starling.store.NodeInfo;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/** The service of a real superpeer: the directory's jobs and status. Any thread. */
final class SuperpeerService implements ClusterService {
    private final StoreNode store;
    private final TaskCatalog tasks;
    private final CatalogueService catalogue;

    /** Folders that files of scripts must lie under. */
    private final List<Path> roots;

    private final ActivitySource activities;

    private final SuperpeerJars jars;

    SuperpeerService(StoreNode store, TaskCatalog tasks, List<Path> roots, JarRules rules) {
        this.jars = new SuperpeerJars(store, rules);
        this.store = store;
        this.activities = new ActivitySource(store);
        this.tasks = tasks;
        this.roots = List.copyOf(roots);
        this.catalogue = new CatalogueService(store, InstantSource.system());
    }

    @Override
    public long submit(JobRequest request, long nonce) {
        QueuedJob job = new QueuedJob(request, roots);
        ExistingGraphs existing = ask(() -> ExistingGraphs.of(names(catalogue.graphs())));
        boolean hasJars = !request.jars().isEmpty();
        String name = hasJars ? jars.check(job) : job.script(tasks, existing).name();
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
        long id = ask(() -> store.jobs().submit(nonce, name, payload));
        if (hasJars) {
            keepJars(job, id);
        }
        return id;
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
    public List<JobView> jobs() {
        return ask(() -> store.jobs().jobs().stream().map(this::view).toList());
    }

    @Override
    public Optional<JobView> job(long id) {
        return ask(() -> store.jobs().job(id)).map(job -> view(job.info()));
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
    public void renameGraph(String name, String newName) {
        change(() -> catalogue.rename(name, newName));
    }

    @Override
    public void copyGraph(String name, String newName) {
        change(() -> catalogue.copy(name, newName));
    }

    @Override
    public ClusterView status() {
        ClusterStatus status = ask(store::status);
        return new ClusterView(
                Long.toHexString(status.clusterId()),
                status.leader(),
                status.master(),
                status.nodes().stream().map(SuperpeerService::view).toList(),
                status.zones(),
                status.underReplicated(),
                status.lost(),
                status.orphaned(),
                store.promise());
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
        return new GraphView(
                graph.name(),
                graph.vertices(),
                graph.edges(),
                graph.directed(),
                graph.weighted(),
                graph.columns().stream().map(SuperpeerService::view).toList(),
                graph.bytes() + columnBytes,
                copies);
    }

    private static GraphView.Column view(KeptColumn column) {
        return new GraphView.Column(column.name(), column.type().toString(), "vertex");
    }

    private static List<String> names(List<KeptGraph> graphs) {
        return graphs.stream().map(KeptGraph::name).toList();
    }

    private JobView view(JobInfo info) {
        return new JobView(
                info.id(),
                info.name(),
                JobView.Status.valueOf(info.status().name()),
                info.attempt(),
                info.cancelRequested(),
                info.status() == JobStatus.RUNNING ? activities.of(info).orElse(null) : null);
    }

    private static ClusterView.Node view(NodeInfo node) {
        return new ClusterView.Node(
                node.id(),
                node.role().name().toLowerCase(Locale.ROOT),
                node.address(),
                node.cores(),
                node.diskHangs());
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
        } catch (StoreException down) {
            throw new ClusterException(
                    "the cluster's directory does not answer: " + down.getMessage(), down);
        }
    }
}
