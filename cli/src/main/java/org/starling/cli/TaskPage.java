package org.starling.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonText;
import org.starling.graph.Argument;
import org.starling.graph.TaskSignature;

/** What tasks take and give, for people and for programs. */
final class TaskPage {
    private static final String HEAD =
            """
            # Tasks

            What a script can name under `"task"`. This page is made by `./starling tasks --markdown`.

            A script is one JSON object:

            ```
            {
              "name": "what reports call it",
              "parameters": {"scale": 14},
              "tasks": [
                {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": "${scale}"},
                {"task": "graph.wcc", "as": "cc", "graph": "g"},
                {"if": "cc.components > 1", "then": [{"task": "graph.kcore", "graph": "g"}], "else": []},
                {"repeat": 3, "tasks": [{"task": "graph.pagerank", "graph": "g"}]}
              ]
            }
            ```

            The [guide to scripts](guide/scripts.md) has every construct with an example: results as arguments, conditions with `and`, `or`
            and `not`, `while`, `forEach`, `parallel`, `include`, `onFailure`, `timeLimit`.

            - `${name}` in a text stands for a parameter, `${search.top[0][0]}` for an earlier result; a text that is nothing else takes its
              type. `-P name=value` on the command line replaces a parameter's default.
            - `"as"` names a task's results. A condition is the path of an earlier result, or compares it with a number, a text in
              quotes, `true`, `false`, `null` or another path by `==`, `!=`, `<`, `<=`, `>`, `>=`: `cc.components > 1`, `b.verified`, `pr.top[0][1] < 0.5`.
            - File names are relative to the script's folder. Files must lie under that folder or under the working directory;
              `run --allow DIR` allows one more folder, and may be given several times. On a cluster the folder in which `cluster start` was
              called counts, with those that `cluster start --allow DIR` or the configuration's `allow` names, and the script lies there, too.
            - A file to read may also be an `http://` or `https://` address, of hosts that `--allow-url HOST` or the configuration's `allowUrls` names
              ([guide/formats.md](guide/formats.md)), and in scripts that `run` runs `-`, what is piped into it. A file to read or to write may also be an
              object, `s3://BUCKET/KEY`, in a place that is allowed likewise.
            - A script is checked whole before anything runs; `run --check` does only that, and tells what memory each step takes.
            - Where a state names vertices (`parent`, `component`), files have their ids, and -1 for none.
            - A graph goes with its job. One that is made with `"keep": true` stays in the cluster, with the columns that `graph.publish` gives it, until it is
              dropped (`graph.drop`, or `./starling graphs drop NAME`); later scripts name it without a task that makes it, and read its columns like states.
            - A cluster's job that loses a peer goes on with the task that it was at, and a run in it from its last checkpoint. Only the search of
              `graph.maximumClique`, also as a part of `graph.commonSubstructure`, the check of what `benchmark.graph500` has built, runs that write lines as
              they go (`graph.cliques` with a `file`, `graph.walk`), and programs of your own that say so begin anew.
            - With `"explain": true` beside `"tasks"`, or with `run --explain` and `submit --explain`, the report tells under a task's
              `"runs"` what every program's run took, beside what was expected of it:
              - `program`, `graph`, `supersteps`, `seconds` (of the supersteps);
              - `memory`: for each peer, the one that took most first, its `node`, `expectedBytes` (most that columns, messages under way and
                copies of rows can take, from the graph's size and degrees), `availableBytes` (what the peer's machine had left before the
                run, and what the peer keeps from earlier ones) and `takenBytes` (what was really there when the run ended, in whole pages;
                pages kept from earlier runs can lift it above what was expected). What a program keeps in objects of its own is not counted;
              - `expectedMostMessages` (of a superstep in which every vertex broadcasts on every channel) and `mostMessages` (of a superstep);
              - `resumes`: whether the loss of a peer would have let the run go on from a checkpoint, and not begin anew;
              - `history`, superstep by superstep: `first`, `last`, `frontier`, `direction` (of the broadcasts before it: `push`, `pull`, `both`
                or `none`), `messages`, `bytes` (for other peers), `seconds`, `slowestShard`, `slowestSeconds`. Runs of more than 1024
                supersteps are put together in records of a few each, from `first` to `last`; `mostMessages` then takes their mean.
            - A run whose expected memory is more than its peers' machines have available is refused before it begins. Peers on one
              machine share what that has.
            """;

    private TaskPage() {}

    /** The page {@code docs/TASKS.md}. */
    static String markdown(Collection<TaskSignature> tasks) {
        StringBuilder page = new StringBuilder(HEAD);
        for (TaskSignature task : tasks) {
            page.append("\n## ").append(task.name()).append("\n\n");
            page.append(task.summary()).append('\n');
            if (!task.arguments().isEmpty()) {
                page.append("\n| argument | type | default | meaning |\n|---|---|---|---|\n");
                task.arguments().forEach(argument -> page.append(row(argument)));
            }
            if (!task.results().isEmpty()) {
                page.append("\n| result | type | meaning |\n|---|---|---|\n");
                task.results().forEach(result -> page.append(row(result)));
            }
        }
        return page.toString();
    }

    /** The same as JSON. */
    static List<Map<String, @Nullable Object>> tree(Collection<TaskSignature> tasks) {
        return tasks.stream().map(TaskPage::tree).toList();
    }

    private static Map<String, @Nullable Object> tree(TaskSignature task) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("task", task.name());
        tree.put("summary", task.summary());
        List<Object> arguments = new ArrayList<>();
        for (Argument argument : task.arguments()) {
            Map<String, @Nullable Object> member = new LinkedHashMap<>();
            member.put("name", argument.name());
            member.put("type", argument.type().name().toLowerCase(Locale.ROOT));
            member.put("required", argument.required());
            member.put("default", argument.otherwise());
            member.put("choices", argument.choices());
            member.put("summary", argument.summary());
            arguments.add(member);
        }
        tree.put("arguments", arguments);
        tree.put(
                "results",
                task.results().stream()
                        .map(result ->
                                Map.of(
                                        "name", result.name(),
                                        "type", result.type(),
                                        "summary", result.summary()))
                        .toList());
        return tree;
    }

    private static String row(Argument argument) {
        Object otherwise = argument.otherwise();
        String usual =
                argument.required()
                        ? "*required*"
                        : otherwise == null ? "" : "`" + JsonText.write(otherwise) + "`";
        return "| `%s` | %s | %s | %s |\n"
                .formatted(argument.name(), type(argument), usual, cell(argument.summary()));
    }

    private static String row(TaskSignature.Result result) {
        return "| `%s` | %s | %s |\n"
                .formatted(result.name(), cell(result.type()), cell(result.summary()));
    }

    private static String type(Argument argument) {
        return switch (argument.type()) {
            case TEXT -> "text";
            case TEXT_LIST -> "list of texts";
            case INTEGER -> "whole number";
            case ID -> "id: whole number from 0 to 2^64 - 1";
            case UNSIGNED_LIST -> "list of whole numbers from 0 to 2^64 - 1";
            case ID_LIST -> "list of ids";
            case NUMBER -> "number";
            case FLAG -> "true or false";
            case CHOICE ->
                    String.join(
                            ", ",
                            argument.choices().stream().map(choice -> "`" + choice + "`").toList());
            case GRAPH -> "graph";
            case GRAPH_LIST -> "list of graphs";
            case NEW_GRAPH -> "new graph";
            case DROPPED_GRAPH -> "graph, gone afterwards";
            case INPUT_FILE -> "file to read";
            case CONDITION -> "condition";
            case INPUT_FILE_LIST -> "list of files to read";
            case INPUT_FILES -> "file to read, pattern, folder, or list of these";
            case COLUMN_TYPES -> "object of names and types";
            case EDGE_SOURCE -> "name of an edge source";
            case PROGRAM -> "name of a program";
            case PARAMETERS -> "object of values";
            case OUTPUT_FILE -> "file to write";
        };
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }
}
