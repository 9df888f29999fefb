package org.starling.compute.script;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.graph.TaskSignature;

/**
 * What one script calls its results and variables, and what is known of them without running it.
 * Confined to the thread that checks.
 */
final class ResultNames {
    /** Names of the script's parameters, for suggestions. */
    private final Set<String> parameters;

    /** Kinds of parameters that only the run knows, and of variables. */
    private final Map<String, ValueKind> variables = new HashMap<>();

    private final Map<String, Named> results = new LinkedHashMap<>();

    /**
     * What has an {@code as}.
     *
     * @param path tells a second one from a second look at the first
     * @param what it, for people
     * @param kinds kinds of its results by name; null if something is wrong with it
     */
    private record Named(String path, String what, @Nullable Map<String, ValueKind> kinds) {}

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
        requireFree(path, as);
        results.put(as, new Named(path, what, kinds));
    }

    /**
     * A variable that is known from here on, until it is removed.
     *
     * @throws InvalidInputException if something else has that name
     */
    void addVariable(String path, String name) {
        requireFree(path, name);
        if (parameters.contains(name)) {
            throw new InvalidInputException(
                    "a parameter is already called \"" + name + "\"; take another name");
        }
        variables.put(name, ValueKind.UNKNOWN);
    }

    void removeVariable(String name) {
        variables.remove(name);
    }

    private void requireFree(String path, String name) {
        Named other = results.get(name);
        if (other != null && !other.path().equals(path)) {
            throw new InvalidInputException(
                    "the result of %s is already called \"%s\"".formatted(other.path(), name));
        }
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
