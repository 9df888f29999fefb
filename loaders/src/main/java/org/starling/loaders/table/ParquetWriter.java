package org.starling.loaders.table;

import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes Parquet in its plainest form: flat columns and lists of one length, pages of the first
 * version with PLAIN values, packed with zstd. Pages of a row group wait in memory until it has
 * {@value #GROUP_BYTES} bytes or {@value #GROUP_ROWS} rows, so that each column's stand together.
 * One thread. See {@link ParquetLayout}.
 */
final class ParquetWriter implements TableWriter {
    private static final int GROUP_BYTES = 32 << 20;
    private static final int GROUP_ROWS = 1 << 20;
    private static final int ZSTD = ParquetCodec.ZSTD.number();

    private final OutputStream out;
    private final List<TableColumn> columns;
    private final List<Pages> pages = new ArrayList<>();
    private final List<Group> groups = new ArrayList<>();
    private final ZstdJavaCompressor packer = new ZstdJavaCompressor();
    private final ByteOutput page = new ByteOutput();
    private byte[] packed = {};
    private long offset;
    private int groupRows;

    /** Pages of one column of the row group that is being made. */
    private static final class Pages {
        private final ByteOutput bytes = new ByteOutput();
        private long values;
        private long plainBytes;
    }

    /** A column of a row group that was written. */
    private record Chunk(long offset, long values, long bytes, long plainBytes) {}

    /** A row group that was written. */
    private record Group(long rows, List<Chunk> chunks) {}

    ParquetWriter(OutputStream out, List<TableColumn> columns) throws IOException {
        this.out = out;
        this.columns = List.copyOf(columns);
        columns.forEach(_ -> pages.add(new Pages()));
        out.write(ParquetLayout.MAGIC);
        offset = ParquetLayout.MAGIC.length;
    }

    @Override
    public void write(TableBatch batch) throws IOException {
        if (batch.rows() == 0) {
            return;
        }
        long waiting = 0;
        for (int i = 0; i < columns.size(); i++) {
            page.clear();
            putLevels(batch, i);
            putValues(batch, i);
            addPage(pages.get(i), batch.elements(i));
            waiting += pages.get(i).bytes.length();
        }
        groupRows += batch.rows();
        if (waiting >= GROUP_BYTES || groupRows >= GROUP_ROWS) {
            endGroup();
        }
    }

    @Override
    public void end() throws IOException {
        if (groupRows > 0) {
            endGroup();
        }
        ByteOutput footer = new ByteOutput();
        putFooter(new ThriftOutput(footer));
        footer.putInt(footer.length());
        footer.put(ParquetLayout.MAGIC, 0, ParquetLayout.MAGIC.length);
        footer.writeTo(out);
    }

    /** Levels say which values are there, and where lists begin; runs of one length each. */
    private void putLevels(TableBatch batch, int column) {
        TableColumn of = columns.get(column);
        int count = batch.elements(column);
        if (of.length() > 1) {
            ByteOutput repeated = new ByteOutput();
            for (int row = 0; row < batch.rows(); row++) {
                putRun(repeated, 1, 0);
                putRun(repeated, of.length() - 1, 1);
            }
            putLevels(repeated);
            ByteOutput defined = new ByteOutput();
            putRun(defined, count, 1);
            putLevels(defined);
        } else if (of.optional()) {
            ByteOutput defined = new ByteOutput();
            int from = 0;
            while (from < count) {
                int end = from + 1;
                boolean there = batch.isPresent(column, from);
                while (end < count && batch.isPresent(column, end) == there) {
                    end++;
                }
                putRun(defined, end - from, there ? 1 : 0);
                from = end;
            }
            putLevels(defined);
        }
    }

    private static void putRun(ByteOutput into, int length, int level) {
        into.putVarint((long) length << 1);
        into.putByte(level);
    }

    private void putLevels(ByteOutput levels) {
        page.putInt(levels.length());
        page.put(levels.array(), 0, levels.length());
    }

    private void putValues(TableBatch batch, int column) {
        TableColumn.Kind kind = columns.get(column).kind();
        int bits = 0;
        int held = 0;
        for (int i = 0; i < batch.elements(column); i++) {
            if (!batch.isPresent(column, i)) {
                continue;
            }
            switch (kind) {
                case BOOLEAN -> {
                    held |= (int) (batch.bits(column, i) & 1) << bits++;
                    if (bits == Byte.SIZE) {
                        page.putByte(held);
                        bits = 0;
                        held = 0;
                    }
                }
                case INT, FLOAT -> page.putInt((int) batch.bits(column, i));
                case LONG, ID, DOUBLE -> page.putLong(batch.bits(column, i));
                case STRING -> {
                    int begin = batch.textBegin(column, i);
                    int length = batch.textEnd(column, i) - begin;
                    page.putInt(length);
                    page.put(batch.texts(column), begin, length);
                }
            }
        }
        if (bits > 0) {
            page.putByte(held);
        }
    }

    private void addPage(Pages into, int values) {
        int most = packer.maxCompressedLength(page.length());
        if (packed.length < most) {
            packed = new byte[most];
        }
        int length = packer.compress(page.array(), 0, page.length(), packed, 0, packed.length);
        int before = into.bytes.length();
        ThriftOutput header = new ThriftOutput(into.bytes);
        header.putInt(1, ParquetLayout.DATA_PAGE);
        header.putInt(2, page.length());
        header.putInt(3, length);
        header.beginStruct(5);
        header.putInt(1, values);
        header.putInt(2, ParquetLayout.PLAIN);
        header.putInt(3, ParquetLayout.RLE);
        header.putInt(4, ParquetLayout.RLE);
        header.endStruct();
        header.end();
        into.plainBytes += into.bytes.length() - before + page.length();
        into.bytes.put(packed, 0, length);
        into.values += values;
    }

    private void endGroup() throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        for (Pages column : pages) {
            chunks.add(new Chunk(offset, column.values, column.bytes.length(), column.plainBytes));
            column.bytes.writeTo(out);
            offset += column.bytes.length();
            column.bytes.clear();
            column.values = 0;
            column.plainBytes = 0;
        }
        groups.add(new Group(groupRows, chunks));
        groupRows = 0;
    }

    private void putFooter(ThriftOutput footer) {
        footer.putInt(1, 2);
        putSchema(footer);
        footer.putLong(3, groups.stream().mapToLong(Group::rows).sum());
        footer.beginList(4, ThriftInput.STRUCT, groups.size());
        for (Group group : groups) {
            footer.beginElement();
            footer.beginList(1, ThriftInput.STRUCT, columns.size());
            for (int i = 0; i < columns.size(); i++) {
                putChunk(footer, columns.get(i), group.chunks.get(i));
            }
            footer.putLong(2, group.chunks.stream().mapToLong(Chunk::plainBytes).sum());
            footer.putLong(3, group.rows);
            footer.endStruct();
        }
        footer.putText(6, "Starling");
        footer.end();
    }

    private void putSchema(ThriftOutput footer) {
        int elements = 1;
        for (TableColumn column : columns) {
            elements += column.length() > 1 ? 3 : 1;
        }
        footer.beginList(2, ThriftInput.STRUCT, elements);
        footer.beginElement();
        footer.putText(4, "schema");
        footer.putInt(5, columns.size());
        footer.endStruct();
        for (TableColumn column : columns) {
            if (column.length() == 1) {
                putLeaf(
                        footer,
                        column,
                        column.name(),
                        column.optional() ? ParquetLayout.OPTIONAL : ParquetLayout.REQUIRED);
                continue;
            }
            footer.beginElement();
            footer.putInt(3, ParquetLayout.REQUIRED);
            footer.putText(4, column.name());
            footer.putInt(5, 1);
            footer.putInt(6, ParquetLayout.LIST);
            putLogical(footer, ParquetLayout.LOGICAL_LIST);
            footer.endStruct();
            footer.beginElement();
            footer.putInt(3, ParquetLayout.REPEATED);
            footer.putText(4, "list");
            footer.putInt(5, 1);
            footer.endStruct();
            putLeaf(footer, column, "element", ParquetLayout.REQUIRED);
        }
    }

    private static void putLeaf(
            ThriftOutput footer, TableColumn column, String name, int repetition) {
        footer.beginElement();
        footer.putInt(1, physical(column.kind()));
        footer.putInt(3, repetition);
        footer.putText(4, name);
        if (column.kind() == TableColumn.Kind.STRING) {
            footer.putInt(6, ParquetLayout.UTF8);
            putLogical(footer, ParquetLayout.LOGICAL_STRING);
        } else if (column.kind() == TableColumn.Kind.ID) {
            footer.putInt(6, ParquetLayout.UINT_64);
            footer.beginStruct(10);
            footer.beginStruct(ParquetLayout.LOGICAL_INTEGER);
            footer.putByte(1, Long.SIZE);
            footer.putFlag(2, false);
            footer.endStruct();
            footer.endStruct();
        }
        footer.endStruct();
    }

    private static void putLogical(ThriftOutput footer, int which) {
        footer.beginStruct(10);
        footer.beginStruct(which);
        footer.endStruct();
        footer.endStruct();
    }

    private static int physical(TableColumn.Kind kind) {
        return switch (kind) {
            case BOOLEAN -> ParquetLayout.BOOLEAN;
            case INT -> ParquetLayout.INT32;
            case LONG, ID -> ParquetLayout.INT64;
            case FLOAT -> ParquetLayout.FLOAT;
            case DOUBLE -> ParquetLayout.DOUBLE;
            case STRING -> ParquetLayout.BYTE_ARRAY;
        };
    }

    private static void putChunk(ThriftOutput footer, TableColumn column, Chunk chunk) {
        footer.beginElement();
        footer.putLong(2, chunk.offset);
        footer.beginStruct(3);
        footer.putInt(1, physical(column.kind()));
        footer.beginList(2, ThriftInput.I32, 2);
        footer.putElement(ParquetLayout.PLAIN);
        footer.putElement(ParquetLayout.RLE);
        List<String> path =
                column.length() == 1
                        ? List.of(column.name())
                        : List.of(column.name(), "list", "element");
        footer.beginList(3, ThriftInput.BINARY, path.size());
        path.forEach(footer::putElement);
        footer.putInt(4, ZSTD);
        footer.putLong(5, chunk.values);
        footer.putLong(6, chunk.plainBytes);
        footer.putLong(7, chunk.bytes);
        footer.putLong(9, chunk.offset);
        footer.endStruct();
        footer.endStruct();
    }
}
