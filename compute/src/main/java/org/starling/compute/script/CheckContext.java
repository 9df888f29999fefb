package org.starling.compute.script;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What all that look at one script, or at one that it includes, have in common.
 *
 * @param tasks that scripts can name
 * @param files what the script's names of files stand for
 * @param includes texts of scripts that it includes
 * @param including files of the scripts around it that include it, the outermost first
 * @param counts of the whole script, included ones counted
 */
record CheckContext(
        TaskCatalog tasks,
        ScriptFiles files,
        Includes includes,
        List<Path> including,
        Counts counts) {
    /** Members whose values decide the shape of the script. */
    static final List<String> CONSTANTS =
            List.of(
                    "task",
                    "as",
                    "if",
                    "repeat",
                    "while",
                    "forEach",
                    "include",
                    StepOptions.AT_MOST,
                    StepOptions.ON_FAILURE,
                    StepOptions.TIME_LIMIT);

    /** How much was looked at. */
    static final class Counts {
        private int written;
        private int looked;

        /** Counts a step; false if there were too many. */
        boolean look() {
            return ++looked <= ScriptBounds.MAX_CHECKED_STEPS && written <= ScriptBounds.MAX_TASKS;
        }

        /** Counts a task. */
        void write() {
            written++;
        }

        int written() {
            return written;
        }

        /** Tasks that were looked at again are not written twice. */
        void rewind(int before) {
            written = before;
        }

        void report(Problems problems) {
            if (written > ScriptBounds.MAX_TASKS) {
                problems.add("$.tasks", "more than " + ScriptBounds.MAX_TASKS + " tasks");
            } else if (looked > ScriptBounds.MAX_CHECKED_STEPS) {
                problems.add("$.tasks", "too many loops in loops to be checked");
            }
        }
    }

    /** The same for a script that the one at hand includes. */
    CheckContext inside(Path file, ScriptFiles otherFiles) {
        List<Path> stack = new ArrayList<>(including);
        stack.add(file);
        return new CheckContext(tasks, otherFiles, includes, List.copyOf(stack), counts);
    }
}
