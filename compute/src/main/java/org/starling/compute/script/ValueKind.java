package org.starling.compute.script;

import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;

/** What can be told of a value before the run. */
enum ValueKind {
    /** A whole number. */
    INTEGER("a whole number"),
    /** A number. */
    NUMBER("a number"),
    /** A text. */
    TEXT("a text"),
    /** True or false. */
    FLAG("true or false"),
    /** A list of whole numbers. */
    INTEGERS("a list"),
    /** A list of anything else. */
    LIST("a list"),
    /** Values by name. */
    OBJECT("an object"),
    /** Nothing is known. */
    UNKNOWN("a value");

    private final String words;

    ValueKind(String words) {
        this.words = words;
    }

    /** What a signature says of a result. */
    static ValueKind ofResult(String type) {
        return switch (type) {
            case "integer" -> INTEGER;
            case "number" -> NUMBER;
            case "text" -> TEXT;
            case "boolean" -> FLAG;
            case "list of integers" -> INTEGERS;
            case "object" -> OBJECT;
            default -> type.startsWith("list") ? LIST : UNKNOWN;
        };
    }

    /** What the default of a parameter says of its value. */
    static ValueKind ofDefault(String kind) {
        return switch (kind) {
            case "a number" -> NUMBER;
            case "true or false" -> FLAG;
            case "a text" -> TEXT;
            default -> LIST;
        };
    }

    /**
     * What the steps of a path lead to from here.
     *
     * @param first index of the first step that leads further
     * @throws InvalidInputException if there can be nothing
     */
    ValueKind inside(Reference path, int first) {
        if (first >= path.steps().size()) {
            return this;
        }
        Object step = path.steps().get(first);
        return switch (this) {
            case UNKNOWN, OBJECT -> UNKNOWN;
            case LIST, INTEGERS -> {
                if (!(step instanceof Integer)) {
                    throw new InvalidInputException(
                            "\"%s\" leads into a list: expected an index like [0] before \"%s\""
                                    .formatted(path.text(), step));
                }
                yield this == LIST ? UNKNOWN : INTEGER.inside(path, first + 1);
            }
            case INTEGER, NUMBER, TEXT, FLAG ->
                    throw new InvalidInputException(
                            "\"%s\" leads into %s, which has nothing inside"
                                    .formatted(path.text(), words));
        };
    }

    /** Whether it can be a part of a text. */
    boolean isWord() {
        return this != LIST && this != INTEGERS && this != OBJECT;
    }

    /** Whether an argument of that type can take it, as far as is known. */
    boolean fits(Argument.Type type) {
        if (this == UNKNOWN) {
            return true;
        }
        return switch (type) {
            case TEXT, CHOICE, INPUT_FILE, OUTPUT_FILE, CONDITION -> this == TEXT;
            case INPUT_FILES -> this == TEXT || this == LIST;
            case COLUMN_TYPES -> this == OBJECT;
            case INTEGER -> this == INTEGER || this == NUMBER;
            case ID -> this == INTEGER || this == NUMBER || this == TEXT;
            case NUMBER -> this == INTEGER || this == NUMBER;
            case FLAG -> this == FLAG;
            case TEXT_LIST, INPUT_FILE_LIST -> this == LIST;
            case ID_LIST, UNSIGNED_LIST -> this == LIST || this == INTEGERS;
            case PARAMETERS -> this == OBJECT;
            case GRAPH, GRAPH_LIST, NEW_GRAPH, DROPPED_GRAPH, EDGE_SOURCE, PROGRAM -> false;
        };
    }

    /** It, for people. */
    String words() {
        return words;
    }
}
