package org.starling.loaders.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;

/**
 * The columns of an Arrow file, and where in a record batch each of them has its buffers. Columns
 * of types that are not read are known by name, so that they can be left out.
 *
 * @param columns top-level columns
 * @param layouts of each column
 */
record ArrowSchema(List<ColumnFile.Column> columns, List<Layout> layouts) {
    private static final int MAX_DEPTH = 32;

    /** How values stand in a buffer. */
    enum Shape {
        /** Eight booleans in a byte. */
        BITS(0),
        /** Whole numbers, with and without sign. */
        I8(1),
        U8(1),
        I16(2),
        U16(2),
        I32(4),
        U32(4),
        I64(8),
        /** Floating point numbers, whose bits are taken. */
        F32(4),
        F64(8),
        /** Texts, by ends of 32 bits. */
        TEXT(4),
        /** Texts, by ends of 64 bits. */
        LONG_TEXT(8),
        /** Texts, short ones within 16 bytes. */
        VIEW(16),
        /** Not read. */
        OTHER(0);

        private final int width;

        Shape(int width) {
            this.width = width;
        }

        /** Bytes of a value, or of where it ends. */
        int width() {
            return width;
        }
    }

    /**
     * Where a column is.
     *
     * @param node index of its node
     * @param buffer index of its first buffer, if no column before it has views of texts
     * @param views number of columns before it that have
     * @param index how places in its dictionary stand in its buffer; null if it has none
     * @param dictionary number of the dictionary that its values are in
     */
    record Layout(
            Shape shape, int node, int buffer, int views, @Nullable Shape index, long dictionary) {
        /** Where its places in the dictionary are. */
        Layout indexes() {
            return new Layout(Objects.requireNonNull(index), node, buffer, views, null, 0);
        }

        /** Where the values of its dictionary are, in a batch of their own. */
        Layout values() {
            return new Layout(shape, 0, 0, 0, null, 0);
        }
    }

    /** Counts what has passed while fields are walked through. */
    private static final class Walk {
        private int nodes;
        private int buffers;
        private int views;
        private int fields;

        void pass(@Nullable Field field, int depth) {
            if (field == null || depth > MAX_DEPTH || ++fields > ColumnFile.MAX_COLUMNS) {
                throw new MalformedTableException("the schema has too many fields, or none");
            }
            nodes++;
            if (field.dictionary() != null) {
                buffers += 2;
                return;
            }
            buffers += buffersOf(field.typeType());
            views += isView(field.typeType()) ? 1 : 0;
            for (int i = 0; i < field.childrenLength(); i++) {
                pass(field.children(i), depth + 1);
            }
        }

        private static int buffersOf(byte type) {
            return switch (type) {
                case Type.Null, Type.RunEndEncoded -> 0;
                case Type.Struct_, Type.FixedSizeList -> 1;
                case Type.Binary,
                        Type.Utf8,
                        Type.LargeBinary,
                        Type.LargeUtf8,
                        Type.ListView,
                        Type.LargeListView ->
                        3;
                case Type.Union ->
                        throw new MalformedTableException("a column is a union, which is not read");
                default -> {
                    if (type < Type.Null || type > Type.LargeListView) {
                        throw new MalformedTableException(
                                "a column is of the unknown type " + type);
                    }
                    yield 2;
                }
            };
        }
    }

    private static boolean isView(byte type) {
        return type == Type.Utf8View || type == Type.BinaryView;
    }

    /** Takes a schema as the file has it. */
    static ArrowSchema of(@Nullable Schema schema) {
        if (schema == null || schema.fieldsLength() < 1) {
            throw new MalformedTableException("its schema names no columns");
        }
        if (schema.endianness() != Endianness.Little) {
            throw new MalformedTableException("its numbers are big-endian, which is not read");
        }
        if (schema.fieldsLength() > ColumnFile.MAX_COLUMNS) {
            throw new MalformedTableException(
                    "its schema names %d columns".formatted(schema.fieldsLength()));
        }
        List<ColumnFile.Column> columns = new ArrayList<>();
        List<Layout> layouts = new ArrayList<>();
        Walk walk = new Walk();
        for (int i = 0; i < schema.fieldsLength(); i++) {
            Field field = schema.fields(i);
            if (field == null || field.name() == null) {
                throw new MalformedTableException("a column of its schema has no name");
            }
            DictionaryEncoding words = field.dictionary();
            Shape index = words == null ? null : index(words);
            Shape shape = index == Shape.OTHER ? Shape.OTHER : shape(field);
            long dictionary = words == null ? 0 : words.id();
            layouts.add(new Layout(shape, walk.nodes, walk.buffers, walk.views, index, dictionary));
            walk.pass(field, 0);
            columns.add(
                    new ColumnFile.Column(
                            field.name(), kind(field, shape), words(field, shape), true));
        }
        return new ArrowSchema(List.copyOf(columns), List.copyOf(layouts));
    }

    private static Shape shape(Field field) {
        return switch (field.typeType()) {
            case Type.Bool -> Shape.BITS;
            case Type.Utf8 -> Shape.TEXT;
            case Type.LargeUtf8 -> Shape.LONG_TEXT;
            case Type.Utf8View -> Shape.VIEW;
            case Type.Int -> whole((Int) field.type(new Int()));
            case Type.FloatingPoint -> floating((FloatingPoint) field.type(new FloatingPoint()));
            default -> Shape.OTHER;
        };
    }

    /** They have 32 bits with sign unless something else is said. */
    private static Shape index(DictionaryEncoding words) {
        Int type = words.indexType();
        return type == null ? Shape.I32 : whole(type);
    }

    private static Shape whole(@Nullable Int type) {
        if (type == null) {
            return Shape.OTHER;
        }
        return switch (type.bitWidth()) {
            case Byte.SIZE -> type.isSigned() ? Shape.I8 : Shape.U8;
            case Short.SIZE -> type.isSigned() ? Shape.I16 : Shape.U16;
            case Integer.SIZE -> type.isSigned() ? Shape.I32 : Shape.U32;
            case Long.SIZE -> Shape.I64;
            default -> Shape.OTHER;
        };
    }

    private static Shape floating(@Nullable FloatingPoint type) {
        if (type == null) {
            return Shape.OTHER;
        }
        return switch (type.precision()) {
            case Precision.SINGLE -> Shape.F32;
            case Precision.DOUBLE -> Shape.F64;
            default -> Shape.OTHER;
        };
    }

    private static TableColumn.@Nullable Kind kind(Field field, Shape shape) {
        return switch (shape) {
            case BITS -> TableColumn.Kind.BOOLEAN;
            case I8, U8, I16, U16, I32 -> TableColumn.Kind.INT;
            case U32 -> TableColumn.Kind.LONG;
            case I64 ->
                    field.type(new Int()) instanceof Int type && type.isSigned()
                            ? TableColumn.Kind.LONG
                            : TableColumn.Kind.ID;
            case F32 -> TableColumn.Kind.FLOAT;
            case F64 -> TableColumn.Kind.DOUBLE;
            case TEXT, LONG_TEXT, VIEW -> TableColumn.Kind.STRING;
            case OTHER -> null;
        };
    }

    private static String words(Field field, Shape shape) {
        return switch (shape) {
            case BITS -> "boolean";
            case I8, U8, I16, U16, I32, U32, I64 -> "a whole number";
            case F32, F64 -> "a floating point number";
            case TEXT, LONG_TEXT, VIEW -> "a text";
            case OTHER ->
                    switch (field.typeType()) {
                        case Type.Null -> "nothing but missing values";
                        case Type.Decimal -> "a decimal number";
                        case Type.FloatingPoint -> "a floating point number of 16 bits";
                        default -> "of type " + Type.name(field.typeType());
                    };
        };
    }
}
