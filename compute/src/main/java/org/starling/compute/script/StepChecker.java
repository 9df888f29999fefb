package org.starling.compute.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * Turns the JSON of a script's tasks into {@link Step}s and reports everything that is wrong with
 * them. Walks the script as it would run, with a {@link ScriptScope} that knows what exists at each
 * point: both branches of an {@code if} are walked and joined, the tasks of a loop are walked
 * twice, so that a second round that can't work is found. Used once, by one thread; included
 * scripts have checkers of their own.
 */
final class StepChecker {
    /** Names by which steps are told apart, in the order in which they are looked for. */
    static final List<String> WORDS =
            List.of("task", "if", "repeat", "while", "forEach", "parallel", "include", "tasks");

    private final CheckContext context;
    private final Problems problems;
    private final ResultNames names;
    private final CallChecker calls;
    private final StepOptions options;

    StepChecker(CheckContext context, Problems problems, ResultNames names) {
        this.context = context;
        this.problems = problems;
        this.names = names;
        this.calls = new CallChecker(context.tasks(), context.files(), names, problems);
        this.options = new StepOptions(problems);
    }

    /**
     * Checks all tasks of a script; the steps are complete only if no problem was added.
     *
     * @param existing graphs that are there before the first task
     */
    List<Step> check(@Nullable Object list, ExistingGraphs existing) {
        List<Step> steps = steps("$.tasks", list, new ScriptScope(existing), 0);
        context.counts().report(problems);
        long runs = Step.sum(steps);
        if (runs > ScriptBounds.MAX_TASK_RUNS) {
            problems.add(
                    "$.tasks",
                    "up to %d tasks would run, more than %d"
                            .formatted(runs, ScriptBounds.MAX_TASK_RUNS));
        }
        return steps;
    }

    List<Step> steps(String path, @Nullable Object list, ScriptScope scope, int depth) {
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
                    "blocks are nested deeper than %s levels"
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
        if (element instanceof ScriptParameters.Unknown || !context.counts().look()) {
            return null;
        }
        if (!(element instanceof Map<?, ?> map)) {
            problems.add(path, "expected an object with \"task\", found " + Found.of(element));
            return null;
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        map.forEach((name, value) -> members.put(name.toString(), value));
        String word = WORDS.stream().filter(members::containsKey).findFirst().orElse(null);
        if (word == null) {
            problems.add(path, "expected one of " + quoted(WORDS) + near(members.keySet()));
            return null;
        }
        requireConstants(path, members, scope);
        FailureRule rule = options.onFailure(path, members);
        if (rule.equals(FailureRule.FAIL)) {
            return step(path, word, members, scope, depth, rule);
        }
        ScriptScope before = scope.branch();
        Step step = step(path, word, members, scope, depth, rule);
        if (rule.retries() > 0 && !word.equals("task")) {
            Map<String, @Nullable Object> again = new LinkedHashMap<>(members);
            again.remove(StepOptions.ON_FAILURE);
            again.remove("as");
            lookAgain(
                    "in the second try of \"onFailure\"",
                    second -> second.step(path, again, before.again(scope), depth));
        }
        String as = members.get("as") instanceof String name ? name : null;
        if (rule.goesOn()) {
            scope.mayHaveFailed(before, as);
        }
        return step == null ? null : new Step.Guarded(path, step, rule, as);
    }

    private @Nullable Step step(
            String path,
            String word,
            Map<String, @Nullable Object> members,
            ScriptScope scope,
            int depth,
            FailureRule rule) {
        Block block = new Block(path, members, scope, depth);
        Step step =
                switch (word) {
                    case "task" -> {
                        context.counts().write();
                        yield calls.call(path, members, scope, rule);
                    }
                    case "if" -> choice(block);
                    case "repeat" -> loop(block, this::rounds);
                    case "while" -> loop(block, this::whileLoop);
                    case "forEach" -> loop(block, new EachChecker(problems, names)::each);
                    case "parallel" -> parallel(block);
                    case "include" ->
                            new IncludeChecker(context, problems, names).include(block, rule);
                    default -> {
                        block.requireKnown(List.of("tasks"));
                        yield new Step.Block(path, block.steps("tasks", scope));
                    }
                };
        if (!word.equals("task") && !word.equals("include")) {
            nameBlock(block, rule);
        }
        return step;
    }

    private @Nullable Step loop(Block block, Function<Block, @Nullable Step> check) {
        names.beginLoop(block.path);
        try {
            return check.apply(block);
        } finally {
            names.endLoop();
        }
    }

    /** A block's own name tells whether it has failed. */
    private void nameBlock(Block block, FailureRule rule) {
        String path = block.path + ".as";
        String as = problems.name(path, "as", block.members);
        if (as == null) {
            return;
        }
        if (!rule.goesOn()) {
            problems.add(
                    path,
                    "a block has a result, \"failed\", only with \"onFailure\": \"continue\"");
            return;
        }
        try {
            names.add(block.path, as, block.word(), rule);
        } catch (InvalidInputException taken) {
            problems.add(path, taken);
        }
    }

    private static String near(Set<String> members) {
        return members.stream()
                .map(name -> NearestName.guess(name, WORDS))
                .filter(guess -> !guess.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static String quoted(List<String> words) {
        return String.join(", ", words.stream().map(word -> "\"" + word + "\"").toList());
    }

    /** What decides the shape of a script can't wait for the run. */
    private void requireConstants(
            String path, Map<String, @Nullable Object> members, ScriptScope scope) {
        for (String name : CheckContext.CONSTANTS) {
            if (members.get(name) instanceof Template text) {
                requireKnown(path + "." + name, text, scope);
                members.put(name, ScriptParameters.Unknown.PARAMETER);
            }
        }
    }

    private void requireKnown(String path, Template text, ScriptScope scope) {
        try {
            text.places().forEach(place -> names.kind(place, scope));
            boolean isCondition = path.endsWith(".if") || path.endsWith(".while");
            problems.add(
                    path,
                    isCondition
                            ? "a condition names results and variables without ${}: write %s"
                                    .formatted(text.places().getFirst().text())
                            : "this is known before the script runs: it can have parameters, and variables of lists that stand in the script, but not "
                                    + Found.of(text));
        } catch (InvalidInputException wrong) {
            problems.add(path, wrong);
        }
    }

    private @Nullable Step choice(Block block) {
        block.requireKnown(List.of("if", "then", "else"));
        ScriptScope scope = block.scope;
        Condition condition = condition(block.path + ".if", block.members.get("if"), scope);
        if (!block.members.containsKey("then")) {
            problems.add(block.path, "\"if\" needs \"then\" with a list of tasks");
        }
        ScriptScope whenTrue = scope.branch();
        ScriptScope whenFalse = scope.branch();
        if (condition != null) {
            condition
                    .asksForFailure()
                    .ifPresent(asked -> {
                        whenTrue.assume(asked.name(), asked.failed());
                        whenFalse.assume(asked.name(), !asked.failed());
                    });
        }
        List<Step> then = block.steps("then", whenTrue);
        List<Step> otherwise = block.steps("else", whenFalse);
        scope.join(whenTrue, whenFalse);
        return condition == null ? null : new Step.Choice(block.path, condition, then, otherwise);
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
            for (Reference asked : condition.paths()) {
                names.kind(asked, scope);
            }
            condition
                    .flags()
                    .forEach(flag -> {
                        ValueKind kind = names.kind(flag, scope);
                        if (kind != ValueKind.FLAG && kind != ValueKind.UNKNOWN) {
                            throw new InvalidInputException(
                                    "\"%s\" is %s, not true or false: compare it with something"
                                            .formatted(flag.text(), kind.words()));
                        }
                    });
            return condition;
        } catch (InvalidInputException wrong) {
            problems.add(path, wrong);
            return null;
        }
    }

    private @Nullable Step rounds(Block block) {
        block.requireKnown(List.of("repeat", "tasks"));
        if (!block.hasTasks("repeat")) {
            return null;
        }
        int rounds =
                options.count(
                        block.path + ".repeat",
                        block.members.get("repeat"),
                        ScriptBounds.MAX_ROUNDS,
                        1);
        List<Step> steps = block.steps("tasks", block.scope);
        if (rounds > 1) {
            block.lookAgain("in the second round of \"repeat\"", block.scope);
        }
        return new Step.Rounds(block.path, rounds, steps);
    }

    private @Nullable Step whileLoop(Block block) {
        block.requireKnown(List.of("while", StepOptions.AT_MOST, "tasks"));
        ScriptScope scope = block.scope;
        Condition condition = condition(block.path + ".while", block.members.get("while"), scope);
        int atMost = 1;
        if (block.members.containsKey(StepOptions.AT_MOST)) {
            atMost =
                    options.count(
                            block.path + "." + StepOptions.AT_MOST,
                            block.members.get(StepOptions.AT_MOST),
                            ScriptBounds.MAX_ROUNDS,
                            1);
        } else {
            problems.add(
                    block.path,
                    "\"while\" needs \"atMost\", the number of rounds after which it ends in any case");
        }
        if (!block.hasTasks("while")) {
            return null;
        }
        ScriptScope inside = scope.branch();
        List<Step> steps = block.steps("tasks", inside);
        if (atMost > 1) {
            block.lookAgain("in the second round of \"while\"", inside.branch());
        }
        scope.join(scope.branch(), inside);
        return condition == null ? null : new Step.While(block.path, condition, atMost, steps);
    }

    private @Nullable Step parallel(Block block) {
        block.requireKnown(List.of("parallel"));
        String path = block.path + ".parallel";
        if (!(block.members.get("parallel") instanceof List<?> branches)) {
            problems.add(
                    path,
                    "expected a list of branches, each a list of tasks, found "
                            + Found.of(block.members.get("parallel")));
            return null;
        }
        if (branches.size() > ScriptBounds.MAX_BRANCHES) {
            problems.add(
                    path,
                    "%d branches, more than %d"
                            .formatted(branches.size(), ScriptBounds.MAX_BRANCHES));
            return null;
        }
        ScriptScope before = block.scope.branch();
        List<ScriptScope> earlier = new ArrayList<>();
        List<List<Step>> steps = new ArrayList<>();
        for (int i = 0; i < branches.size(); i++) {
            String place = path + "[" + i + "]";
            ScriptScope branch = before.branch();
            steps.add(steps(place, branches.get(i), branch, block.depth + 1));
            block.scope.besides(before, branch, earlier, clash -> problems.add(place, clash));
            earlier.add(branch);
        }
        return new Step.Parallel(block.path, steps);
    }

    /** What goes wrong only later than at the first look says when. */
    void lookAgain(String when, Consumer<StepChecker> look) {
        Problems later = new Problems();
        int written = context.counts().written();
        look.accept(new StepChecker(context, later, new ResultNames(names)));
        context.counts().rewind(written);
        problems.addLater(later, " (" + when + ")");
    }

    /** A block under check. */
    final class Block {
        final String path;
        final Map<String, @Nullable Object> members;
        final ScriptScope scope;
        final int depth;

        private Block(
                String path, Map<String, @Nullable Object> members, ScriptScope scope, int depth) {
            this.path = path;
            this.members = members;
            this.scope = scope;
            this.depth = depth;
        }

        String word() {
            return WORDS.stream().filter(members::containsKey).findFirst().orElse("tasks");
        }

        void requireKnown(List<String> own) {
            List<String> known = new ArrayList<>(own);
            known.add("as");
            known.add(StepOptions.ON_FAILURE);
            problems.requireKnown(path, members.keySet(), known, "name");
        }

        boolean hasTasks(String word) {
            if (!members.containsKey("tasks")) {
                problems.add(path, "\"" + word + "\" needs \"tasks\" with a list of tasks");
                return false;
            }
            return true;
        }

        /**
         * The same block in a round in which a variable has a value.
         *
         * @param found gets what is wrong with it then
         */
        Block with(String variable, @Nullable Object value, Problems found) {
            Map<String, @Nullable Object> filled = new LinkedHashMap<>(members);
            try {
                filled.put("tasks", EachChecker.fill(members.get("tasks"), variable, value));
            } catch (InvalidInputException wrong) {
                found.add(path + ".tasks", wrong);
                filled.put("tasks", List.of());
            }
            StepChecker checker = new StepChecker(context, found, names);
            return checker.new Block(path, filled, scope, depth);
        }

        /** The steps that a member lists; none if there is no such member. */
        List<Step> steps(String name, ScriptScope inside) {
            return members.containsKey(name)
                    ? StepChecker.this.steps(
                            path + "." + name, members.get(name), inside, depth + 1)
                    : List.of();
        }

        void lookAgain(String when, ScriptScope inside) {
            StepChecker.this.lookAgain(
                    when,
                    second ->
                            second.steps(path + ".tasks", members.get("tasks"), inside, depth + 1));
        }
    }
}
