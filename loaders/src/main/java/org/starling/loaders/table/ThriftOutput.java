package org.starling.loaders.table;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes structures in the compact protocol of Apache Thrift, as Parquet's footers and page headers
 * are. Fields are written in ascending order. Confined to one thread.
 */
final class ThriftOutput {
    private final ByteOutput out;
    private final Deque<Integer> outer = new ArrayDeque<>();
    private int last;

    ThriftOutput(ByteOutput out) {
        this.out = out;
    }

    void putByte(int field, int value) {
        begin(field, ThriftInput.BYTE);
        out.putByte(value);
    }

    void putFlag(int field, boolean value) {
        begin(field, value ? ThriftInput.TRUE : ThriftInput.FALSE);
    }

    void putInt(int field, int value) {
        begin(field, ThriftInput.I32);
        out.putVarint(zigzag(value));
    }

    void putLong(int field, long value) {
        begin(field, ThriftInput.I64);
        out.putVarint(zigzag(value));
    }

    void putText(int field, String text) {
        begin(field, ThriftInput.BINARY);
        putElement(text);
    }

    /** Begins a list; so many elements follow. */
    void beginList(int field, int type, int size) {
        begin(field, ThriftInput.LIST);
        if (size < ThriftInput.LONG_LIST) {
            out.putByte(size << 4 | type);
        } else {
            out.putByte(ThriftInput.LONG_LIST << 4 | type);
            out.putVarint(size);
        }
    }

    /** An element of a list. */
    void putElement(int value) {
        out.putVarint(zigzag(value));
    }

    /** An element of a list. */
    void putElement(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.putVarint(utf8.length);
        out.put(utf8, 0, utf8.length);
    }

    /** Begins a structure that is a field. */
    void beginStruct(int field) {
        begin(field, ThriftInput.STRUCT);
        beginElement();
    }

    /** Begins a structure that is an element of a list. */
    void beginElement() {
        outer.push(last);
        last = 0;
    }

    /** Ends a structure that is within another one. */
    void endStruct() {
        out.putByte(ThriftInput.STOP);
        last = outer.pop();
    }

    /** Ends the outermost structure. */
    void end() {
        out.putByte(ThriftInput.STOP);
        last = 0;
    }

    private void begin(int field, int type) {
        out.putByte((field - last) << 4 | type);
        last = field;
    }

    private static long zigzag(long value) {
        return value << 1 ^ value >> (Long.SIZE - 1);
    }
}
