package org.starling.compute.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.starling.compute.internal.results.ResultStore;
import org.starling.graph.InvalidInputException;
import org.starling.store.Job;
import org.starling.store.JobStatus;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/** A superpeer's part in results that are fetched: reads them from the store. Any thread. */
final class SuperpeerResults implements ResultService {
    private final StoreNode store;
    private final ResultStore results;

    SuperpeerResults(StoreNode store) {
        this.store = store;
        this.results = new ResultStore(store);
    }

    @Override
    public List<ResultView> list(long job) {
        requireSuccess(job);
        return SuperpeerService.ask(() ->
                results.list(job).stream()
                        .map(result -> new ResultView(result.file(), result.bytes()))
                        .toList());
    }

    @Override
    public void read(long job, ResultView result, OutputStream out) throws IOException {
        requireSuccess(job);
        try {
            results.read(job, result.file(), out);
        } catch (StoreException down) {
            throw new ClusterException(String.valueOf(down.getMessage()), down);
        }
    }

    @Override
    public void remove(long job) {
        requireSuccess(job);
        SuperpeerService.ask(() -> {
            results.removeFrom(job, 0);
            results.removeForgotten();
            return true;
        });
    }

    private void requireSuccess(long id) {
        JobStatus status =
                SuperpeerService.ask(() -> store.jobs().job(id))
                        .map(Job::info)
                        .orElseThrow(() ->
                                new InvalidInputException(
                                        "there is no job %d, or it ended long ago".formatted(id)))
                        .status();
        if (status != JobStatus.SUCCEEDED) {
            throw new InvalidInputException(
                    status.isEnded()
                            ? "job %d did not succeed: it has no results".formatted(id)
                            : "job %d has not ended: it has no results yet".formatted(id));
        }
    }
}
