package org.starling.compute.script;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.graph.TaskSignature;

/**
 * What one script calls its results and variables, and what is known of them without running it.
 * Confined to the thread that checks.
 *
 * <p>A name is taken once, except that a task in a loop may take that of an earlier one of its kind
 * before the loop: so a round can change what the condition of {@code while} asks. No branch of a
 * {@code parallel} does that to a name from outside, which its neighbours would see.
 */
final class ResultNames {
    /** The innermost branch of a {@code parallel} that something is in. */
    private static final Pattern BRANCH = Pattern.compile(".*\\.parallel\\[\\d+]");

    /** Names of the script's parameters, for suggestions. */
    private final Set<String> parameters;

    /** Kinds of parameters that only the run knows, and of variables. */
    private final Map<String, ValueKind> variables = new HashMap<>();

    private final Map<String, Named> results = new LinkedHashMap<>();

    /** Paths of the loops around what is looked at, the innermost last. */
    private final Deque<String> loops = new ArrayDeque<>();

    /**
     * What has an {@code as}.
     *
     * @param paths of all that has it, which tell another one from a second look; the latest last
     * @param what it, for people
     * @param kinds kinds of its results by name; null if something is wrong with it
     * @param mayFail whether the script goes on if it fails
     */
    private record Named(
            List<String> paths,
            String what,
            @Nullable Map<String, ValueKind> kinds,
            boolean mayFail) {
        /** True if whoever reads the results of one can read those of the other. */
        boolean isLike(Named other) {
            boolean isSame = kinds == null || other.kinds == null || kinds.equals(other.kinds);
            return what.equals(other.what) && isSame && !mayFail && !other.mayFail;
        }

        Named and(Named later) {
            List<String> all = new ArrayList<>(paths);
            all.removeAll(later.paths);
            all.addAll(later.paths);
            return new Named(List.copyOf(all), what, later.kinds, mayFail);
        }
    }

    ResultNames(ScriptParameters parameters) {
        this.parameters = parameters.names();
        parameters
                .open()
                .forEach((name, open) -> variables.put(name, ValueKind.ofDefault(open.kind())));
    }

    /** A copy for a second look whose findings are not kept. */
    ResultNames(ResultNames from) {
        parameters = from.parameters;
        variables.putAll(from.variables);
        results.putAll(from.results);
        loops.addAll(from.loops);
    }

    /** What comes now is in a loop, until its end. */
    void beginLoop(String path) {
        loops.addLast(path);
    }

    void endLoop() {
        loops.removeLast();
    }

    /**
     * Names results of a task.
     *
     * @param signature of the task; null if something is wrong with it
     * @param mayFail whether the script goes on if it fails
     * @throws InvalidInputException if something else has that name
     */
    void add(String path, String as, @Nullable TaskSignature signature, boolean mayFail) {
        Map<String, ValueKind> kinds = new LinkedHashMap<>();
        String what = "the task";
        if (signature != null) {
            what = "task \"" + signature.name() + "\"";
            signature
                    .results()
                    .forEach(result -> kinds.put(result.name(), ValueKind.ofResult(result.type())));
        }
        add(path, as, what, signature == null ? null : kinds, mayFail);
    }

    /** Names results of an included script; those of its tasks are inside. */
    void add(String path, String as, ResultNames included, boolean mayFail) {
        Map<String, ValueKind> kinds = new LinkedHashMap<>();
        included.results.keySet().forEach(name -> kinds.put(name, ValueKind.OBJECT));
        add(path, as, "the included script", kinds, mayFail);
    }

    /** Names a block, of which nothing is known but whether it has failed. */
    void add(String path, String as, String word, FailureRule rule) {
        add(path, as, "the block \"" + word + "\"", new LinkedHashMap<>(), rule.goesOn());
    }

    private void add(
            String path,
            String as,
            String what,
            @Nullable Map<String, ValueKind> kinds,
            boolean mayFail) {
        if (kinds != null && mayFail) {
            kinds.put(FailureRule.FAILED, ValueKind.FLAG);
            kinds.put(FailureRule.ERROR, ValueKind.TEXT);
        }
        Named named = new Named(List.of(path), what, kinds, mayFail);
        Named earlier = results.get(as);
        if (earlier == null || earlier.paths().contains(path)) {
            requireNoVariable(as);
        } else if (!isAgain(path, earlier.paths())) {
            throw taken(as, earlier, "");
        } else if (!earlier.isLike(named)) {
            throw taken(
                    as,
                    earlier,
                    "; a loop takes a name again for the same task alone, and not for one that may fail");
        }
        results.put(as, earlier == null ? named : earlier.and(named));
    }

    /**
     * True if a loop around a task begins behind all others that have its name, and no branch of a
     * {@code parallel} around it leaves one of them outside.
     */
    private boolean isAgain(String path, List<String> others) {
        Matcher branches = BRANCH.matcher(path);
        String branch = branches.find() ? branches.group() : "";
        return others.stream().allMatch(other -> other.startsWith(branch))
                && loops.stream()
                        .filter(loop -> loop.startsWith(branch))
                        .anyMatch(loop ->
                                others.stream().noneMatch(other -> other.startsWith(loop + ".")));
    }

    /**
     * A variable that is known from here on, until it is removed.
     *
     * @throws InvalidInputException if something else has that name
     */
    void addVariable(String path, String name) {
        Named other = results.get(name);
        if (other != null && !other.paths().contains(path)) {
            throw taken(name, other, "");
        }
        requireNoVariable(name);
        if (parameters.contains(name)) {
            throw new InvalidInputException(
                    "a parameter is already called \"" + name + "\"; take another name");
        }
        variables.put(name, ValueKind.UNKNOWN);
    }

    void removeVariable(String name) {
        variables.remove(name);
    }

    private static InvalidInputException taken(String name, Named by, String why) {
        return new InvalidInputException(
                "the result of %s is already called \"%s\"%s"
                        .formatted(by.paths().getLast(), name, why));
    }

    private void requireNoVariable(String name) {
        if (variables.containsKey(name)) {
            throw new InvalidInputException(
                    "a variable or parameter is already called \"" + name + "\"");
        }
    }

    /**
     * What a path leads to, as far as is known.
     *
     * @throws InvalidInputException if it leads nowhere
     */
    ValueKind kind(Reference path, ScriptScope scope) {
        ValueKind variable = variables.get(path.name());
        if (variable != null) {
            return variable.inside(path, 0);
        }
        requirePresent(path, scope);
        Named named = results.get(path.name());
        if (named == null || named.kinds() == null) {
            return ValueKind.UNKNOWN;
        }
        if (path.steps().isEmpty()) {
            return ValueKind.OBJECT;
        }
        if (!(path.steps().getFirst() instanceof String result)) {
            throw new InvalidInputException(
                    "expected the name of a result behind \"%s\"%s"
                            .formatted(path.name(), NearestName.hint("", named.kinds().keySet())));
        }
        ValueKind kind = named.kinds().get(result);
        if (kind == null) {
            throw new InvalidInputException(
                    "%s has no result \"%s\"%s"
                            .formatted(
                                    named.what(),
                                    result,
                                    NearestName.hint(result, named.kinds().keySet())));
        }
        return kind.inside(path, 1);
    }

    private void requirePresent(Reference path, ScriptScope scope) {
        String name = path.name();
        switch (scope.result(name)) {
            case PRESENT, EXCUSED -> {}
            case UNSURE ->
                    throw new InvalidInputException(
                            "result \"%s\" may be missing here: it depends on an earlier \"if\", \"while\", \"forEach\" or \"onFailure\""
                                    .formatted(name));
            case DROPPED, ABSENT -> {
                boolean isPath = !path.steps().isEmpty();
                Collection<String> near = new TreeSet<>(variables.keySet());
                near.addAll(isPath ? scope.usableResults() : parameters);
                throw new InvalidInputException(
                        "no %s \"%s\"%s"
                                .formatted(
                                        isPath ? "earlier task has \"as\":" : "parameter",
                                        name,
                                        NearestName.hint(name, near)));
            }
        }
    }
}
