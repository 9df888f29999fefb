package org.starling.graph;

import java.util.Locale;

/** Type of a property of vertices or edges. Files name it in lower case. */
public enum PropertyType {
    /** True or false. */
    BOOLEAN,
    /** A whole number of 32 bits. */
    INT,
    /** A whole number of 64 bits. */
    LONG,
    /** A floating point number of 32 bits. */
    FLOAT,
    /** A floating point number of 64 bits. */
    DOUBLE,
    /** A text of Unicode characters; a vertex that has none has an empty one. */
    STRING;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
