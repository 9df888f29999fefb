package org.starling.compute.cluster;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.starling.compute.jars.JarRules;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.QueuedJob;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.InvalidInputException;
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
    }

    @Override
    public long submit(JobRequest request, long nonce) {
        QueuedJob job = new QueuedJob(request, roots);
        boolean hasJars = !request.jars().isEmpty();
        String name = hasJars ? jars.check(job) : job.script(tasks).name();
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
