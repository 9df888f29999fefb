package org.starling.compute.script;

import java.time.Duration;

/** Largest sizes of what a script may say; each is checked before the work that it bounds. */
final class ScriptBounds {
    /** Bytes of a script's file. */
    static final int MAX_SCRIPT_BYTES = 4 << 20;

    /** Depth of JSON arrays and objects. */
    static final int MAX_JSON_DEPTH = 64;

    /** Depth of blocks, included scripts counted; a loop's tasks are checked twice per level. */
    static final int MAX_BLOCK_DEPTH = 8;

    /** Depth of {@code not} and parentheses in a condition. */
    static final int MAX_CONDITION_DEPTH = 32;

    /** Steps that the check looks at, those of loops again and again. */
    static final int MAX_CHECKED_STEPS = 4_000_000;

    /** Tasks written in a script. */
    static final int MAX_TASKS = 10_000;

    /** Rounds of one {@code repeat}, {@code while} or {@code forEach}. */
    static final int MAX_ROUNDS = 100_000;

    /** Elements of a result that {@code forEach} goes over where the script does not say more. */
    static final int USUAL_ROUNDS = 1_000;

    /** Times that a task or block is tried again. */
    static final int MAX_RETRIES = 100;

    /** Branches of one {@code parallel}. */
    static final int MAX_BRANCHES = 100;

    /** Different files that a script includes, those of included scripts counted. */
    static final int MAX_INCLUDED_FILES = 100;

    /** Longest time limit of a task. */
    static final Duration MAX_TIME_LIMIT = Duration.ofDays(30);

    /** Tasks run in all, whichever branches are taken: each leaves a line in the report. */
    static final int MAX_TASK_RUNS = 100_000;

    /** UTF-8 bytes of the name of a graph, as for every name in the store. */
    static final int MAX_NAME_BYTES = 255;

    /** Elements of a list argument. */
    static final int MAX_LIST_ELEMENTS = 100_000;

    /** Characters that a name may have to get a suggestion; longer ones are not compared. */
    static final int MAX_COMPARED_CHARACTERS = 255;

    /** Files of a folder that are looked at for a suggestion. */
    static final int MAX_COMPARED_FILES = 1_000;

    /** Characters of a user's text that an error message repeats. */
    static final int MAX_QUOTED_CHARACTERS = 80;

    /** Lines of tasks' logs that are kept, the latest ones. */
    static final int MAX_LOG_LINES = 100;

    /** Characters of such a line; longer ones are cut. */
    static final int MAX_LOG_CHARACTERS = 500;

    /** Most files that a pattern or a folder stands for. */
    static final int MAX_INPUT_FILES = 10_000;

    private ScriptBounds() {}
}
