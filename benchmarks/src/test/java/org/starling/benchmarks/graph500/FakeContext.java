package org.starling.benchmarks.graph500;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starling.graph.GraphSession;
import org.starling.graph.JobCancelledException;
import org.starling.graph.TaskContext;

/** What a task gets, over a session of the test. */
final class FakeContext implements TaskContext {

    final List<String> told = new ArrayList<>();
    private final GraphSession session;
    private final Path folder;
    private boolean cancelled;

    FakeContext(GraphSession session, Path folder) {
        this.session = session;
        this.folder = folder;
    }

    void cancel() {
        cancelled = true;
    }

    @Override
    public GraphSession graphs() {
        return session;
    }

    @Override
    public Path inputFile(String name) {
        return folder.resolve(name);
    }

    @Override
    public Path outputFile(String name) {
        return folder.resolve(name);
    }

    @Override
    public void progress(String what, long done, long total) {
        told.add("%s %d/%d".formatted(what, done, total));
    }

    @Override
    public void checkCancelled() {
        if (cancelled) {
            throw new JobCancelledException("cancelled");
        }
    }

    @Override
    public int peers() {
        return 3;
    }

    @Override
    public boolean separateProcesses() {
        return true;
    }

    @Override
    public List<Long> peakResidentBytes() {
        return List.of(1000L, 2000L);
    }
}
