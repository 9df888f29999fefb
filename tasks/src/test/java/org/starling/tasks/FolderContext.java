package org.starling.tasks;

import java.nio.file.Path;
import java.util.List;
import org.starling.graph.GraphSession;
import org.starling.graph.TaskContext;

/** A context whose files lie in one folder. */
public record FolderContext(GraphSession graphs, Path folder) implements TaskContext {
    @Override
    public Path inputFile(String name) {
        return folder.resolve(name);
    }

    @Override
    public Path outputFile(String name) {
        return folder.resolve(name);
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
