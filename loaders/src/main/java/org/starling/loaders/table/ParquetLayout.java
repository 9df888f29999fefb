package org.starling.loaders.table;

import java.nio.charset.StandardCharsets;

/**
 * Numbers of the Parquet format, version 2 of its definition.
 *
 * <pre>
 *   "PAR1" | pages of column 0 of row group 0, of column 1, … of row group 1, … | footer | bytes of
 *   the footer, 4 | "PAR1"
 *
 *   page:   header | levels (bytes, 4, before each kind; only if there are any) and values
 *   footer: schema, and where the pages of each column of each row group begin
 * </pre>
 *
 * Headers and footer are Thrift structures. Source of the format: Apache Parquet, parquet.thrift
 * and the notes on encodings.
 */
final class ParquetLayout {
    static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.ISO_8859_1);

    /** What footers that are encrypted end with. */
    static final byte[] ENCRYPTED = "PARE".getBytes(StandardCharsets.ISO_8859_1);

    /** Bytes behind the footer. */
    static final int TAIL_BYTES = Integer.BYTES + MAGIC.length;

    /** Physical types. */
    static final int BOOLEAN = 0;

    static final int INT32 = 1;
    static final int INT64 = 2;
    static final int INT96 = 3;
    static final int FLOAT = 4;
    static final int DOUBLE = 5;
    static final int BYTE_ARRAY = 6;
    static final int FIXED_BYTES = 7;

    /** How often a field of the schema is there. */
    static final int REQUIRED = 0;

    static final int OPTIONAL = 1;
    static final int REPEATED = 2;

    /** Older names of what values mean. */
    static final int UTF8 = 0;

    static final int LIST = 3;
    static final int ENUM = 4;
    static final int UINT_32 = 13;
    static final int UINT_64 = 14;
    static final int INT_64 = 18;
    static final int JSON = 19;
    static final int UINT_8 = 11;

    /** Newer names, as fields of a union. */
    static final int LOGICAL_STRING = 1;

    static final int LOGICAL_LIST = 3;
    static final int LOGICAL_DECIMAL = 5;
    static final int LOGICAL_INTEGER = 10;
    static final int LOGICAL_NOTHING = 11;
    static final int LOGICAL_HALF = 15;

    /** Encodings. */
    static final int PLAIN = 0;

    static final int PLAIN_DICTIONARY = 2;
    static final int RLE = 3;
    static final int DELTA_NUMBERS = 5;
    static final int DELTA_LENGTHS = 6;
    static final int DELTA_TEXTS = 7;
    static final int RLE_DICTIONARY = 8;
    static final int SPLIT_BYTES = 9;

    /** Kinds of pages. */
    static final int DATA_PAGE = 0;

    static final int INDEX_PAGE = 1;
    static final int DICTIONARY_PAGE = 2;
    static final int DATA_PAGE_2 = 3;

    private ParquetLayout() {}
}
