package org.starling.compute.script;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What exists at one point of a script, as far as can be told without running it. Confined to the
 * thread that checks.
 */
final class ScriptScope {
    /** What is known about a graph or a result of some name. */
    enum Presence {
        /** Made on every way that leads here. */
        PRESENT,
        /** Made on some ways that lead here, not on others. */
        UNSURE,
        /** Made and dropped again. */
        DROPPED,
        /** Never heard of. */
        ABSENT,
        /** Something is wrong with the task that may make it, which was reported. */
        EXCUSED
    }

    private final Map<String, Presence> graphs = new HashMap<>();
    private final Map<String, Presence> results = new HashMap<>();
    private final Set<Path> written = new HashSet<>();

    /** Graphs that were named since this scope began, and files read. */
    private final Set<String> usedGraphs = new HashSet<>();

    private final Set<String> changedGraphs = new HashSet<>();
    private final Set<Path> read = new HashSet<>();

    /** Graphs whose ids may be texts. */
    private final Set<String> mayHaveTexts = new HashSet<>();

    /** What a step has changed that may have failed, by the name of its results. */
    private final Map<String, Map<String, Outcome>> outcomes = new HashMap<>();

    /** What became of a graph. */
    private record Outcome(Presence wentWell, Presence failed) {}

    /** What is known of graphs that the script has not named. */
    private final Presence otherGraphs;

    private ScriptScope(ScriptScope from) {
        otherGraphs = from.otherGraphs;
        graphs.putAll(from.graphs);
        results.putAll(from.results);
        written.addAll(from.written);
        outcomes.putAll(from.outcomes);
        mayHaveTexts.addAll(from.mayHaveTexts);
    }

    /** Nothing exists but some graphs. */
    ScriptScope(ExistingGraphs existing) {
        otherGraphs = existing.complete() ? Presence.ABSENT : Presence.EXCUSED;
        existing.names().forEach(name -> graphs.put(name, Presence.PRESENT));
        mayHaveTexts.addAll(existing.names());
    }

    /** A copy for one branch. */
    ScriptScope branch() {
        return new ScriptScope(this);
    }

    /** A copy for an included script, which has its own results. */
    ScriptScope included() {
        ScriptScope inner = new ScriptScope(this);
        inner.results.clear();
        inner.outcomes.clear();
        return inner;
    }

    /** Takes over what an included script has changed. */
    void leave(ScriptScope inner) {
        graphs.putAll(inner.graphs);
        takeUses(inner);
    }

    /** Takes over what holds after either of two branches. */
    void join(ScriptScope left, ScriptScope right) {
        join(graphs, left.graphs, right.graphs, otherGraphs);
        join(results, left.results, right.results, Presence.ABSENT);
        takeUses(left);
        takeUses(right);
    }

    /**
     * A step that has changed this scope may have failed instead, and the script went on; then
     * graphs that it made are gone again.
     *
     * @param before as it was
     * @param as name of its results, by which one can ask whether it has failed
     */
    void mayHaveFailed(ScriptScope before, @Nullable String as) {
        Map<String, Outcome> changed = new HashMap<>();
        graphs.forEach((name, now) -> {
            Presence then = before.graph(name);
            if (now != then) {
                changed.put(name, new Outcome(now, then));
            }
        });
        changed.forEach(
                (name, outcome) -> graphs.put(name, join(outcome.wentWell, outcome.failed)));
        Map<String, Presence> certain = new HashMap<>(results);
        results.forEach((name, now) -> certain.put(name, join(now, before.result(name))));
        results.putAll(certain);
        if (as != null) {
            results.put(as, Presence.PRESENT);
            outcomes.put(as, changed);
        }
    }

    /** Here it is known whether a step has failed. */
    void assume(String as, boolean failed) {
        outcomes.getOrDefault(as, Map.of())
                .forEach((name, outcome) -> {
                    if (graph(name) == join(outcome.wentWell, outcome.failed)) {
                        graphs.put(name, failed ? outcome.failed : outcome.wentWell);
                    }
                });
    }

    /** How things are when a block begins again after a failure: what it dropped may be missing. */
    ScriptScope again(ScriptScope after) {
        ScriptScope second = new ScriptScope(this);
        graphs.forEach((name, then) -> {
            if (then == Presence.PRESENT && after.graph(name) != Presence.PRESENT) {
                second.graphs.put(name, Presence.UNSURE);
            }
        });
        return second;
    }

    /**
     * Takes over what a branch has done beside others.
     *
     * @param before as it was when all of them began
     * @param others the branches that were looked at before
     * @param problem hears of what only one of several branches may do
     */
    void besides(
            ScriptScope before,
            ScriptScope branch,
            List<ScriptScope> others,
            Consumer<String> problem) {
        branch.graphs.forEach((name, now) -> {
            if (now != before.graph(name)) {
                graphs.put(name, now);
            }
        });
        results.putAll(branch.results);
        outcomes.putAll(branch.outcomes);
        for (ScriptScope other : others) {
            branch.clashes(before, other, problem);
            other.clashes(before, branch, problem);
        }
        takeUses(branch);
    }

    /** What this branch changes and another one uses or changes. */
    private void clashes(ScriptScope before, ScriptScope other, Consumer<String> problem) {
        for (String name : changedGraphs) {
            if (other.usedGraphs.contains(name) || other.changedGraphs.contains(name)) {
                problem.accept(
                        "graph \"%s\" is made or dropped in one branch and used in another one"
                                .formatted(name));
            }
        }
        Set<Path> own = new HashSet<>(written);
        own.removeAll(before.written);
        for (Path file : own) {
            if (other.read.contains(file) || other.written.contains(file)) {
                problem.accept(
                        "the file %s is written in one branch and used in another one"
                                .formatted(file));
            }
        }
    }

    private void takeUses(ScriptScope inner) {
        written.addAll(inner.written);
        read.addAll(inner.read);
        usedGraphs.addAll(inner.usedGraphs);
        changedGraphs.addAll(inner.changedGraphs);
        mayHaveTexts.addAll(inner.mayHaveTexts);
    }

    Presence graph(String name) {
        return graphs.getOrDefault(name, otherGraphs);
    }

    void setGraph(String name, Presence presence) {
        graphs.put(name, presence);
        changedGraphs.add(name);
    }

    /** The ids of a graph that a task makes may be texts. */
    void addTexts(String graph) {
        mayHaveTexts.add(graph);
    }

    /** Whether the ids of a graph may be texts: the script does not say that they are not. */
    boolean mayHaveTexts(String graph) {
        return mayHaveTexts.contains(graph) || !graphs.containsKey(graph);
    }

    /** A task works on a graph. */
    void use(String graph) {
        usedGraphs.add(graph);
    }

    /** A task reads a file. */
    void addRead(Path file) {
        read.add(file);
    }

    /** Names of graphs that can be used here. */
    Set<String> usableGraphs() {
        return usable(graphs);
    }

    Presence result(String name) {
        return results.getOrDefault(name, Presence.ABSENT);
    }

    void setResult(String name, Presence presence) {
        results.put(name, presence);
    }

    /** Names of results that can be asked for here. */
    Set<String> usableResults() {
        return usable(results);
    }

    void addWritten(Path file) {
        written.add(file);
    }

    /** True if an earlier task may write that file. */
    boolean isWritten(Path file) {
        return written.contains(file);
    }

    private static Set<String> usable(Map<String, Presence> names) {
        Set<String> usable = new TreeSet<>();
        names.forEach((name, presence) -> {
            if (presence == Presence.PRESENT) {
                usable.add(name);
            }
        });
        return usable;
    }

    private static void join(
            Map<String, Presence> into,
            Map<String, Presence> left,
            Map<String, Presence> right,
            Presence otherwise) {
        Set<String> names = new HashSet<>(left.keySet());
        names.addAll(right.keySet());
        for (String name : names) {
            into.put(
                    name,
                    join(left.getOrDefault(name, otherwise), right.getOrDefault(name, otherwise)));
        }
    }

    private static Presence join(Presence left, Presence right) {
        if (left == right) {
            return left;
        }
        if (left == Presence.EXCUSED || right == Presence.EXCUSED) {
            return Presence.EXCUSED;
        }
        boolean gone =
                (left == Presence.DROPPED || left == Presence.ABSENT)
                        && (right == Presence.DROPPED || right == Presence.ABSENT);
        return gone ? Presence.DROPPED : Presence.UNSURE;
    }
}
