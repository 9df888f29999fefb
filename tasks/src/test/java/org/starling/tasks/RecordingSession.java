package org.starling.tasks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starling.graph.BuildOptions;
import org.starling.graph.BuildResult;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphQueries;
import org.starling.graph.GraphSession;
import org.starling.graph.GraphShare;
import org.starling.graph.Parameters;
import org.starling.graph.RowCursor;
import org.starling.graph.RunOptions;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.graph.Structures;

/** Writes down what tasks ask for; graphs that are made have 3 vertices and 2 edges. */
final class RecordingSession implements GraphSession {
    private final List<String> calls = new ArrayList<>();

    List<String> calls() {
        return calls;
    }

    @Override
    public BuildResult build(
            String graph, String source, Parameters parameters, BuildOptions options) {
        calls.add(
                "build %s %s %s %s%s"
                        .formatted(
                                graph,
                                source,
                                parameters,
                                options.directed(),
                                options.incoming() ? "" : " without incoming"));
        GraphInfo info = new GraphInfo(graph, 3, 2, options.directed(), false, true, 4, 1);
        return new BuildResult(info, 5, 7, 0, 0);
    }

    @Override
    public void keep(String graph) {
        calls.add("keep " + graph);
    }

    @Override
    public void publish(String graph, String state, String as, boolean replace) {
        calls.add("publish %s %s %s%s".formatted(graph, state, as, replace ? " again" : ""));
    }

    @Override
    public void write(String graph, String state, Path file) {
        calls.add("write %s %s %s".formatted(graph, state, file));
    }

    @Override
    public BuildResult project(String graph, String vertices, String edges, String as) {
        throw new IllegalStateException("nobody asks for this here");
    }

    @Override
    public GraphQueries queries() {
        throw new IllegalStateException("nobody asks for this here");
    }

    @Override
    public void writeParts(String graph, String state, Path file) {
        throw new IllegalStateException("nobody asks for this here");
    }

    @Override
    public void writeTable(
            String graph, List<String> columns, String format, String ending, Path folder) {
        throw new IllegalStateException("nobody asks for this here");
    }

    @Override
    public Structures structures() {
        throw new IllegalStateException("nobody asks for this here");
    }

    @Override
    public void drop(String graph) {
        calls.add("drop " + graph);
    }

    @Override
    public GraphInfo info(String graph) {
        throw unexpected();
    }

    @Override
    public List<GraphShare> shares(String graph) {
        throw unexpected();
    }

    @Override
    public List<String> graphs() {
        throw unexpected();
    }

    @Override
    public RunResult run(String graph, String program, Parameters parameters, RunOptions options) {
        throw unexpected();
    }

    @Override
    public StateCursor read(String graph, String state) {
        throw unexpected();
    }

    @Override
    public RowCursor rows(String graph) {
        throw unexpected();
    }

    @Override
    public long ordinal(String graph, long id) {
        throw unexpected();
    }

    @Override
    public long id(String graph, long ordinal) {
        throw unexpected();
    }

    private static AssertionError unexpected() {
        return new AssertionError("this task has no business here");
    }
}
