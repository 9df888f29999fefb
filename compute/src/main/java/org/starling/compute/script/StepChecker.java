package org.starling.compute.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.ScriptScope.Presence;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskSignature;

/**
 * Turns the JSON of a script's tasks into {@link Step}s and reports everything that is wrong with
 * them. Walks the script as it would run, with a {@link ScriptScope} that knows what exists at each
 * point: both branches of an {@code if} are walked and joined, the tasks of a {@code repeat} are
 * walked twice, so that a second round that can't work is found. Used once, by one thread.
 */
final class StepChecker {
    private static final List<String> BLOCK_WORDS = List.of("task", "if", "repeat");

    private final TaskCatalog tasks;
    private final Problems problems;
    private final ArgumentReader arguments;

    /**
     * Signature of each {@code as}; the path tells a second one from a second look at the first.
     */
    private final Map<String, NamedResult> named = new TreeMap<>();

    private int writtenTasks;

    private record NamedResult(String path, @Nullable TaskSignature signature) {}

    StepChecker(TaskCatalog tasks, ScriptFiles files, Problems problems) {
        this.tasks = tasks;
        this.problems = problems;
        this.arguments = new ArgumentReader(files);
    }

    /** Checks all tasks of a script; the steps are complete only if no problem was added. */
    List<Step> check(@Nullable Object list) {
        List<Step> steps = steps("$.tasks", list, new ScriptScope(), 0);
        if (writtenTasks > ScriptBounds.MAX_TASKS) {
            problems.add(
                    "$.tasks",
                    "%d tasks, more than %d".formatted(writtenTasks, ScriptBounds.MAX_TASKS));
        }
        long runs = Step.sum(steps);
        if (runs > ScriptBounds.MAX_TASK_RUNS) {
            problems.add(
                    "$.tasks",
                    "up to %d tasks would run, more than %d"
                            .formatted(runs, ScriptBounds.MAX_TASK_RUNS));
        }
        return steps;
    }

    private List<Step> steps(String path, @Nullable Object list, ScriptScope scope, int depth) {
        List<Step> steps = new ArrayList<>();
        if (list instanceof ScriptParameters.Unknown) {
            return steps;
        }
        if (!(list instanceof List<?> elements)) {
            problems.add(path, "expected a list of tasks, found " + Found.of(list));
            return steps;
        }
        if (depth > ScriptBounds.MAX_BLOCK_DEPTH) {
            problems.add(
                    path,
                    "\"if\" and \"repeat\" are nested deeper than %s levels"
                            .formatted(ScriptBounds.MAX_BLOCK_DEPTH));
            return steps;
        }
        for (int i = 0; i < elements.size(); i++) {
            Step step = step(path + "[" + i + "]", elements.get(i), scope, depth);
            if (step != null) {
                steps.add(step);
            }
        }
        return steps;
    }

    private @Nullable Step step(
            String path, @Nullable Object element, ScriptScope scope, int depth) {
        if (!(element instanceof Map<?, ?> map)) {
            problems.add(path, "expected an object with \"task\", found " + Found.of(element));
            return null;
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        map.forEach((name, value) -> members.put(name.toString(), value));
        if (members.containsKey("task")) {
            return call(path, members, scope);
        }
        if (members.containsKey("if")) {
            return choice(path, members, scope, depth);
        }
        if (members.containsKey("repeat")) {
            return rounds(path, members, scope, depth);
        }
        String hint =
                members.keySet().stream()
                        .flatMap(name -> NearestName.of(name, BLOCK_WORDS).stream())
                        .findFirst()
                        .map(word -> "; did you mean \"" + word + "\"?")
                        .orElse("");
        problems.add(path, "expected \"task\", \"if\" or \"repeat\"" + hint);
        return null;
    }

    private @Nullable Step call(
            String path, Map<String, @Nullable Object> members, ScriptScope scope) {
        writtenTasks++;
        int problemsBefore = problems.count();
        Object name = members.get("task");
        Task task = task(path, name);
        if (task == null) {
            excuse(members, scope);
            nameResult(path, members, null, scope);
            return null;
        }
        TaskSignature signature = task.signature();
        requireKnownNames(path, members, argumentNames(signature));
        Map<String, Object> values = values(path, signature, members, scope);
        Parameters parameters = Parameters.of(values);
        if (problems.count() == problemsBefore) {
            check(path, task, parameters);
        }
        String as = nameResult(path, members, signature, scope);
        return new Step.Call(path, task, as, parameters);
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

    private static List<String> argumentNames(TaskSignature signature) {
        List<String> names = new ArrayList<>(List.of("task", "as"));
        signature.arguments().forEach(argument -> names.add(argument.name()));
        return names;
    }

    private Map<String, Object> values(
            String path,
            TaskSignature signature,
            Map<String, @Nullable Object> members,
            ScriptScope scope) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Argument argument : signature.arguments()) {
            String name = argument.name();
            Object otherwise = argument.otherwise();
            if (members.containsKey(name)) {
                read(path + "." + name, argument, members.get(name), scope, values);
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
        if (value instanceof ScriptParameters.Unknown) {
            return;
        }
        try {
            values.put(argument.name(), arguments.read(argument, value, scope));
        } catch (InvalidInputException wrong) {
            problems.add(path, sentence(wrong));
        }
    }

    private void check(String path, Task task, Parameters parameters) {
        try {
            task.check(parameters);
        } catch (InvalidInputException wrong) {
            problems.add(path, sentence(wrong));
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
            ScriptScope scope) {
        Object as = members.get("as");
        if (!members.containsKey("as") || as instanceof ScriptParameters.Unknown) {
            return null;
        }
        if (!(as instanceof String name) || !Condition.NAME.matcher(name).matches()) {
            problems.add(
                    path + ".as",
                    "expected a name of letters, digits, '_' and '-', found " + Found.of(as));
            return null;
        }
        NamedResult other = named.putIfAbsent(name, new NamedResult(path, signature));
        if (other != null && !other.path().equals(path)) {
            problems.add(
                    path + ".as",
                    "the result of %s is already called \"%s\"".formatted(other.path(), name));
        }
        scope.setResult(name, signature == null ? Presence.EXCUSED : Presence.PRESENT);
        return name;
    }

    private @Nullable Step choice(
            String path, Map<String, @Nullable Object> members, ScriptScope scope, int depth) {
        requireKnownNames(path, members, List.of("if", "then", "else"));
        Condition condition = condition(path + ".if", members.get("if"), scope);
        if (!members.containsKey("then")) {
            problems.add(path, "\"if\" needs \"then\" with a list of tasks");
        }
        ScriptScope whenTrue = scope.branch();
        ScriptScope whenFalse = scope.branch();
        List<Step> then = optionalSteps(path, "then", members, whenTrue, depth);
        List<Step> otherwise = optionalSteps(path, "else", members, whenFalse, depth);
        scope.join(whenTrue, whenFalse);
        return condition == null ? null : new Step.Choice(path, condition, then, otherwise);
    }

    private List<Step> optionalSteps(
            String path,
            String name,
            Map<String, @Nullable Object> members,
            ScriptScope scope,
            int depth) {
        return members.containsKey(name)
                ? steps(path + "." + name, members.get(name), scope, depth + 1)
                : List.of();
    }

    private @Nullable Condition condition(String path, @Nullable Object value, ScriptScope scope) {
        if (value instanceof ScriptParameters.Unknown) {
            return null;
        }
        if (!(value instanceof String text)) {
            problems.add(
                    path,
                    "expected a condition like \"name.result > 1\", found " + Found.of(value));
            return null;
        }
        try {
            Condition condition = Condition.parse(text);
            requireResult(condition, scope);
            return condition;
        } catch (InvalidInputException wrong) {
            problems.add(path, sentence(wrong));
            return null;
        }
    }

    private void requireResult(Condition condition, ScriptScope scope) {
        String name = condition.name();
        switch (scope.result(name)) {
            case PRESENT, EXCUSED -> {}
            case UNSURE ->
                    throw new InvalidInputException(
                            "result \"%s\" may be missing here: it depends on the branch of an earlier \"if\""
                                    .formatted(name));
            case DROPPED, ABSENT ->
                    throw new InvalidInputException(
                            "no earlier task has \"as\": \"%s\"%s"
                                    .formatted(
                                            name, NearestName.hint(name, scope.usableResults())));
        }
        NamedResult result = named.get(name);
        TaskSignature signature = result == null ? null : result.signature();
        if (signature != null) {
            List<String> results =
                    signature.results().stream().map(TaskSignature.Result::name).toList();
            if (!results.contains(condition.result())) {
                throw new InvalidInputException(
                        "task \"%s\" has no result \"%s\"%s"
                                .formatted(
                                        signature.name(),
                                        condition.result(),
                                        NearestName.hint(condition.result(), results)));
            }
        }
    }

    private @Nullable Step rounds(
            String path, Map<String, @Nullable Object> members, ScriptScope scope, int depth) {
        requireKnownNames(path, members, List.of("repeat", "tasks"));
        Object count = members.get("repeat");
        if (!members.containsKey("tasks")) {
            problems.add(path, "\"repeat\" needs \"tasks\" with a list of tasks");
            return null;
        }
        int rounds = 1;
        if (count instanceof Long number && number >= 1 && number <= ScriptBounds.MAX_ROUNDS) {
            rounds = number.intValue();
        } else if (!(count instanceof ScriptParameters.Unknown)) {
            problems.add(
                    path + ".repeat",
                    "expected a whole number from 1 to %d, found %s"
                            .formatted(ScriptBounds.MAX_ROUNDS, Found.of(count)));
        }
        int tasksBefore = writtenTasks;
        List<Step> steps = steps(path + ".tasks", members.get("tasks"), scope, depth + 1);
        int tasksOnce = writtenTasks;
        if (rounds > 1) {
            checkSecondRound(path + ".tasks", members.get("tasks"), scope, depth);
        }
        writtenTasks = Math.max(tasksBefore, tasksOnce);
        return new Step.Rounds(path, rounds, steps);
    }

    /** What goes wrong only after the first round says so. */
    private void checkSecondRound(
            String path, @Nullable Object tasks, ScriptScope scope, int depth) {
        Problems later = new Problems();
        StepChecker second = new StepChecker(this, later);
        second.steps(path, tasks, scope, depth + 1);
        Set<String> known = problems.places();
        for (ScriptError error : later.errors()) {
            if (!known.contains(error.path())) {
                problems.add(error.path(), error.error() + " (in the second round of \"repeat\")");
            }
        }
    }

    private StepChecker(StepChecker first, Problems problems) {
        this.tasks = first.tasks;
        this.problems = problems;
        this.arguments = first.arguments;
        this.named.putAll(first.named);
    }

    private void requireKnownNames(
            String path, Map<String, @Nullable Object> members, List<String> known) {
        for (String name : members.keySet()) {
            if (!known.contains(name)) {
                problems.add(
                        path + "." + name,
                        "unknown " + noun(members) + NearestName.hint(name, known));
            }
        }
    }

    private static String noun(Map<String, @Nullable Object> members) {
        return members.containsKey("task") ? "argument" : "name";
    }

    private static String sentence(InvalidInputException wrong) {
        return String.valueOf(wrong.getMessage());
    }
}
