package org.starling.algorithms;

import java.nio.file.Path;
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

/** A session that prints the times of every run. */
record TimedSession(GraphSession inner) implements GraphSession {
    @Override
    public BuildResult build(
            String graph, String source, Parameters parameters, BuildOptions options) {
        return inner.build(graph, source, parameters, options);
    }

    @Override
    public void keep(String graph) {
        inner.keep(graph);
    }

    @Override
    public void publish(String graph, String state, String as, boolean replace) {
        inner.publish(graph, state, as, replace);
    }

    @Override
    public GraphInfo info(String graph) {
        return inner.info(graph);
    }

    @Override
    public List<GraphShare> shares(String graph) {
        return inner.shares(graph);
    }

    @Override
    public List<String> graphs() {
        return inner.graphs();
    }

    @Override
    public RunResult run(String graph, String program, Parameters parameters, RunOptions options) {
        long begin = System.nanoTime();
        RunResult result = inner.run(graph, program, parameters, options);
        System.out.printf(
                "    %-32s %.4f s, %d supersteps %.4f s, %d messages%n",
                program,
                (System.nanoTime() - begin) / 1e9,
                result.supersteps(),
                result.seconds(),
                result.messages());
        return result;
    }

    @Override
    public StateCursor read(String graph, String state) {
        return inner.read(graph, state);
    }

    @Override
    public RowCursor rows(String graph) {
        return inner.rows(graph);
    }

    @Override
    public long ordinal(String graph, long id) {
        return inner.ordinal(graph, id);
    }

    @Override
    public long id(String graph, long ordinal) {
        return inner.id(graph, ordinal);
    }

    @Override
    public void write(String graph, String state, Path file) {
        inner.write(graph, state, file);
    }

    @Override
    public BuildResult project(String graph, String vertices, String edges, String as) {
        return inner.project(graph, vertices, edges, as);
    }

    @Override
    public GraphQueries queries() {
        return inner.queries();
    }

    @Override
    public void writeParts(String graph, String state, Path file) {
        inner.writeParts(graph, state, file);
    }

    @Override
    public void writeTable(
            String graph, List<String> columns, String format, String ending, Path folder) {
        inner.writeTable(graph, columns, format, ending, folder);
    }

    @Override
    public Structures structures() {
        return inner.structures();
    }

    @Override
    public void drop(String graph) {
        inner.drop(graph);
    }
}
