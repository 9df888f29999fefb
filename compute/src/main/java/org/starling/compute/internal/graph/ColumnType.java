package org.starling.compute.internal.graph;

import java.nio.ByteBuffer;
import org.starling.graph.PropertyType;
import org.starling.net.NativeMemory;

/**
 * Primitive type of a column. Values travel as 64 bits: integers sign-extended, floating point as
 * raw bits.
 */
public enum ColumnType {
    /** 32-bit integers. */
    INT(4),
    /** 64-bit integers. */
    LONG(8),
    /** 32-bit floating point numbers. */
    FLOAT(4),
    /** 64-bit floating point numbers. */
    DOUBLE(8),
    /** Ordinals of vertices, 64 bits; -1 is none. People read the vertices' ids. */
    VERTEX(8),
    /** False and true, as 0 and 1. */
    BOOLEAN(1),
    /** Codes of strings in the dictionary of their shard ({@link StringsLayout}), 32 bits. */
    STRING(4),
    /**
     * Ids of vertices as programs see them, 64 bits, in a graph whose original ids are texts; -1 is
     * none. People read the texts. Where original ids are numbers they are {@link #LONG}.
     */
    ID(8);

    private final int width;

    ColumnType(int width) {
        this.width = width;
    }

    /** Bytes per value. */
    public int width() {
        return width;
    }

    /** Whether people read ids instead of what is stored. */
    public boolean namesVertices() {
        return this == VERTEX || this == ID;
    }

    /** What jobs see of values; whole numbers where people read ids. */
    public PropertyType shown() {
        return switch (this) {
            case INT -> PropertyType.INT;
            case LONG, VERTEX, ID -> PropertyType.LONG;
            case FLOAT -> PropertyType.FLOAT;
            case DOUBLE -> PropertyType.DOUBLE;
            case BOOLEAN -> PropertyType.BOOLEAN;
            case STRING -> PropertyType.STRING;
        };
    }

    /** Reads the bits of a value of {@code width} bytes: 4, or else 8. */
    public static long load(long address, int width) {
        return width == Integer.BYTES
                ? NativeMemory.getInt(address)
                : NativeMemory.getLong(address);
    }

    /** Writes the bits of a value of {@code width} bytes: 4, or else 8. */
    public static void store(long address, int width, long bits) {
        if (width == Integer.BYTES) {
            NativeMemory.putInt(address, (int) bits);
        } else {
            NativeMemory.putLong(address, bits);
        }
    }

    /** Reads the bits of a value of this type. */
    public long read(long address) {
        return this == BOOLEAN ? NativeMemory.getByte(address) : load(address, width);
    }

    /** Reads the bits of the value at {@code index} of some that stand one behind the other. */
    public long read(ByteBuffer values, int index) {
        return switch (width) {
            case Byte.BYTES -> values.get(index);
            case Integer.BYTES -> values.getInt(index * Integer.BYTES);
            default -> values.getLong(index * Long.BYTES);
        };
    }

    /** Writes the bits of a value of this type. */
    public void write(long address, long bits) {
        if (this == BOOLEAN) {
            NativeMemory.putByte(address, (byte) bits);
        } else {
            store(address, width, bits);
        }
    }

    /** The value as an integer; floating point values are cut. */
    public long asLong(long bits) {
        return switch (this) {
            case BOOLEAN, INT, LONG, VERTEX, ID -> bits;
            case FLOAT -> (long) Float.intBitsToFloat((int) bits);
            case DOUBLE -> (long) Double.longBitsToDouble(bits);
            case STRING -> throw isNoNumber();
        };
    }

    /** The value as a floating point number. */
    public double asDouble(long bits) {
        return switch (this) {
            case BOOLEAN, INT, LONG, VERTEX, ID -> bits;
            case FLOAT -> Float.intBitsToFloat((int) bits);
            case DOUBLE -> Double.longBitsToDouble(bits);
            case STRING -> throw isNoNumber();
        };
    }

    /** The value as people write it. */
    public String format(long bits) {
        return switch (this) {
            case BOOLEAN -> Boolean.toString(bits != 0);
            case INT, LONG, VERTEX, ID -> Long.toString(bits);
            case FLOAT -> Float.toString(Float.intBitsToFloat((int) bits));
            case DOUBLE -> Double.toString(Double.longBitsToDouble(bits));
            case STRING -> throw isNoNumber();
        };
    }

    private static IllegalStateException isNoNumber() {
        return new IllegalStateException("a string is no number");
    }
}
