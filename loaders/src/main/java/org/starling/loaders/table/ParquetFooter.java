package org.starling.loaders.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a Parquet file says of itself: its columns, and where each row group has their pages.
 * Columns that are lists or structures are known by name, so that they can be left out.
 *
 * @param rows number of rows
 * @param columns top-level columns
 * @param leaves of each column the index of its first chunk in a row group
 * @param groups row groups
 */
record ParquetFooter(
        long rows, List<ColumnFile.Column> columns, List<Integer> leaves, List<Group> groups) {
    /**
     * A row group.
     *
     * @param rows number of its rows
     * @param chunks a chunk for each leaf of the schema
     */
    record Group(long rows, List<Chunk> chunks) {}

    /**
     * Pages of a column in a row group.
     *
     * @param type physical type
     * @param codec how they are packed
     * @param values number of values, missing ones too
     * @param offset where the first page begins
     * @param bytes how long all are
     */
    record Chunk(int type, int codec, long values, long offset, long bytes) {}

    /** A field of the schema, as the footer has it. */
    private static final class Element {
        private int type = -1;
        private int repetition = ParquetLayout.REQUIRED;
        private String name = "";
        private int children;
        private int converted = -1;
        private int logical = -1;
        private int width = Long.SIZE;
        private boolean signed = true;

        boolean isText() {
            return converted == ParquetLayout.UTF8
                    || converted == ParquetLayout.ENUM
                    || converted == ParquetLayout.JSON
                    || logical == ParquetLayout.LOGICAL_STRING;
        }

        boolean isPlainNumber() {
            return (converted < 0
                            || (converted >= ParquetLayout.UINT_8
                                    && converted <= ParquetLayout.INT_64))
                    && (logical < 0 || logical == ParquetLayout.LOGICAL_INTEGER);
        }

        boolean isUnsigned() {
            return logical == ParquetLayout.LOGICAL_INTEGER
                    ? !signed
                    : converted >= ParquetLayout.UINT_8 && converted <= ParquetLayout.UINT_64;
        }

        boolean isNarrow() {
            return logical == ParquetLayout.LOGICAL_INTEGER
                    ? width < Integer.SIZE
                    : converted != ParquetLayout.UINT_32;
        }

        ColumnFile.Column column() {
            boolean nested = children > 0 || repetition == ParquetLayout.REPEATED;
            TableColumn.@Nullable Kind kind = nested ? null : kind();
            return new ColumnFile.Column(
                    name, kind, words(nested), repetition == ParquetLayout.OPTIONAL);
        }

        private TableColumn.@Nullable Kind kind() {
            return switch (type) {
                case ParquetLayout.BOOLEAN -> TableColumn.Kind.BOOLEAN;
                case ParquetLayout.INT32 ->
                        !isPlainNumber()
                                ? null
                                : isUnsigned() && !isNarrow()
                                        ? TableColumn.Kind.LONG
                                        : TableColumn.Kind.INT;
                case ParquetLayout.INT64 ->
                        !isPlainNumber()
                                ? null
                                : isUnsigned() ? TableColumn.Kind.ID : TableColumn.Kind.LONG;
                case ParquetLayout.FLOAT -> TableColumn.Kind.FLOAT;
                case ParquetLayout.DOUBLE -> TableColumn.Kind.DOUBLE;
                case ParquetLayout.BYTE_ARRAY -> isText() ? TableColumn.Kind.STRING : null;
                default -> null;
            };
        }

        private String words(boolean nested) {
            if (nested) {
                return "a list or a structure";
            }
            switch (logical) {
                case ParquetLayout.LOGICAL_NOTHING -> {
                    return "nothing but missing values";
                }
                case ParquetLayout.LOGICAL_DECIMAL -> {
                    return "a decimal number";
                }
                case ParquetLayout.LOGICAL_HALF -> {
                    return "a floating point number of 16 bits";
                }
                default -> {} // the physical type says it
            }
            return switch (type) {
                case ParquetLayout.BOOLEAN -> "boolean";
                case ParquetLayout.INT32, ParquetLayout.INT64 ->
                        isPlainNumber() ? "a whole number" : "a date, a time or a decimal number";
                case ParquetLayout.INT96 -> "a time of 96 bits";
                case ParquetLayout.FLOAT, ParquetLayout.DOUBLE -> "a floating point number";
                case ParquetLayout.BYTE_ARRAY -> isText() ? "a text" : "bytes";
                case ParquetLayout.FIXED_BYTES -> "bytes of one length";
                default -> "of the unknown type " + type;
            };
        }
    }

    /** Reads a footer. */
    static ParquetFooter read(ThriftInput in) {
        List<Element> schema = new ArrayList<>();
        List<Group> groups = new ArrayList<>();
        long[] rows = {-1};
        in.readStruct(field -> {
            switch (field) {
                case 2 -> {
                    int size = in.beginList(ThriftInput.STRUCT);
                    requireAtMost(size, ColumnFile.MAX_COLUMNS, "columns");
                    for (int i = 0; i < size; i++) {
                        schema.add(element(in));
                    }
                }
                case 3 -> rows[0] = in.readLong();
                case 4 -> {
                    int size = in.beginList(ThriftInput.STRUCT);
                    requireAtMost(size, ColumnFile.MAX_GROUPS, "row groups");
                    for (int i = 0; i < size; i++) {
                        groups.add(group(in, schema.size()));
                    }
                }
                default -> {
                    return false;
                }
            }
            return true;
        });
        return checked(rows[0], schema, groups);
    }

    private static void requireAtMost(int size, int most, String what) {
        if (size > most) {
            throw new MalformedTableException(
                    "the file has %d %s; %d are possible".formatted(size, what, most));
        }
    }

    private static ParquetFooter checked(long rows, List<Element> schema, List<Group> groups) {
        List<ColumnFile.Column> columns = new ArrayList<>();
        List<Integer> leaves = new ArrayList<>();
        if (schema.isEmpty() || schema.getFirst().children < 1) {
            throw new MalformedTableException("the footer names no columns");
        }
        int next = 1;
        List<Integer> types = new ArrayList<>();
        for (int column = 0; column < schema.getFirst().children; column++) {
            if (next >= schema.size()) {
                throw new MalformedTableException("the footer names too few columns");
            }
            columns.add(schema.get(next).column());
            leaves.add(types.size());
            int open = 1;
            while (open > 0) {
                if (next >= schema.size()) {
                    throw new MalformedTableException("a structure of the footer does not end");
                }
                Element element = schema.get(next++);
                if (element.children < 0 || element.children > schema.size()) {
                    throw new MalformedTableException(
                            "a structure of the footer has %d fields".formatted(element.children));
                }
                if (element.children == 0) {
                    types.add(element.type);
                }
                open += element.children - 1;
            }
        }
        requireCounts(rows, groups, types);
        return new ParquetFooter(
                rows, List.copyOf(columns), List.copyOf(leaves), List.copyOf(groups));
    }

    private static void requireCounts(long rows, List<Group> groups, List<Integer> types) {
        if (rows < 0 || rows > ColumnFile.MAX_ROWS) {
            throw new MalformedTableException("the footer counts %d rows".formatted(rows));
        }
        long sum = 0;
        for (Group group : groups) {
            if (group.rows < 0 || group.rows > rows - sum) {
                throw new MalformedTableException(
                        "a row group counts %d rows, and the footer %d in all"
                                .formatted(group.rows, rows));
            }
            if (!group.chunks.stream().map(Chunk::type).toList().equals(types)) {
                throw new MalformedTableException(
                        "the columns of a row group are not those of the schema");
            }
            sum += group.rows;
        }
        if (sum != rows) {
            throw new MalformedTableException(
                    "the row groups have %d rows, and the footer counts %d".formatted(sum, rows));
        }
    }

    private static Element element(ThriftInput in) {
        Element element = new Element();
        in.readStruct(field -> {
            switch (field) {
                case 1 -> element.type = in.readInt();
                case 3 -> element.repetition = in.readInt();
                case 4 -> element.name = in.readText();
                case 5 -> element.children = in.readInt();
                case 6 -> element.converted = in.readInt();
                case 10 -> in.readField(which -> logical(in, element, which));
                default -> {
                    return false;
                }
            }
            return true;
        });
        return element;
    }

    private static boolean logical(ThriftInput in, Element element, int which) {
        element.logical = which;
        if (which != ParquetLayout.LOGICAL_INTEGER) {
            return false;
        }
        in.readField(field -> {
            switch (field) {
                case 1 -> element.width = in.readInt();
                case 2 -> element.signed = in.readFlag();
                default -> {
                    return false;
                }
            }
            return true;
        });
        return true;
    }

    private static Group group(ThriftInput in, int elements) {
        List<Chunk> chunks = new ArrayList<>();
        long[] rows = {-1};
        in.readStruct(field -> {
            switch (field) {
                case 1 -> {
                    int size = in.beginList(ThriftInput.STRUCT);
                    if (size >= elements) {
                        throw new MalformedTableException(
                                "a row group has %d columns, and the schema before it %d fields"
                                        .formatted(size, elements));
                    }
                    for (int i = 0; i < size; i++) {
                        chunks.add(chunk(in));
                    }
                }
                case 3 -> rows[0] = in.readLong();
                default -> {
                    return false;
                }
            }
            return true;
        });
        return new Group(rows[0], List.copyOf(chunks));
    }

    private static Chunk chunk(ThriftInput in) {
        int[] type = {-1};
        int[] codec = {-1};
        long[] numbers = {-1, -1, -1, Long.MAX_VALUE}; // values, bytes, first page, dictionary
        in.readStruct(field -> {
            switch (field) {
                case 1 ->
                        throw new MalformedTableException(
                                "a column lies in another file, " + in.readText());
                case 3 ->
                        in.readField(inner -> {
                            switch (inner) {
                                case 1 -> type[0] = in.readInt();
                                case 4 -> codec[0] = in.readInt();
                                case 5 -> numbers[0] = in.readLong();
                                case 7 -> numbers[1] = in.readLong();
                                case 9 -> numbers[2] = in.readLong();
                                case 11 -> numbers[3] = in.readLong();
                                default -> {
                                    return false;
                                }
                            }
                            return true;
                        });
                default -> {
                    return false;
                }
            }
            return true;
        });
        if (type[0] < 0 || codec[0] < 0 || numbers[2] == -1) {
            throw new MalformedTableException("a row group has a column without type or pages");
        }
        long dictionary = numbers[3] > 0 ? numbers[3] : Long.MAX_VALUE;
        return new Chunk(
                type[0], codec[0], numbers[0], Math.min(numbers[2], dictionary), numbers[1]);
    }
}
