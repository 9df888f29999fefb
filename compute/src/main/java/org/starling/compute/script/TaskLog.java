package org.starling.compute.script;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last lines that tasks of a script have said. Any thread; guarded by itself. */
public final class TaskLog {
    private final Deque<String> lines = new ArrayDeque<>();

    /** Adds a line, cut if it is long; the oldest one goes when there are too many. */
    public synchronized void add(String line) {
        if (lines.size() == ScriptBounds.MAX_LOG_LINES) {
            lines.removeFirst();
        }
        lines.addLast(
                line.length() <= ScriptBounds.MAX_LOG_CHARACTERS
                        ? line
                        : line.substring(0, ScriptBounds.MAX_LOG_CHARACTERS - 1) + "…");
    }

    /** The lines, the oldest first. */
    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }
}
