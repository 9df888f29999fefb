package org.starling.compute.script;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * Checks {@code forEach}. A list that stands in the script is gone through element by element, so
 * that names of graphs may depend on the variable; of one that only the run knows two rounds are
 * looked at.
 */
final class EachChecker {
    private static final String LIST = "in";

    private final Problems problems;
    private final ResultNames names;
    private final StepOptions options;

    EachChecker(Problems problems, ResultNames names) {
        this.problems = problems;
        this.names = names;
        this.options = new StepOptions(problems);
    }

    @Nullable Step each(StepChecker.Block block) {
        block.requireKnown(List.of("forEach", LIST, StepOptions.AT_MOST, "tasks"));
        String variable = problems.name(block.path + ".forEach", "forEach", block.members);
        Object list = block.members.get(LIST);
        if (!block.members.containsKey(LIST)) {
            problems.add(
                    block.path,
                    "\"forEach\" needs \"in\" with a list, or with a result that is one");
            return null;
        }
        if (!block.hasTasks("forEach")
                || variable == null
                || list instanceof ScriptParameters.Unknown) {
            return null;
        }
        try {
            names.addVariable(block.path, variable);
        } catch (InvalidInputException taken) {
            problems.add(block.path + ".forEach", taken);
            return null;
        }
        try {
            boolean isList = list instanceof Template || list instanceof List<?>;
            return list != null && isList && Template.isIn(list)
                    ? eachOf(block, variable, list)
                    : each(block, variable, list);
        } finally {
            names.removeVariable(variable);
        }
    }

    private @Nullable Step each(StepChecker.Block block, String variable, @Nullable Object list) {
        String path = block.path + "." + LIST;
        if (!(list instanceof List<?> elements)) {
            problems.add(
                    path,
                    "expected a list, or a result that is one like \"${name.result}\", found "
                            + Found.of(list));
            return null;
        }
        int most = most(block, ScriptBounds.MAX_ROUNDS);
        if (elements.size() > most) {
            problems.add(path, "%d elements, more than %d".formatted(elements.size(), most));
            return null;
        }
        List<List<Step>> bodies = new ArrayList<>();
        List<@Nullable Object> values = new ArrayList<>(elements);
        for (int i = 0; i < values.size() && bodies.size() == i; i++) {
            Problems found = new Problems();
            StepChecker.Block body = block.with(variable, values.get(i), found);
            List<Step> walked = body.steps("tasks", block.scope);
            problems.addLater(
                    found,
                    i == 0 ? "" : " (where %s is %s)".formatted(variable, Found.of(values.get(i))));
            if (found.isEmpty()) {
                bodies.add(walked);
            }
        }
        return new Step.Each(block.path, variable, values, bodies);
    }

    private @Nullable Step eachOf(StepChecker.Block block, String variable, Object list) {
        String path = block.path + "." + LIST;
        try {
            if (list instanceof Template text) {
                requireList(text, block.scope);
            } else if (list instanceof List<?> elements) {
                for (Object element : elements) {
                    if (element instanceof Template text) {
                        text.places().forEach(place -> names.kind(place, block.scope));
                    }
                }
            }
        } catch (InvalidInputException wrong) {
            problems.add(path, wrong);
        }
        int most = most(block, ScriptBounds.USUAL_ROUNDS);
        ScriptScope inside = block.scope.branch();
        List<Step> walked = block.steps("tasks", inside);
        block.lookAgain("in the second round of \"forEach\"", inside.branch());
        block.scope.join(block.scope.branch(), inside);
        return new Step.EachOf(block.path, variable, list, most, walked);
    }

    private void requireList(Template text, ScriptScope scope) {
        for (Reference place : text.places()) {
            ValueKind kind = names.kind(place, scope);
            boolean fits =
                    text.isWhole()
                            && (kind == ValueKind.LIST
                                    || kind == ValueKind.INTEGERS
                                    || kind == ValueKind.UNKNOWN);
            if (!fits) {
                throw new InvalidInputException(
                        "expected a list, but \"%s\" is %s"
                                .formatted(
                                        text.isWhole() ? place.text() : text,
                                        text.isWhole() ? kind.words() : "a text"));
            }
        }
    }

    private int most(StepChecker.Block block, int otherwise) {
        return block.members.containsKey(StepOptions.AT_MOST)
                ? options.count(
                        block.path + "." + StepOptions.AT_MOST,
                        block.members.get(StepOptions.AT_MOST),
                        ScriptBounds.MAX_ROUNDS,
                        otherwise)
                : otherwise;
    }

    /** A tree in which a variable has a value. */
    static @Nullable Object fill(@Nullable Object tree, String variable, @Nullable Object value) {
        return JsonText.withLeaves(
                tree, leaf -> leaf instanceof Template text ? text.with(variable, value) : leaf);
    }
}
