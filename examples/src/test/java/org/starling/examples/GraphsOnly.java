package org.starling.examples;

import java.nio.file.Path;
import java.util.List;
import org.starling.graph.GraphSession;
import org.starling.graph.TaskContext;

/** A context for tasks that touch no files. */
record GraphsOnly(GraphSession graphs) implements TaskContext {
    @Override
    public Path inputFile(String name) {
        throw new AssertionError("no files here: " + name);
    }

    @Override
    public Path outputFile(String name) {
        throw new AssertionError("no files here: " + name);
    }

    @Override
    public void progress(String what, long done, long total) {}

    @Override
    public void checkCancelled() {}

    @Override
    public int peers() {
        return 1;
    }

    @Override
    public boolean separateProcesses() {
        return false;
    }

    @Override
    public List<Long> peakResidentBytes() {
        return List.of();
    }
}
