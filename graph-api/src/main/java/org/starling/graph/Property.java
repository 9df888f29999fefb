package org.starling.graph;

/**
 * A property that all vertices, or all edges, of a graph have: a typed column.
 *
 * @param name its name, 1 to 128 characters
 * @param type of its elements
 * @param length number of elements that each vertex or edge has; more than 1 for vectors
 */
public record Property(String name, PropertyType type, int length) {
    /** The longest string that a vertex or an edge can have, in bytes of UTF-8. */
    public static final int MAX_STRING_BYTES = 4096;

    /**
     * Checks name and length: strings have no vectors.
     *
     * @throws InvalidInputException if no column can have them
     */
    public Property {
        KeptName.requireColumn(name);
        if (length < 1 || length > Declaration.MAX_VECTOR_LENGTH) {
            throw new InvalidInputException(
                    "column \"%s\" has vectors of %d elements; from 1 to %d are possible"
                            .formatted(name, length, Declaration.MAX_VECTOR_LENGTH));
        }
        if (type == PropertyType.STRING && length > 1) {
            throw new InvalidInputException(
                    "column \"%s\" has vectors of strings; there are vectors of numbers and booleans alone"
                            .formatted(name));
        }
    }

    /** A property of one element. */
    public static Property of(String name, PropertyType type) {
        return new Property(name, type, 1);
    }

    /** The type as files and people write it: {@code float}, or {@code float[3]} for vectors. */
    public String typeName() {
        return length == 1 ? type.toString() : type + "[" + length + "]";
    }
}
