package org.starling.loaders.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Reads structures in the compact protocol of Apache Thrift. Every count is checked against the
 * bytes that are there before anything is made of it. Confined to one thread.
 */
final class ThriftInput {
    /** Types of fields and elements. */
    static final int TRUE = 1;

    static final int FALSE = 2;
    static final int BYTE = 3;
    static final int I16 = 4;
    static final int I32 = 5;
    static final int I64 = 6;
    static final int DOUBLE = 7;
    static final int BINARY = 8;
    static final int LIST = 9;
    static final int SET = 10;
    static final int MAP = 11;
    static final int STRUCT = 12;

    /** Ends a structure. */
    static final int STOP = 0;

    /** A list's size that says that a number with the size follows. */
    static final int LONG_LIST = 15;

    private static final int MAX_DEPTH = 32;
    private static final int MAX_TEXT_BYTES = 1 << 16;
    private static final int VARINT_BITS = 7;

    private final MemorySegment bytes;
    private long at;
    private int type;
    private int depth;

    ThriftInput(MemorySegment bytes) {
        this.bytes = bytes;
    }

    /** Takes the fields of a structure. */
    interface Fields {
        /** Takes the field of that number; false if it is to be passed over. */
        boolean take(int field);
    }

    /** How many bytes were read. */
    long position() {
        return at;
    }

    /** Reads a structure that is an element of a list, or the outermost one. */
    void readStruct(Fields fields) {
        descend();
        int field = 0;
        for (int head = next(); head != STOP; head = next()) {
            field = head >>> 4 == 0 ? (int) readZigzag() : field + (head >>> 4);
            int of = head & 0xF;
            type = of;
            if (!fields.take(field)) {
                skip(of);
            }
        }
        depth--;
    }

    /** Reads the structure that a field is. */
    void readField(Fields fields) {
        require(STRUCT);
        readStruct(fields);
    }

    /** The whole number that a field is. */
    long readLong() {
        if (type == BYTE) {
            return (byte) next();
        }
        if (type != I16 && type != I32 && type != I64) {
            throw new MalformedTableException("expected a number, found type " + type);
        }
        return readZigzag();
    }

    /** The same if it has 32 bits. */
    int readInt() {
        long value = readLong();
        if (value != (int) value) {
            throw new MalformedTableException("expected a number of 32 bits, found " + value);
        }
        return (int) value;
    }

    /** The flag that a field is. */
    boolean readFlag() {
        if (type != TRUE && type != FALSE) {
            throw new MalformedTableException("expected true or false, found type " + type);
        }
        return type == TRUE;
    }

    /** The text that a field is. */
    String readText() {
        require(BINARY);
        return text();
    }

    /** Begins the list that a field is; elements follow. */
    int beginList(int element) {
        require(LIST);
        int head = next();
        long size = head >>> 4 == LONG_LIST ? readVarint() : head >>> 4;
        if (size > 0 && (head & 0xF) != element) {
            throw new MalformedTableException(
                    "expected a list of type %d, found %d".formatted(element, head & 0xF));
        }
        requireRoom(size);
        return (int) size;
    }

    private String text() {
        long length = readVarint();
        requireRoom(length);
        if (length > MAX_TEXT_BYTES) {
            throw new MalformedTableException("a name has " + length + " bytes");
        }
        byte[] utf8 = bytes.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
        at += length;
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private void require(int wanted) {
        if (type != wanted) {
            throw new MalformedTableException(
                    "expected a field of type %d, found %d".formatted(wanted, type));
        }
    }

    private void requireRoom(long wanted) {
        if (wanted < 0 || wanted > bytes.byteSize() - at) {
            throw new MalformedTableException(
                    "expected %s more bytes, found %d"
                            .formatted(Long.toUnsignedString(wanted), bytes.byteSize() - at));
        }
    }

    private void descend() {
        if (++depth > MAX_DEPTH) {
            throw new MalformedTableException("structures are nested too deep");
        }
    }

    private void skip(int of) {
        switch (of) {
            case TRUE, FALSE -> {} // the type says it
            case BYTE -> next();
            case I16, I32, I64 -> readVarint();
            case DOUBLE -> skipBytes(Double.BYTES);
            case BINARY -> skipBytes(readVarint());
            case LIST, SET -> skipList();
            case MAP -> skipMap();
            case STRUCT -> readStruct(_ -> false);
            default -> throw new MalformedTableException("there is no type " + of);
        }
    }

    private void skipElement(int of) {
        if (of == TRUE || of == FALSE) {
            next();
        } else {
            skip(of);
        }
    }

    private void skipList() {
        descend();
        int head = next();
        long size = head >>> 4 == LONG_LIST ? readVarint() : head >>> 4;
        requireRoom(size);
        for (long i = 0; i < size; i++) {
            skipElement(head & 0xF);
        }
        depth--;
    }

    private void skipMap() {
        descend();
        long size = readVarint();
        requireRoom(size);
        int types = size == 0 ? 0 : next();
        for (long i = 0; i < size; i++) {
            skipElement(types >>> 4);
            skipElement(types & 0xF);
        }
        depth--;
    }

    private void skipBytes(long count) {
        requireRoom(count);
        at += count;
    }

    private int next() {
        requireRoom(1);
        return bytes.get(ValueLayout.JAVA_BYTE, at++) & 0xFF;
    }

    private long readZigzag() {
        long value = readVarint();
        return value >>> 1 ^ -(value & 1);
    }

    private long readVarint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += VARINT_BITS) {
            int one = next();
            value |= (long) (one & 0x7F) << shift;
            if (one < 0x80) {
                return value;
            }
        }
        throw new MalformedTableException("a number does not end");
    }
}
