package org.starling.compute.internal.job;

import java.nio.file.Path;
import java.util.List;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;

/** A session without graphs on a host of one process. */
abstract class NoGraphs implements GraphSession {
    @Override
    public BuildResult build(
            String graph, String source, Parameters parameters, BuildOptions options) {
        throw new IllegalStateException("no graphs here");
    }

    @Override
    public GraphInfo info(String graph) {
        throw new IllegalStateException("no graphs here");
    }

    @Override
    public List<String> graphs() {
        return List.of();
    }

    @Override
    public RunResult run(String graph, String program, Parameters parameters, RunOptions options) {
        throw new IllegalStateException("no graphs here");
    }

    @Override
    public StateCursor read(String graph, String state) {
        throw new IllegalStateException("no graphs here");
    }

    @Override
    public long ordinal(String graph, long id) {
        throw new IllegalStateException("no graphs here");
    }

    @Override
    public long id(String graph, long ordinal) {
        throw new IllegalStateException("no graphs here");
    }

    @Override
    public void write(String graph, String state, Path file) {
        throw new IllegalStateException("no graphs here");
    }

    @Override
    public void drop(String graph) {
        throw new IllegalStateException("no graphs here");
    }

    /** Number of peers. */
    public int peers() {
        return 1;
    }

    /** Whether peers are processes. */
    public boolean separateProcesses() {
        return true;
    }

    /** Memory of none. */
    public List<Long> peakResidentBytes() {
        return List.of();
    }

    /** Supersteps of nothing. */
    public long supersteps() {
        return 0;
    }

    /** Messages of nobody. */
    public long messages() {
        return 0;
    }
}
