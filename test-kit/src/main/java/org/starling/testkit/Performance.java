package org.starling.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starling.compute.JobListener;
import org.starling.compute.testing.TestCluster;
import org.starling.graph.GraphInfo;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.RowCursor;
import org.starling.graph.RunResult;
import org.starling.graph.StateCursor;
import org.starling.graph.VertexId;

/** Runs the job of a trial in one of its ways, and reads what it left. Used by one thread. */
final class Performance {
    private final Work work;

    /** The job. */
    @FunctionalInterface
    interface Work {
        @Nullable Object in(GraphSession session, Variant variant) throws IOException;
    }

    /** What came of it, and how many supersteps ended meanwhile. */
    record Outcome(GraphResult result, int supersteps) {}

    Performance(Work work) {
        this.work = work;
    }

    /** Runs once more: that it fails where it has succeeded before is a difference, too. */
    Outcome again(TestGraph graph, Variant variant) {
        try {
            return on(graph, variant);
        } catch (RuntimeException e) {
            throw new AssertionError(
                    "on %s%s the job fails: %s"
                            .formatted(
                                    variant,
                                    graph.isTooSmallToSpread()
                                            ? ""
                                            : " and " + graph.vertices().size() + " vertices",
                                    e.getMessage()),
                    e);
        }
    }

    /** Runs for the first time. */
    Outcome on(TestGraph graph, Variant variant) {
        TestCluster cluster = Stage.cluster(variant);
        boolean ended = false;
        Losses losses = new Losses(cluster, variant.lostAfter());
        Parameters named = graph.parameters();
        try {
            GraphSession session = cluster.session(losses);
            session.build(Trial.GRAPH, graph.source(), named, graph.options());
            Notes notes = new Notes(session);
            GraphInfo built = session.info(Trial.GRAPH);
            Object returned = work.in(notes.session(), variant);
            cluster.endTask();
            boolean dropped = !session.graphs().contains(Trial.GRAPH);
            GraphResult result =
                    new GraphResult(
                            variant.toString(),
                            dropped ? built : session.info(Trial.GRAPH),
                            read(session, notes.states),
                            dropped ? new TreeMap<>() : neighbours(session),
                            notes.runs,
                            returned);
            cluster.endJob();
            ended = true;
            return new Outcome(result, losses.supersteps);
        } catch (InvalidInputException e) {
            throw ServiceFiles.explain(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (graph.source().equals(WrittenEdges.NAME)) {
                WrittenEdges.forget(named);
            }
            if (!ended || variant.lostAfter() > 0) {
                Stage.discard(variant); // after a loss, cheaper than to wait for new backups
            }
        }
    }

    private static SortedMap<Long, List<Long>> neighbours(GraphSession session) {
        Map<Long, Long> ids = new HashMap<>();
        SortedMap<Long, List<Long>> rows = new TreeMap<>(VertexId.ASCENDING);
        try (RowCursor cursor = session.rows(Trial.GRAPH)) {
            while (cursor.next()) {
                ids.put(cursor.ordinal(), cursor.id());
                List<Long> row = new ArrayList<>();
                for (int i = 0; i < cursor.degree(); i++) {
                    row.add(cursor.target(i));
                }
                rows.put(cursor.id(), row);
            }
        }
        rows.replaceAll((_, row) -> row.stream().map(ids::get).sorted(VertexId.ASCENDING).toList());
        return rows;
    }

    private static SortedMap<String, SortedMap<Long, Number>> read(
            GraphSession session, SortedSet<String> names) {
        SortedMap<String, SortedMap<Long, Number>> states = new TreeMap<>();
        if (session.graphs().contains(Trial.GRAPH)) {
            for (String name : names) {
                read(session, name, states);
            }
        }
        return states;
    }

    /** Elements of vectors are states of their own: {@code name[0]}, {@code name[1]} and so on. */
    private static void read(
            GraphSession session, String name, SortedMap<String, SortedMap<Long, Number>> states) {
        try (StateCursor cursor = session.read(Trial.GRAPH, name)) {
            int length = cursor.length();
            List<SortedMap<Long, Number>> elements = new ArrayList<>();
            for (int i = 0; i < length; i++) {
                elements.add(new TreeMap<>(VertexId.ASCENDING));
                states.put(length == 1 ? name : name + "[" + i + "]", elements.get(i));
            }
            while (cursor.next()) {
                for (int i = 0; i < length; i++) {
                    elements.get(i).put(cursor.id(), Values.of(cursor, i));
                }
            }
        }
    }

    /** Counts supersteps, and loses a peer after one of them. */
    private static final class Losses implements JobListener {
        private final TestCluster cluster;
        private final int lostAfter;
        private int supersteps;

        Losses(TestCluster cluster, int lostAfter) {
            this.cluster = cluster;
            this.lostAfter = lostAfter;
        }

        @Override
        public void progress(String what, long done, long total) {}

        @Override
        public void superstep(int superstep, long active, long messages) {
            if (++supersteps == lostAfter) {
                cluster.losePeer();
            }
        }
    }

    /** Notes what runs of programs leave on the graph of the trial, whoever asks for them. */
    private static final class Notes {
        private final GraphSession real;
        private final SortedSet<String> states = new TreeSet<>();
        private final List<RunResult> runs = new ArrayList<>();

        Notes(GraphSession real) {
            this.real = real;
        }

        GraphSession session() {
            return (GraphSession)
                    Proxy.newProxyInstance(
                            GraphSession.class.getClassLoader(),
                            new Class<?>[] {GraphSession.class},
                            (proxy, method, arguments) -> call(method, arguments));
        }

        private @Nullable Object call(Method method, Object @Nullable [] arguments)
                throws Throwable {
            try {
                Object result = method.invoke(real, arguments);
                if (result instanceof RunResult run
                        && arguments != null
                        && Trial.GRAPH.equals(arguments[0])) {
                    states.addAll(run.states());
                    runs.add(run);
                }
                return result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }
}
