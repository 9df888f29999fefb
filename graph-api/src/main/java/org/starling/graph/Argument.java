package org.starling.graph;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An argument of a task.
 *
 * @param name its name in the script
 * @param type what may be written there
 * @param summary one sentence or less
 * @param required whether a script must give it
 * @param otherwise value when the script gives none; null if it is then simply missing
 * @param choices allowed texts of a {@link Type#CHOICE}; empty otherwise
 */
public record Argument(
        String name,
        Type type,
        String summary,
        boolean required,
        @Nullable Object otherwise,
        List<String> choices) {
    /** What an argument may be. */
    public enum Type {
        /** Any text. */
        TEXT,
        /** A list of texts. */
        TEXT_LIST,
        /** A 64-bit signed integer. */
        INTEGER,
        /**
         * An original id: a 64-bit unsigned integer, a JSON number or a text, decimal or with
         * {@code 0x}; of a graph whose ids are texts, a text. Parameters carry it as a {@code
         * long}, which stands for the text in a task's {@link Type#GRAPH}.
         */
        ID,
        /**
         * A list of 64-bit unsigned integers, each a JSON number or a text, decimal or with {@code
         * 0x}.
         */
        UNSIGNED_LIST,
        /** A list of original ids, each as an {@link #ID}. */
        ID_LIST,
        /** A number. */
        NUMBER,
        /** True or false. */
        FLAG,
        /** One of a few texts. */
        CHOICE,
        /** Name of a graph that an earlier task makes. */
        GRAPH,
        /** A list of names of graphs that earlier tasks make. */
        GRAPH_LIST,
        /** Name of a graph that this task makes. */
        NEW_GRAPH,
        /** Name of a graph that an earlier task makes and that is gone after this one. */
        DROPPED_GRAPH,
        /** A file to read. */
        INPUT_FILE,
        /** A list of files to read. */
        INPUT_FILE_LIST,
        /**
         * Files to read: a name, a pattern with {@code *} and {@code ?} in its last part, a folder
         * of part files, or a list of these. Parameters carry a list of texts; {@link
         * TaskContext#inputFiles} finds the files.
         */
        INPUT_FILES,
        /**
         * Types of columns: an object of names and texts. Parameters carry a list of texts, {@code
         * name:type} each.
         */
        COLUMN_TYPES,
        /** A file to write. */
        OUTPUT_FILE,
        /**
         * A condition on columns, such as {@code age > 30 and not alive}; see {@link
         * GraphSession#project}. Parameters carry it as a text.
         */
        CONDITION,
        /** Name of an {@link EdgeSourceProvider} that a jar of the job brings. */
        EDGE_SOURCE,
        /** Name of a program that a {@link ProgramProvider} of the job's jars declares. */
        PROGRAM,
        /**
         * Named values: an object of texts, numbers, flags and lists of these. Task code reads it
         * by {@link Parameters#nested}.
         */
        PARAMETERS
    }

    /** Copies the list. */
    public Argument {
        choices = List.copyOf(choices);
    }

    /** An argument that a script must give. */
    public static Argument required(String name, Type type, String summary) {
        return new Argument(name, type, summary, true, null, List.of());
    }

    /** An argument that may be missing. */
    public static Argument optional(String name, Type type, String summary) {
        return new Argument(name, type, summary, false, null, List.of());
    }

    /** An argument with a default. */
    public static Argument optional(String name, Type type, String summary, Object otherwise) {
        return new Argument(name, type, summary, false, otherwise, List.of());
    }

    /** A flag, false when the script does not give it. */
    public static Argument flag(String name, String summary) {
        return optional(name, Type.FLAG, summary, false);
    }

    /** An integer with a default. */
    public static Argument integer(String name, String summary, long otherwise) {
        return optional(name, Type.INTEGER, summary, otherwise);
    }

    /** One of a few texts, which a script must give. */
    public static Argument requiredChoice(String name, String summary, String... choices) {
        return new Argument(name, Type.CHOICE, summary, true, null, List.of(choices));
    }

    /** One of a few texts; the first is the default. */
    public static Argument choice(String name, String summary, String... choices) {
        return new Argument(name, Type.CHOICE, summary, false, choices[0], List.of(choices));
    }
}
