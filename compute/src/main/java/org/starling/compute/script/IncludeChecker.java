package org.starling.compute.script;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.ScriptScope.Presence;
import org.starling.graph.InvalidInputException;

/**
 * Checks {@code include}: reads the other script and has its tasks checked where they stand. The
 * other script has its own parameters and names of results; graphs and files are the same. Places
 * in it are told behind the place that includes it.
 */
final class IncludeChecker {
    private static final List<String> MEMBERS = List.of("$schema", "name", "parameters", "tasks");

    private final CheckContext context;
    private final Problems problems;
    private final ResultNames names;

    IncludeChecker(CheckContext context, Problems problems, ResultNames names) {
        this.context = context;
        this.problems = problems;
        this.names = names;
    }

    @Nullable Step include(StepChecker.Block block, FailureRule rule) {
        block.requireKnown(List.of("include", "parameters"));
        String as = problems.name(block.path + ".as", "as", block.members);
        Object named = block.members.get("include");
        if (named instanceof ScriptParameters.Unknown) {
            excuse(as, block.scope);
            return null;
        }
        try {
            if (!(named instanceof String name)) {
                throw new InvalidInputException(
                        "expected the file of a script, found " + Found.of(named));
            }
            return include(block, rule, as, name);
        } catch (InvalidInputException wrong) {
            problems.add(block.path + ".include", wrong);
            excuse(as, block.scope);
            return null;
        }
    }

    private static void excuse(@Nullable String as, ScriptScope scope) {
        if (as != null) {
            scope.setResult(as, Presence.EXCUSED);
        }
    }

    private Step include(
            StepChecker.Block block, FailureRule rule, @Nullable String as, String name) {
        Path file = file(name);
        String place = "%s.include(%s)".formatted(block.path, Found.shorten(name));
        Map<?, ?> script = members(context.includes().text(name, file, context.files()));
        problems.requireKnown(place, script.keySet(), MEMBERS, "name of an included script");
        Problems defaults = new Problems();
        ScriptParameters parameters =
                ScriptParameters.included(
                        script.get("parameters"),
                        given(block),
                        block.path + ".parameters",
                        defaults,
                        problems);
        defaults.errors()
                .forEach(error -> problems.add(place + error.path().substring(1), error.error()));
        List<Step> steps = List.of();
        ResultNames own = new ResultNames(parameters);
        ScriptScope scope = block.scope.included();
        if (script.containsKey("tasks")) {
            String path = place + ".tasks";
            Object filled = parameters.fill(path, script.get("tasks"), problems);
            Path folder = Objects.requireNonNull(file.getParent(), "a file has one");
            CheckContext inner = context.inside(file, context.files().in(folder));
            StepChecker checker = new StepChecker(inner, problems, own);
            steps = checker.steps(path, filled, scope, block.depth + 1);
        } else {
            problems.add(place, "a script needs \"tasks\" with a list of tasks");
        }
        block.scope.leave(scope);
        if (as != null) {
            names.add(block.path, as, own, rule.goesOn());
            block.scope.setResult(as, Presence.PRESENT);
        }
        return new Step.Include(block.path, as, parameters.open(), steps);
    }

    /** The file as a normal path, which is the same wherever the script is checked. */
    private Path file(String name) {
        Path file = context.files().folder().resolve(ScriptFiles.path(name)).normalize();
        int around = context.including().size();
        if (context.including().contains(file)) {
            throw new InvalidInputException(
                    "\"%s\" includes itself, by way of %d %s"
                            .formatted(name, around, around == 1 ? "script" : "scripts"));
        }
        return file;
    }

    private static Map<?, ?> members(String text) {
        Object tree;
        try {
            tree = JsonText.parse(text);
        } catch (InvalidJsonException wrong) {
            throw new InvalidInputException(
                    "the included script is not JSON: " + wrong.getMessage(), wrong);
        }
        if (tree instanceof Map<?, ?> members) {
            return members;
        }
        throw new InvalidInputException(
                "the included script is no object with \"tasks\", but " + Found.of(tree));
    }

    /** Values for its parameters; what is wrong with them is reported. */
    private Map<String, Object> given(StepChecker.Block block) {
        Map<String, Object> given = new LinkedHashMap<>();
        Object parameters = block.members.get("parameters");
        String path = block.path + ".parameters";
        if (!block.members.containsKey("parameters")) {
            return given;
        }
        if (!(parameters instanceof Map<?, ?> map)) {
            problems.add(
                    path, "expected an object of names and values, found " + Found.of(parameters));
            return given;
        }
        map.forEach((name, value) -> {
            if (value == null) {
                problems.add(path + "." + name, "expected a value, found null");
                return;
            }
            checkPlaces(path + "." + name, value, block.scope);
            given.put(name.toString(), value);
        });
        return given;
    }

    private void checkPlaces(String path, Object value, ScriptScope scope) {
        List<?> parts = value instanceof List<?> list ? list : List.of(value);
        try {
            for (Object part : parts) {
                if (part instanceof Template text) {
                    text.places().forEach(place -> names.kind(place, scope));
                }
            }
        } catch (InvalidInputException wrong) {
            problems.add(path, wrong);
        }
    }
}
