package org.starling.compute.columns;

import java.util.Locale;

/**
 * A column of vertices.
 *
 * @param name its name
 * @param kind of its values, or of their elements
 * @param length number of elements of each value; 1 if it is no vector
 */
public record ColumnField(String name, Kind kind, int length) {
    /** What elements are. */
    public enum Kind {
        /** A byte each, 0 or 1. */
        BOOLEAN(Byte.BYTES),
        /** 32-bit integers. */
        INT(Integer.BYTES),
        /** 64-bit integers. */
        LONG(Long.BYTES),
        /** 32-bit floating point numbers. */
        FLOAT(Float.BYTES),
        /** 64-bit floating point numbers. */
        DOUBLE(Double.BYTES),
        /** Ids of vertices, unsigned numbers of 64 bits; some may be absent. */
        VERTEX(Long.BYTES),
        /** UTF-8; where each begins, and where the last one ends, are 32-bit integers. */
        STRING(Integer.BYTES),
        /** Ids of vertices that are texts, which lie as strings do; some may be absent. */
        NAME(Integer.BYTES);

        private final int width;

        Kind(int width) {
            this.width = width;
        }

        /** Bytes of an element. */
        public int width() {
            return width;
        }

        /** Whether elements are texts. */
        public boolean isText() {
            return this == STRING || this == NAME;
        }
    }

    /** Checks the length. */
    public ColumnField {
        if (length < 1 || (kind.isText() && length > 1)) {
            throw new IllegalArgumentException("values of " + length + " elements");
        }
    }

    /** The type of its values as people write it: {@code double}, {@code float[3]}. */
    public String type() {
        Kind written = kind == Kind.NAME ? Kind.VERTEX : kind; // whatever the graph's ids are
        String text = written.name().toLowerCase(Locale.ROOT);
        return length == 1 ? text : text + "[" + length + "]";
    }
}
