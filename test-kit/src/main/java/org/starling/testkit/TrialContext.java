package org.starling.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.TaskContext;

/** What a task sees in a trial. */
record TrialContext(GraphSession graphs, int peers, Path folder) implements TaskContext {
    @Override
    public Path inputFile(String name) {
        Path file = folder.resolve(name).toAbsolutePath();
        if (!Files.isReadable(file)) {
            throw new InvalidInputException("there is no file " + file);
        }
        return file;
    }

    @Override
    public Path outputFile(String name) {
        return folder.resolve(name).toAbsolutePath();
    }

    @Override
    public void progress(String what, long done, long total) {}

    @Override
    public void checkCancelled() {}

    @Override
    public boolean separateProcesses() {
        return false;
    }

    @Override
    public List<Long> peakResidentBytes() {
        return List.of();
    }
}
