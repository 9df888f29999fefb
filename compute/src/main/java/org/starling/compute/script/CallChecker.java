package org.starling.compute.script;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.ScriptScope.Presence;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskSignature;

/** Checks single tasks: their names, arguments and the names of their results. */
final class CallChecker {
    /** Names that a task's object has beside its arguments. */
    static final List<String> OWN_NAMES =
            List.of("task", "as", StepOptions.ON_FAILURE, StepOptions.TIME_LIMIT);

    private final TaskCatalog tasks;
    private final ScriptFiles files;
    private final ResultNames names;
    private final Problems problems;
    private final ArgumentReader arguments;
    private final StepOptions options;

    CallChecker(TaskCatalog tasks, ScriptFiles files, ResultNames names, Problems problems) {
        this.tasks = tasks;
        this.files = files;
        this.names = names;
        this.problems = problems;
        this.arguments = new ArgumentReader(files, tasks.jarNames());
        this.options = new StepOptions(problems);
    }

    /** The step; null if its task is unknown. */
    @Nullable Step call(
            String path,
            Map<String, @Nullable Object> members,
            ScriptScope scope,
            FailureRule onFailure) {
        int problemsBefore = problems.count();
        Task task = task(path, members.get("task"));
        if (task == null) {
            excuse(members, scope);
            nameResult(path, members, null, scope, onFailure);
            return null;
        }
        TaskSignature signature = task.signature();
        List<String> known = new ArrayList<>(OWN_NAMES);
        signature.arguments().forEach(argument -> known.add(argument.name()));
        problems.requireKnown(path, members.keySet(), known, "argument");
        Map<String, Object> open = new LinkedHashMap<>();
        Parameters values = Parameters.of(values(path, signature, members, scope, open));
        IdArguments.note(signature, values, scope);
        boolean isWhole =
                signature.arguments().stream()
                        .map(Argument::name)
                        .allMatch(one -> values.has(one) || !members.containsKey(one));
        if (problems.count() == problemsBefore && isWhole) {
            check(path, task, IdArguments.withoutTexts(signature, values));
        }
        String as = nameResult(path, members, signature, scope, onFailure);
        return new Step.Call(path, task, as, values, open, files, options.timeLimit(path, members));
    }

    private @Nullable Task task(String path, @Nullable Object name) {
        if (name instanceof ScriptParameters.Unknown) {
            return null;
        }
        if (!(name instanceof String text)) {
            problems.add(path + ".task", "expected the name of a task, found " + Found.of(name));
            return null;
        }
        Task task = tasks.find(text).orElse(null);
        if (task == null) {
            problems.add(
                    path + ".task",
                    "unknown task " + Found.of(text) + NearestName.hint(text, tasks.names()));
        }
        return task;
    }

    private Map<String, Object> values(
            String path,
            TaskSignature signature,
            Map<String, @Nullable Object> members,
            ScriptScope scope,
            Map<String, Object> open) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Argument argument : signature.arguments()) {
            String name = argument.name();
            Object value = members.get(name);
            Object otherwise = argument.otherwise();
            if (value != null && Template.isIn(value)) {
                checkOpen(path + "." + name, argument, value, scope);
                open.put(name, value);
            } else if (members.containsKey(name)) {
                if (IdArguments.mayBeText(signature, argument, value, values, scope)) {
                    values.put(name, Objects.requireNonNull(value));
                } else {
                    read(path + "." + name, argument, value, scope, values);
                }
            } else if (argument.required()) {
                problems.add(
                        path,
                        "task \"%s\" needs \"%s\" (%s)"
                                .formatted(signature.name(), name, argument.summary()));
            } else if (otherwise != null) {
                values.put(name, otherwise);
            }
        }
        return values;
    }

    private void read(
            String path,
            Argument argument,
            @Nullable Object value,
            ScriptScope scope,
            Map<String, Object> values) {
        if (isUnknown(value)) {
            return;
        }
        try {
            values.put(argument.name(), arguments.read(argument, value, scope));
        } catch (InvalidInputException wrong) {
            problems.add(path, wrong);
        }
    }

    private static boolean isUnknown(@Nullable Object value) {
        return switch (value) {
            case ScriptParameters.Unknown reported -> true;
            case List<?> list -> list.stream().anyMatch(CallChecker::isUnknown);
            case Map<?, ?> members -> members.values().stream().anyMatch(CallChecker::isUnknown);
            case null, default -> false;
        };
    }

    /** What can be said of an argument whose value only the run knows. */
    private void checkOpen(String path, Argument argument, Object value, ScriptScope scope) {
        if (value instanceof List<?> list) {
            Argument.Type of =
                    switch (argument.type()) {
                        case ID_LIST, UNSIGNED_LIST -> Argument.Type.ID;
                        case INPUT_FILE_LIST, INPUT_FILES -> Argument.Type.INPUT_FILE;
                        case GRAPH_LIST -> Argument.Type.GRAPH;
                        case TEXT_LIST -> Argument.Type.TEXT;
                        default -> null;
                    };
            if (of == null) {
                problems.add(path, "expected " + expected(argument.type()) + ", found a list");
                return;
            }
            for (int i = 0; i < list.size(); i++) {
                if (list.get(i) instanceof Template text) {
                    checkOpen(path + "[" + i + "]", of, text, scope);
                }
            }
        } else if (value instanceof Map<?, ?> members) {
            checkOpenMembers(path, argument, members, scope);
        } else if (value instanceof Template text) {
            checkOpen(path, argument.type(), text, scope);
        }
    }

    private void checkOpenMembers(
            String path, Argument argument, Map<?, ?> members, ScriptScope scope) {
        if (argument.type() != Argument.Type.PARAMETERS) {
            problems.add(
                    path,
                    argument.type() == Argument.Type.COLUMN_TYPES
                            ? "types of columns are known before the script runs; write them out"
                            : "expected " + expected(argument.type()) + ", found an object");
            return;
        }
        Map<String, Object> plain = new LinkedHashMap<>();
        read(path, argument, plain(members), scope, plain);
        members.forEach((name, value) -> {
            List<?> texts = value instanceof List<?> list ? list : Collections.singletonList(value);
            for (Object text : texts) {
                if (text instanceof Template open) {
                    checkPlaces(
                            path + "." + name,
                            open,
                            scope,
                            (place, kind) -> {
                                // whatever it is: who takes the values looks at them
                            });
                }
            }
        });
    }

    /** Values, and elements of lists, with texts where only the run knows what they are. */
    private static @Nullable Object plain(@Nullable Object value) {
        return JsonText.withLeaves(
                value,
                leaf ->
                        switch (leaf) {
                            case Template open -> open.toString();
                            case ScriptParameters.Unknown reported -> reported.name();
                            case null, default -> leaf;
                        });
    }

    private void checkOpen(String path, Argument.Type type, Template text, ScriptScope scope) {
        checkPlaces(
                path,
                text,
                scope,
                (place, kind) ->
                        requireFitting(type, text, place, text.isWhole() ? kind : ValueKind.TEXT));
    }

    /** Checks that places lead somewhere and make a text, and what they are. */
    private void checkPlaces(
            String path, Template text, ScriptScope scope, BiConsumer<Reference, ValueKind> check) {
        try {
            for (Reference place : text.places()) {
                ValueKind kind = names.kind(place, scope);
                if (!text.isWhole() && !kind.isWord()) {
                    throw new InvalidInputException(
                            "\"%s\" is %s and can't be a part of a text"
                                    .formatted(place.text(), kind.words()));
                }
                check.accept(place, kind);
            }
        } catch (InvalidInputException wrong) {
            problems.add(path, wrong);
        }
    }

    private static void requireFitting(
            Argument.Type type, Template text, Reference place, ValueKind kind) {
        switch (type) {
            case EDGE_SOURCE, PROGRAM ->
                    throw new InvalidInputException(
                            expected(type)
                                    + " is known before the script runs: it can have parameters, but not "
                                    + Found.of(text));
            case GRAPH, GRAPH_LIST, NEW_GRAPH, DROPPED_GRAPH ->
                    throw new InvalidInputException(
                            "the name of a graph is known before the script runs: it can have parameters, and variables of lists that stand in the script, but not "
                                    + Found.of(text));
            default -> {
                if (!kind.fits(type)) {
                    throw new InvalidInputException(
                            "expected %s, but \"%s\" is %s"
                                    .formatted(
                                            expected(type),
                                            text.isWhole() ? place.text() : text,
                                            kind.words()));
                }
            }
        }
    }

    private static String expected(Argument.Type type) {
        return switch (type) {
            case TEXT -> "a text";
            case TEXT_LIST -> "a list of texts";
            case CHOICE -> "one of a few texts";
            case INTEGER -> "a whole number";
            case ID -> "an id";
            case NUMBER -> "a number";
            case FLAG -> "true or false";
            case UNSIGNED_LIST -> "a list of whole numbers";
            case ID_LIST -> "a list of ids";
            case INPUT_FILE, OUTPUT_FILE -> "a file's name";
            case CONDITION -> "a condition";
            case INPUT_FILE_LIST -> "a list of file names";
            case INPUT_FILES -> "a file's name, or a list of them";
            case COLUMN_TYPES -> "an object of columns and their types";
            case GRAPH, NEW_GRAPH, DROPPED_GRAPH -> "the name of a graph";
            case GRAPH_LIST -> "a list of names of graphs";
            case EDGE_SOURCE -> "the name of an edge source";
            case PROGRAM -> "the name of a program";
            case PARAMETERS -> "an object of named values";
        };
    }

    private void check(String path, Task task, Parameters parameters) {
        try {
            task.check(parameters);
        } catch (InvalidInputException wrong) {
            problems.add(path, wrong);
        }
    }

    /** Whatever graph an unknown task names may come out of it: later tasks are not to blame. */
    private static void excuse(Map<String, @Nullable Object> members, ScriptScope scope) {
        if (members.get("graph") instanceof String graph) {
            scope.setGraph(graph, Presence.EXCUSED);
        }
    }

    private @Nullable String nameResult(
            String path,
            Map<String, @Nullable Object> members,
            @Nullable TaskSignature signature,
            ScriptScope scope,
            FailureRule onFailure) {
        if (signature != null
                && signature.arguments().stream().anyMatch(own -> own.name().equals("as"))) {
            return null; // the task means something else by it
        }
        String as = problems.name(path + ".as", "as", members);
        if (as == null) {
            return null;
        }
        try {
            names.add(path, as, signature, onFailure.goesOn());
        } catch (InvalidInputException taken) {
            problems.add(path + ".as", taken);
        }
        scope.setResult(as, signature == null ? Presence.EXCUSED : Presence.PRESENT);
        return as;
    }
}
