package org.starling.compute.script;

import java.io.IOException;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** A task whose work a test writes down. */
final class FakeTask implements Task {
    /** What a fake task does. */
    interface Work {
        TaskResult run(TaskContext context, Parameters arguments) throws IOException;
    }

    private final TaskSignature signature;
    private final Work work;

    FakeTask(TaskSignature signature, Work work) {
        this.signature = signature;
        this.work = work;
    }

    /** Tasks with the arguments that the real ones have, and nothing to do. */
    static TaskCatalog catalog() {
        return TaskCatalog.of(
                idle(
                        TaskSignature.of("graph.load", "Loads a graph.")
                                .with(newGraph())
                                .with(
                                        Argument.required(
                                                "file", Argument.Type.INPUT_FILE, "what to load"))
                                .with(Argument.choice("format", "its form", "auto", "metis"))
                                .with(
                                        Argument.optional(
                                                "directed", Argument.Type.FLAG, "edges", false))),
                idle(
                        TaskSignature.of("graph.generate", "Makes a graph.")
                                .with(newGraph())
                                .with(
                                        Argument.optional(
                                                "seeds", Argument.Type.UNSIGNED_LIST, "seeds"))),
                idle(
                        TaskSignature.of("graph.bfs", "Breadth-first search.")
                                .with(graph())
                                .with(
                                        Argument.required(
                                                "source", Argument.Type.INTEGER, "where to begin"))
                                .with(
                                        Argument.optional(
                                                "verify", Argument.Type.FLAG, "check", false))
                                .returns("reached", "integer", "vertices reached")
                                .returns("verified", "boolean", "whether checked")),
                new Damped(),
                idle(
                        TaskSignature.of("graph.write", "Writes a state.")
                                .with(graph())
                                .with(Argument.optional("state", Argument.Type.TEXT, "which"))
                                .with(
                                        Argument.required(
                                                "file", Argument.Type.OUTPUT_FILE, "where to"))),
                idle(
                        TaskSignature.of("graph.compare", "Compares graphs.")
                                .with(
                                        Argument.required(
                                                "graphs", Argument.Type.GRAPH_LIST, "which"))
                                .with(
                                        Argument.optional(
                                                "labels",
                                                Argument.Type.INPUT_FILE_LIST,
                                                "what they are called"))),
                idle(
                        TaskSignature.of("graph.drop", "Forgets a graph.")
                                .with(
                                        Argument.required(
                                                "graph",
                                                Argument.Type.DROPPED_GRAPH,
                                                "the graph"))));
    }

    static Argument graph() {
        return Argument.required("graph", Argument.Type.GRAPH, "the graph");
    }

    static Argument newGraph() {
        return Argument.required("graph", Argument.Type.NEW_GRAPH, "name of the new graph");
    }

    @Override
    public TaskSignature signature() {
        return signature;
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        return work.run(context, arguments);
    }

    private static Task idle(TaskSignature signature) {
        return new FakeTask(signature, (context, arguments) -> new TaskResult());
    }

    /** A task that checks more than types. */
    private static final class Damped implements Task {
        @Override
        public TaskSignature signature() {
            return TaskSignature.of("graph.pagerank", "Ranks vertices.")
                    .with(graph())
                    .with(Argument.optional("damping", Argument.Type.NUMBER, "damping", 0.85))
                    .returns("iterations", "integer", "rounds")
                    .returns("sum", "number", "sum of all ranks");
        }

        @Override
        public void check(Parameters arguments) {
            if (arguments.number("damping") >= 1) {
                throw new InvalidInputException("\"damping\" must be below 1");
            }
        }

        @Override
        public TaskResult run(TaskContext context, Parameters arguments) {
            return new TaskResult();
        }
    }
}
