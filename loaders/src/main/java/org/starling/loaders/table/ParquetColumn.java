package org.starling.loaders.table;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of one column of a row group, page by page: one page, and the dictionary, are in
 * memory. Confined to one thread.
 */
final class ParquetColumn {
    /** The most bytes of a page, unpacked. */
    static final int MAX_PAGE_BYTES = 128 << 20;

    /** How much larger than packed a page may be, but for {@link #FREE_BYTES}. */
    private static final int MAX_RATIO = 1000;

    private static final int FREE_BYTES = 1 << 20;

    /** What a word of a dictionary takes, but for its text, while its room is doubled. */
    private static final long MAX_WORD_BYTES = 3 * Long.BYTES;

    private final MappedBytes bytes;
    private final TableColumn column;
    private final ParquetFooter.Chunk chunk;
    private final ParquetCodec codec;
    private final UnpackedBytes unpacked;
    private final long end;
    private long at;
    private long valuesLeft;
    private @Nullable TableBatch dictionary;
    private @Nullable ParquetPage page;
    private long pageBytes;

    /** What the header of a page says. */
    private static final class Header {
        private int kind = -1;
        private int plainBytes = -1;
        private int packedBytes = -1;
        private int values = -1;
        private int encoding = -1;
        private int levelEncoding = ParquetLayout.RLE;
        private int definitionBytes;
        private int repetitionBytes;
        private boolean packed = true;
    }

    ParquetColumn(
            MappedBytes bytes,
            TableColumn column,
            ParquetFooter.Chunk chunk,
            UnpackedBytes unpacked) {
        this.bytes = bytes;
        this.column = column;
        this.chunk = chunk;
        this.unpacked = unpacked;
        this.codec =
                ParquetCodec.of(chunk.codec())
                        .orElseThrow(() ->
                                new MalformedTableException(
                                        "column \"%s\" is packed with %s, which is not read; Snappy, gzip, zstd and LZ4 are"
                                                .formatted(
                                                        column.name(),
                                                        ParquetCodec.title(chunk.codec()))));
        bytes.slice(chunk.offset(), chunk.bytes());
        this.at = chunk.offset();
        this.end = at + chunk.bytes();
        this.valuesLeft = chunk.values();
    }

    /** Puts the next value, which must be there, into a batch. */
    void next(TableBatch batch, int index) {
        ParquetPage from = page;
        while (from == null || from.isEmpty()) {
            from = nextPage();
            page = from;
        }
        from.next(batch, index);
    }

    /** Throws if there are more values than the row group has rows. */
    void requireEnd() {
        ParquetPage last = page;
        if (valuesLeft != 0 || (last != null && !last.isEmpty())) {
            throw complaint("has more values than its row group has rows");
        }
    }

    private ParquetPage nextPage() {
        page = null;
        holdPage(0);
        while (at < end) {
            ThriftInput in = new ThriftInput(bytes.slice(at, end - at));
            Header header = header(in);
            at += in.position();
            if (header.packedBytes < 0 || header.packedBytes > end - at) {
                throw complaint("has a page that goes beyond its end");
            }
            requirePossible(header);
            holdPage(header.plainBytes);
            byte[] packed = bytes.copy(at, header.packedBytes);
            at += header.packedBytes;
            switch (header.kind) {
                case ParquetLayout.DICTIONARY_PAGE -> takeDictionary(header, packed);
                case ParquetLayout.DATA_PAGE -> {
                    return page(header, codec.unpack(packed, header.plainBytes));
                }
                case ParquetLayout.DATA_PAGE_2 -> {
                    return page2(header, packed);
                }
                case ParquetLayout.INDEX_PAGE -> {} // says nothing that is wanted
                default -> throw complaint("has a page of the unknown kind " + header.kind);
            }
        }
        throw complaint("has fewer values than its row group has rows");
    }

    private void requirePossible(Header header) {
        long most = Math.max(FREE_BYTES, (long) header.packedBytes * MAX_RATIO);
        if (header.plainBytes < 0
                || header.plainBytes > Math.min(most, MAX_PAGE_BYTES)
                || (codec == ParquetCodec.NONE && header.plainBytes != header.packedBytes)) {
            throw complaint(
                    "has a page of %d bytes that should unpack to %d"
                            .formatted(header.packedBytes, header.plainBytes));
        }
    }

    /** Gives back what the page before took. */
    private void holdPage(long bytes) {
        unpacked.giveBack(pageBytes);
        pageBytes = bytes;
        unpacked.take(bytes);
    }

    private void takeDictionary(Header header, byte[] packed) {
        if (dictionary != null || valuesLeft != chunk.values()) {
            throw complaint("has a dictionary behind its values");
        }
        if (header.encoding != ParquetLayout.PLAIN
                && header.encoding != ParquetLayout.PLAIN_DICTIONARY) {
            throw complaint("has a dictionary of encoding " + header.encoding);
        }
        if (column.kind() == TableColumn.Kind.BOOLEAN) {
            throw complaint("has a dictionary of booleans");
        }
        if (header.values < 0 || header.values > header.plainBytes / Integer.BYTES) {
            throw complaint("has a dictionary of %d values".formatted(header.values));
        }
        unpacked.take(header.plainBytes + header.values * MAX_WORD_BYTES);
        byte[] plain = codec.unpack(packed, header.plainBytes);
        TableBatch words = new TableBatch(List.of(TableColumn.of(column.name(), column.kind())));
        ParquetValues from = ParquetValues.plain(column, chunk.type(), plain, 0);
        for (int i = 0; i < header.values; i++) {
            from.next(words, 0);
        }
        dictionary = words;
    }

    private ParquetPage page(Header header, byte[] plain) {
        requireValues(header);
        int begin = 0;
        ParquetRuns levels = null;
        if (column.optional()) {
            if (header.levelEncoding != ParquetLayout.RLE) {
                throw complaint("has levels of encoding " + header.levelEncoding);
            }
            if (plain.length < Integer.BYTES) {
                throw complaint("has a page without levels");
            }
            int length = ParquetValues.intAt(plain, 0);
            if (length < 0 || length > plain.length - Integer.BYTES) {
                throw complaint("has levels of %d bytes".formatted(length));
            }
            begin = Integer.BYTES + length;
            levels = new ParquetRuns(plain, Integer.BYTES, begin, 1);
        }
        return new ParquetPage(header.values, levels, values(header, plain, begin));
    }

    private ParquetPage page2(Header header, byte[] packed) {
        requireValues(header);
        if (header.definitionBytes < 0
                || header.repetitionBytes < 0
                || (long) header.definitionBytes + header.repetitionBytes > packed.length
                || (long) header.definitionBytes + header.repetitionBytes > header.plainBytes) {
            throw complaint("has levels that go beyond their page");
        }
        int levelBytes = header.definitionBytes + header.repetitionBytes;
        ParquetRuns levels =
                column.optional()
                        ? new ParquetRuns(packed, header.repetitionBytes, levelBytes, 1)
                        : null;
        if (!header.packed || codec == ParquetCodec.NONE) {
            return new ParquetPage(header.values, levels, values(header, packed, levelBytes));
        }
        byte[] rest = Arrays.copyOfRange(packed, levelBytes, packed.length);
        byte[] plain = rest.length == 0 ? rest : codec.unpack(rest, header.plainBytes - levelBytes);
        return new ParquetPage(header.values, levels, values(header, plain, 0));
    }

    private void requireValues(Header header) {
        if (header.values < 0 || header.values > valuesLeft) {
            throw complaint(
                    "has a page of %d values, and %d are left"
                            .formatted(header.values, valuesLeft));
        }
        valuesLeft -= header.values;
    }

    private ParquetValues values(Header header, byte[] plain, int begin) {
        if (begin == plain.length) { // of values that are missing nothing is left
            return ParquetValues.plain(column, chunk.type(), plain, begin);
        }
        boolean isText = column.kind() == TableColumn.Kind.STRING;
        boolean isBoolean = column.kind() == TableColumn.Kind.BOOLEAN;
        int type = chunk.type();
        return switch (header.encoding) {
            case ParquetLayout.PLAIN -> ParquetValues.plain(column, type, plain, begin);
            case ParquetLayout.PLAIN_DICTIONARY, ParquetLayout.RLE_DICTIONARY ->
                    ParquetValues.indexed(words(), plain, begin);
            case ParquetLayout.RLE -> {
                if (!isBoolean) {
                    throw complaint("has runs of values that are no booleans");
                }
                yield ParquetValues.runs(plain, begin);
            }
            case ParquetLayout.DELTA_NUMBERS -> {
                requireFitting(header, type == ParquetLayout.INT32 || type == ParquetLayout.INT64);
                yield ParquetValues.deltas(column, type, plain, begin, header.values);
            }
            case ParquetLayout.DELTA_LENGTHS -> {
                requireFitting(header, isText);
                yield ParquetTexts.whole(plain, begin, header.values);
            }
            case ParquetLayout.DELTA_TEXTS -> {
                requireFitting(header, isText);
                yield ParquetTexts.shared(plain, begin, header.values);
            }
            case ParquetLayout.SPLIT_BYTES -> {
                requireFitting(header, !isText && !isBoolean);
                yield ParquetValues.split(column, type, plain, begin);
            }
            default ->
                    throw complaint(
                            "has values of encoding %d, which is not read; write it with PLAIN values or dictionaries"
                                    .formatted(header.encoding));
        };
    }

    private void requireFitting(Header header, boolean fits) {
        if (!fits) {
            throw complaint(
                    "has values of encoding %d, which its type does not have"
                            .formatted(header.encoding));
        }
    }

    private TableBatch words() {
        TableBatch words = dictionary;
        if (words == null) {
            throw complaint("has indexes, and no dictionary");
        }
        return words;
    }

    private MalformedTableException complaint(String wrong) {
        return new MalformedTableException("column \"%s\" %s".formatted(column.name(), wrong));
    }

    private static Header header(ThriftInput in) {
        Header header = new Header();
        in.readStruct(field -> {
            switch (field) {
                case 1 -> header.kind = in.readInt();
                case 2 -> header.plainBytes = in.readInt();
                case 3 -> header.packedBytes = in.readInt();
                case 5, 7 -> in.readField(inner -> data(in, header, inner));
                case 8 -> in.readField(inner -> data2(in, header, inner));
                default -> {
                    return false;
                }
            }
            return true;
        });
        return header;
    }

    private static boolean data(ThriftInput in, Header header, int field) {
        switch (field) {
            case 1 -> header.values = in.readInt();
            case 2 -> header.encoding = in.readInt();
            default -> {
                if (field != 3 || header.kind == ParquetLayout.DICTIONARY_PAGE) {
                    return false;
                }
                header.levelEncoding = in.readInt();
            }
        }
        return true;
    }

    private static boolean data2(ThriftInput in, Header header, int field) {
        switch (field) {
            case 1 -> header.values = in.readInt();
            case 4 -> header.encoding = in.readInt();
            case 5 -> header.definitionBytes = in.readInt();
            case 6 -> header.repetitionBytes = in.readInt();
            case 7 -> header.packed = in.readFlag();
            default -> {
                return false;
            }
        }
        return true;
    }
}
