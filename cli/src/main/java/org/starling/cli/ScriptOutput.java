package org.starling.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.jspecify.annotations.Nullable;
import org.starling.compute.objects.ObjectName;
import org.starling.compute.script.InvalidJsonException;
import org.starling.compute.script.InvalidScriptException;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.TaskSignature;

/**
 * The option {@code --output FILE}: the script gets one more step, a {@code graph.write} of what
 * the last of its tasks that leaves states has left. Only tasks that stand outside of blocks and
 * whose graph is not dropped behind them count; which states a task leaves is what its description
 * says, or its argument {@code state}. Stateless.
 */
final class ScriptOutput {
    static final String OUTPUT = "output";

    private static final String STATE = "state";
    private static final String GRAPH = "graph";
    private static final Pattern LEAVES =
            Pattern.compile("leaves the (?:state (\\w+)|states ((?:\\w+, )*\\w+ and \\w+))");

    private ScriptOutput() {}

    static Option option(String where) {
        return Command.valued(
                OUTPUT,
                "FILE",
                "write what the script's last task leaves as a table with ids, a .csv, .tsv, .jsonl, .parquet or .arrow; "
                        + where);
    }

    /** Whether the table goes into a file: then it is whoever calls that gets it. */
    static boolean isFile(CommandLine line) {
        return line.hasOption(OUTPUT) && !ObjectName.isName(line.getOptionValue(OUTPUT));
    }

    /**
     * A script that writes its last states, too. What is wrong with the added step is told as the
     * option's fault.
     *
     * @param text the script, in which nothing else is wrong
     * @param file where to
     * @param check what becomes of a script's text, or why it can't be
     * @throws InvalidInputException if nothing is left that could be written
     */
    static <T> T checked(String text, String file, TaskCatalog tasks, Function<String, T> check) {
        try {
            return check.apply(with(text, file, tasks));
        } catch (InvalidScriptException wrong) {
            throw new InvalidInputException(
                    "--output: " + wrong.errors().getFirst().error(), wrong);
        }
    }

    private static String with(String text, String file, TaskCatalog tasks) {
        Map<String, @Nullable Object> script = new LinkedHashMap<>();
        members(text).forEach((name, value) -> script.put(String.valueOf(name), value));
        List<@Nullable Object> steps =
                new ArrayList<>(script.get("tasks") instanceof List<?> list ? list : List.of());
        Map<String, Object> write = write(steps, tasks);
        write.put("file", file);
        steps.add(write);
        script.put("tasks", steps);
        return JsonText.write(script);
    }

    private static Map<?, ?> members(String text) {
        try {
            return JsonText.parse(text) instanceof Map<?, ?> members ? members : Map.of();
        } catch (InvalidJsonException changed) {
            throw new IllegalStateException("the script was read before", changed);
        }
    }

    private static Map<String, Object> write(List<@Nullable Object> steps, TaskCatalog tasks) {
        Set<Object> dropped = new HashSet<>();
        for (Object step : steps.reversed()) {
            if (!(step instanceof Map<?, ?> call)
                    || !(call.get("task") instanceof String name)
                    || !(call.get(GRAPH) instanceof String graph)) {
                continue;
            }
            TaskSignature task = tasks.find(name).orElseThrow().signature();
            if (name.equals("graph.drop")) {
                dropped.add(graph);
            } else if (name.equals("graph.run")) {
                throw new InvalidInputException(
                        "--output: what graph.run leaves is not known before it runs; let the script end with graph.write and \"columns\"");
            } else if (!dropped.contains(graph) && isOfGraph(task)) {
                List<String> columns = columns(task, call);
                if (!columns.isEmpty()) {
                    Map<String, Object> write = new LinkedHashMap<>();
                    write.put("task", "graph.write");
                    write.put(GRAPH, graph);
                    write.put("columns", columns);
                    return write;
                }
            }
        }
        throw new InvalidInputException(
                "--output: no task of the script, outside of blocks, leaves a state of a graph that is still there at the end; name what to write with graph.write");
    }

    private static boolean isOfGraph(TaskSignature task) {
        return task.arguments().stream()
                .anyMatch(argument ->
                        argument.name().equals(GRAPH) && argument.type() == Argument.Type.GRAPH);
    }

    private static List<String> columns(TaskSignature task, Map<?, ?> call) {
        for (Argument argument : task.arguments()) {
            if (argument.name().equals(STATE) && argument.otherwise() != null) {
                Object named = call.get(STATE);
                return List.of(String.valueOf(named == null ? argument.otherwise() : named));
            }
        }
        Matcher left = LEAVES.matcher(task.summary());
        if (!left.find()) {
            return List.of();
        }
        return left.group(1) != null
                ? List.of(left.group(1))
                : Arrays.asList(left.group(2).split(", | and ", -1));
    }
}
