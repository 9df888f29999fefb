package org.starling.compute.script;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

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

    private final Map<String, Presence> graphs;
    private final Map<String, Presence> results;
    private final Set<Path> written;

    private ScriptScope(ScriptScope from) {
        this.graphs = new HashMap<>(from.graphs);
        this.results = new HashMap<>(from.results);
        this.written = new HashSet<>(from.written);
    }

    /** Nothing exists. */
    ScriptScope() {
        this.graphs = new HashMap<>();
        this.results = new HashMap<>();
        this.written = new HashSet<>();
    }

    /** A copy for one branch. */
    ScriptScope branch() {
        return new ScriptScope(this);
    }

    /** Takes over what holds after either of two branches. */
    void join(ScriptScope left, ScriptScope right) {
        join(graphs, left.graphs, right.graphs);
        join(results, left.results, right.results);
        written.addAll(left.written);
        written.addAll(right.written);
    }

    Presence graph(String name) {
        return graphs.getOrDefault(name, Presence.ABSENT);
    }

    void setGraph(String name, Presence presence) {
        graphs.put(name, presence);
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
            Map<String, Presence> into, Map<String, Presence> left, Map<String, Presence> right) {
        Set<String> names = new HashSet<>(left.keySet());
        names.addAll(right.keySet());
        for (String name : names) {
            into.put(
                    name,
                    join(
                            left.getOrDefault(name, Presence.ABSENT),
                            right.getOrDefault(name, Presence.ABSENT)));
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
