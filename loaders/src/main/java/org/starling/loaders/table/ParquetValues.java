package org.starling.loaders.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Values of a page that are there, one after the other. Confined to one thread. */
interface ParquetValues {
    /** Integers in byte arrays. */
    VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Long ones. */
    VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Puts the next value into a column of a batch. */
    void next(TableBatch batch, int index);

    /** An integer in a byte array. */
    static int intAt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    /** Values as they are. */
    static ParquetValues plain(TableColumn column, int type, byte[] bytes, int begin) {
        return switch (column.kind()) {
            case BOOLEAN -> new Bits(bytes, begin);
            case STRING -> new Texts(bytes, begin);
            case INT, LONG, ID, FLOAT, DOUBLE ->
                    new Numbers(
                            bytes,
                            begin,
                            type == ParquetLayout.INT32 || type == ParquetLayout.FLOAT,
                            column.kind() == TableColumn.Kind.LONG);
        };
    }

    /** Values of a dictionary, by their indexes. */
    static ParquetValues indexed(TableBatch dictionary, byte[] bytes, int begin) {
        if (begin >= bytes.length) {
            throw ended();
        }
        return new Indexed(
                dictionary, new ParquetRuns(bytes, begin + 1, bytes.length, bytes[begin]));
    }

    /** Booleans in runs. */
    static ParquetValues runs(byte[] bytes, int begin) {
        if (bytes.length - begin < Integer.BYTES) {
            throw ended();
        }
        return new Runs(new ParquetRuns(bytes, begin + Integer.BYTES, bytes.length, 1));
    }

    /** Whole numbers by the differences between them; so many at most. */
    static ParquetValues deltas(TableColumn column, int type, byte[] bytes, int begin, long most) {
        return new Deltas(
                new ParquetDeltas(bytes, begin, most),
                type == ParquetLayout.INT32,
                column.kind() == TableColumn.Kind.LONG);
    }

    /**
     * Numbers of which all first bytes stand together, then all second ones (BYTE_STREAM_SPLIT).
     */
    static ParquetValues split(TableColumn column, int type, byte[] bytes, int begin) {
        int width =
                type == ParquetLayout.INT32 || type == ParquetLayout.FLOAT
                        ? Integer.BYTES
                        : Long.BYTES;
        int count = (bytes.length - begin) / width;
        byte[] joined = new byte[count * width];
        for (int i = 0; i < joined.length; i++) {
            joined[i] = bytes[begin + i % width * count + i / width];
        }
        return plain(column, type, joined, 0);
    }

    /** There are fewer values than there should be. */
    static MalformedTableException ended() {
        return new MalformedTableException("a page ends before its values do");
    }

    /** Booleans, eight in a byte. */
    final class Bits implements ParquetValues {
        private final byte[] bytes;
        private long bit;

        Bits(byte[] bytes, int begin) {
            this.bytes = bytes;
            this.bit = (long) begin * Byte.SIZE;
        }

        @Override
        public void next(TableBatch batch, int index) {
            int at = (int) (bit >>> 3);
            if (at >= bytes.length) {
                throw ended();
            }
            batch.putLong(index, bytes[at] >>> (bit++ & 7) & 1);
        }
    }

    /** Numbers of 32 or 64 bits. */
    final class Numbers implements ParquetValues {
        private final byte[] bytes;
        private final boolean isNarrow;
        private final boolean isUnsigned;
        private int at;

        Numbers(byte[] bytes, int begin, boolean isNarrow, boolean isUnsigned) {
            this.bytes = bytes;
            this.at = begin;
            this.isNarrow = isNarrow;
            this.isUnsigned = isUnsigned;
        }

        @Override
        public void next(TableBatch batch, int index) {
            int width = isNarrow ? Integer.BYTES : Long.BYTES;
            if (bytes.length - at < width) {
                throw ended();
            }
            if (isNarrow) {
                int value = intAt(bytes, at);
                batch.putLong(index, isUnsigned ? value & 0xFFFF_FFFFL : value);
            } else {
                batch.putLong(index, (long) LONG.get(bytes, at));
            }
            at += width;
        }
    }

    /** Whole numbers by the differences between them. */
    final class Deltas implements ParquetValues {
        private final ParquetDeltas deltas;
        private final boolean isNarrow;
        private final boolean isUnsigned;

        Deltas(ParquetDeltas deltas, boolean isNarrow, boolean isUnsigned) {
            this.deltas = deltas;
            this.isNarrow = isNarrow;
            this.isUnsigned = isUnsigned;
        }

        @Override
        public void next(TableBatch batch, int index) {
            long value = deltas.next();
            if (isNarrow) { // differences of 32 bits go round
                value = isUnsigned ? value & 0xFFFF_FFFFL : (int) value;
            }
            batch.putLong(index, value);
        }
    }

    /** Texts, each behind its length. */
    final class Texts implements ParquetValues {
        private final byte[] bytes;
        private int at;

        Texts(byte[] bytes, int begin) {
            this.bytes = bytes;
            this.at = begin;
        }

        @Override
        public void next(TableBatch batch, int index) {
            if (bytes.length - at < Integer.BYTES) {
                throw ended();
            }
            int length = intAt(bytes, at);
            at += Integer.BYTES;
            if (length < 0 || length > bytes.length - at) {
                throw new MalformedTableException(
                        "a text of %d bytes goes beyond its page".formatted(length));
            }
            batch.putText(index, bytes, at, length);
            at += length;
        }
    }

    /** Values that stand in a dictionary. */
    final class Indexed implements ParquetValues {
        private final TableBatch dictionary;
        private final ParquetRuns indexes;
        private final boolean isText;

        Indexed(TableBatch dictionary, ParquetRuns indexes) {
            this.dictionary = dictionary;
            this.indexes = indexes;
            this.isText = dictionary.columns().getFirst().kind() == TableColumn.Kind.STRING;
        }

        @Override
        public void next(TableBatch batch, int index) {
            int word = indexes.next();
            if (word < 0 || word >= dictionary.elements(0)) {
                throw new MalformedTableException(
                        "the value at %d of a dictionary of %d is asked for"
                                .formatted(word & 0xFFFF_FFFFL, dictionary.elements(0)));
            }
            if (isText) {
                int begin = dictionary.textBegin(0, word);
                batch.putText(
                        index, dictionary.texts(0), begin, dictionary.textEnd(0, word) - begin);
            } else {
                batch.putLong(index, dictionary.bits(0, word));
            }
        }
    }

    /** Booleans in runs. */
    final class Runs implements ParquetValues {
        private final ParquetRuns runs;

        Runs(ParquetRuns runs) {
            this.runs = runs;
        }

        @Override
        public void next(TableBatch batch, int index) {
            batch.putLong(index, runs.next());
        }
    }
}
