package org.starling.compute.internal.catalogue;

import java.util.List;
import org.starling.graph.InvalidInputException;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;
import org.starling.store.StoreNode;

/** Jobs that use kept graphs, as far as the directory says that they run. Any thread. */
public final class CatalogueUsers {
    private final StoreNode store;

    /** Asks the directory of a node's cluster. */
    public CatalogueUsers(StoreNode store) {
        this.store = store;
    }

    /** Whether a job runs. */
    public boolean isRunning(long job) {
        return job != 0 && running().stream().anyMatch(info -> info.id() == job);
    }

    /**
     * Checks that nobody else uses a graph.
     *
     * @param job that asks; 0 if it is none
     * @param what is to happen to the graph, for people
     * @throws InvalidInputException that names a job that uses it
     */
    public void requireNoOther(KeptGraph graph, long job, String what) {
        if (graph.users().isEmpty()) {
            return;
        }
        for (JobInfo info : running()) {
            if (info.id() != job && graph.users().contains(info.id())) {
                throw new InvalidInputException(
                        "graph \"%s\" can't be %s: job %d (%s) uses it; wait for its end, or cancel it"
                                .formatted(graph.name(), what, info.id(), info.name()));
            }
        }
    }

    /** The catalogue without a job as a user, and without those that do not run. */
    public Catalogue without(Catalogue value, long job) {
        List<Long> running = running().stream().map(JobInfo::id).filter(id -> id != job).toList();
        Catalogue after = value;
        for (KeptGraph graph : value.graphs()) {
            List<Long> users = graph.users().stream().filter(running::contains).toList();
            after = after.replace(graph.name(), one -> one.withUsers(users));
        }
        return after;
    }

    private List<JobInfo> running() {
        return store.jobs().jobs().stream()
                .filter(info -> info.status() == JobStatus.RUNNING)
                .toList();
    }
}
