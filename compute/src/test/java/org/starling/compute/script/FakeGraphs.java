package org.starling.compute.script;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphQueries;
import org.starling.graph.GraphSession;
import org.starling.graph.GraphShare;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.RowCursor;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.graph.Structures;

/** Graphs that are nothing but names. */
final class FakeGraphs implements GraphSession {
    private final Set<String> names = new TreeSet<>();
    private final Set<String> inUse = new TreeSet<>();

    void make(String graph) {
        if (!names.add(graph)) {
            throw new InvalidInputException("there is a graph \"" + graph + "\" already");
        }
    }

    void require(String graph) {
        if (!names.contains(graph)) {
            throw new InvalidInputException("there is no graph \"" + graph + "\"");
        }
    }

    void clear() {
        names.clear();
    }

    /** Another job uses a graph, or does no more. */
    void use(String graph, boolean used) {
        if (used) {
            inUse.add(graph);
        } else {
            inUse.remove(graph);
        }
    }

    @Override
    public List<String> graphs() {
        return List.copyOf(names);
    }

    @Override
    public void keep(String graph) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void publish(String graph, String state, String as, boolean replace) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void drop(String graph) {
        require(graph);
        if (inUse.contains(graph)) {
            throw new InvalidInputException("graph \"" + graph + "\" is in use by job 8");
        }
        names.remove(graph);
    }

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
    public List<GraphShare> shares(String graph) {
        throw new IllegalStateException("no graphs here");
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
    public RowCursor rows(String graph) {
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
    public BuildResult project(String graph, String vertices, String edges, String as) {
        throw new IllegalStateException("no graphs here");
    }

    @Override
    public GraphQueries queries() {
        throw new IllegalStateException("no graphs here");
    }

    @Override
    public void writeParts(String graph, String state, Path file) {
        throw new IllegalStateException("no graphs here");
    }

    @Override
    public void writeTable(
            String graph, List<String> columns, String format, String ending, Path folder) {
        throw new IllegalStateException("no graphs here");
    }

    @Override
    public Structures structures() {
        throw new IllegalStateException("no graphs here");
    }
}
