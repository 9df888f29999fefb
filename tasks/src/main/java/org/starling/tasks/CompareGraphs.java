package org.starling.tasks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.starling.algorithms.substructure.CommonSubstructure;
import org.starling.graph.Argument;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** Task {@code graph.commonSubstructure}: {@link CommonSubstructure}. */
public final class CompareGraphs implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "graph.commonSubstructure",
                        "Finds a largest common induced substructure of two graphs.")
                .with(Argument.required("graphs", Argument.Type.GRAPH_LIST, "the two graphs"))
                .with(
                        Argument.optional(
                                "labels",
                                Argument.Type.INPUT_FILE_LIST,
                                "two files of lines \"id label\"; only vertices with the same"
                                        + " label are paired"))
                .with(Argument.flag("connected", "whether the substructure must be connected"))
                .with(CommonArguments.verify())
                .returns("size", "integer", "number of pairs")
                .returns("pairs", "list of lists", "ids in the first and in the second graph")
                .returns("proven", "boolean", "whether verify showed that there is no larger one");
    }

    @Override
    public void check(Parameters arguments) {
        requireTwo("graphs", arguments);
        if (arguments.has("labels")) {
            requireTwo("labels", arguments);
        }
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        CommonSubstructure.Result found =
                CommonSubstructure.run(
                        context.graphs(),
                        labelled(context, arguments, 0),
                        labelled(context, arguments, 1),
                        arguments.flag("connected"),
                        arguments.flag("verify"),
                        context::checkCancelled);
        return new TaskResult()
                .put("size", found.size())
                .put("pairs", pairs(context.graphs(), arguments.texts("graphs"), found.pairs()))
                .put("proven", found.proven());
    }

    private static List<List<Object>> pairs(
            GraphSession session, List<String> graphs, List<CommonSubstructure.Pair> pairs) {
        List<Object> firsts =
                session.shown(
                        graphs.get(0), pairs.stream().map(CommonSubstructure.Pair::first).toList());
        List<Object> seconds =
                session.shown(
                        graphs.get(1),
                        pairs.stream().map(CommonSubstructure.Pair::second).toList());
        return IntStream.range(0, pairs.size())
                .mapToObj(i -> List.of(firsts.get(i), seconds.get(i)))
                .toList();
    }

    private static CommonSubstructure.Labelled labelled(
            TaskContext context, Parameters arguments, int index) throws IOException {
        String graph = arguments.texts("graphs").get(index);
        if (!arguments.has("labels")) {
            return new CommonSubstructure.Labelled(graph, Map.of());
        }
        Path file = context.inputFile(arguments.texts("labels").get(index));
        return new CommonSubstructure.Labelled(
                graph, LabelFile.read(file, context.graphs(), graph));
    }

    private static void requireTwo(String name, Parameters arguments) {
        int count = arguments.texts(name).size();
        if (count != 2) {
            throw new InvalidInputException(
                    "\"%s\" must have two elements, found %d".formatted(name, count));
        }
    }
}
