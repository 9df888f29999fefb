package org.starling.compute.script;

/** Largest sizes of what a script may say; each is checked before the work that it bounds. */
final class ScriptBounds {
    /** Bytes of a script's file. */
    static final int MAX_SCRIPT_BYTES = 4 << 20;

    /** Depth of JSON arrays and objects. */
    static final int MAX_JSON_DEPTH = 64;

    /** Depth of {@code if} and {@code repeat}; a repeat's tasks are checked twice per level. */
    static final int MAX_BLOCK_DEPTH = 8;

    /** Tasks written in a script. */
    static final int MAX_TASKS = 10_000;

    /** Rounds of one {@code repeat}. */
    static final int MAX_ROUNDS = 100_000;

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

    private ScriptBounds() {}
}
