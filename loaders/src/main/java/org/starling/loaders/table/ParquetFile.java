package org.starling.loaders.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.graph.InvalidInputException;

/**
 * A Parquet file: flat columns in pages of both versions, PLAIN, from dictionaries, by differences
 * or with their bytes apart; unpacked, Snappy, gzip, zstd or LZ4. A row group is a group. See
 * {@link ParquetLayout}.
 */
final class ParquetFile implements ColumnFile {
    /** So many rows a file may have, whatever its size: equal values take no room. */
    private static final long FREE_ROWS = 1 << 26;

    private static final long MAX_ROWS_PER_BYTE = 1000;
    private static final int MAX_FOOTER_BYTES = 128 << 20;

    private final Path path;
    private final ParquetFooter footer;

    private ParquetFile(Path path, ParquetFooter footer) {
        this.path = path;
        this.footer = footer;
    }

    /**
     * Reads the footer of a file.
     *
     * @throws InvalidInputException if it is none
     */
    static ParquetFile open(Path path) throws IOException {
        try (MappedBytes bytes = MappedBytes.of(path)) {
            return new ParquetFile(path, footer(bytes));
        } catch (MalformedTableException wrong) {
            throw wrong.of("Parquet", path);
        }
    }

    private static ParquetFooter footer(MappedBytes bytes) {
        int magic = ParquetLayout.MAGIC.length;
        long tail = bytes.size() - ParquetLayout.TAIL_BYTES;
        if (tail < magic || !Arrays.equals(bytes.copy(0, magic), ParquetLayout.MAGIC)) {
            throw new MalformedTableException("it does not begin with PAR1");
        }
        byte[] end = bytes.copy(tail + Integer.BYTES, magic);
        if (Arrays.equals(end, ParquetLayout.ENCRYPTED)) {
            throw new MalformedTableException("its footer is encrypted, which is not read");
        }
        if (!Arrays.equals(end, ParquetLayout.MAGIC)) {
            throw new MalformedTableException("it does not end with PAR1, so its end is missing");
        }
        int length = bytes.intAt(tail);
        if (length < 1 || length > MAX_FOOTER_BYTES || length > tail - magic) {
            throw new MalformedTableException(
                    "its footer should have %d bytes".formatted(length & 0xFFFF_FFFFL));
        }
        ParquetFooter footer =
                ParquetFooter.read(new ThriftInput(bytes.slice(tail - length, length)));
        if (footer.rows() > Math.max(FREE_ROWS, bytes.size() * MAX_ROWS_PER_BYTE)) {
            throw new MalformedTableException(
                    "%d bytes should hold %d rows".formatted(bytes.size(), footer.rows()));
        }
        return footer;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public List<Column> columns() {
        return footer.columns();
    }

    @Override
    public int groups() {
        return footer.groups().size();
    }

    @Override
    public long rows(int group) {
        return footer.groups().get(group).rows();
    }

    @Override
    public void read(int group, List<Integer> wanted, Sink sink) throws IOException {
        List<TableColumn> columns = new ArrayList<>();
        for (int index : wanted) {
            Column column = footer.columns().get(index);
            TableColumn.Kind kind = column.kind();
            if (kind == null) {
                throw new IllegalArgumentException(column + " is not read");
            }
            columns.add(new TableColumn(column.name(), kind, 1, column.optional()));
        }
        long first = 0;
        for (int i = 0; i < group; i++) {
            first += rows(i);
        }
        try (MappedBytes bytes = MappedBytes.of(path)) {
            read(bytes, group, wanted, new TableBatch(columns), first, sink);
        } catch (MalformedTableException wrong) {
            throw wrong.of("Parquet", path);
        }
    }

    private void read(
            MappedBytes bytes,
            int group,
            List<Integer> wanted,
            TableBatch batch,
            long firstRow,
            Sink sink) {
        ParquetFooter.Group from = footer.groups().get(group);
        List<ParquetColumn> readers = new ArrayList<>();
        UnpackedBytes unpacked = new UnpackedBytes();
        for (int i = 0; i < wanted.size(); i++) {
            ParquetFooter.Chunk chunk = from.chunks().get(footer.leaves().get(wanted.get(i)));
            if (chunk.values() != from.rows()) {
                throw new MalformedTableException(
                        "column \"%s\" has %d values in row group %d of %d rows"
                                .formatted(
                                        batch.columns().get(i).name(),
                                        chunk.values(),
                                        group,
                                        from.rows()));
            }
            readers.add(new ParquetColumn(bytes, batch.columns().get(i), chunk, unpacked));
        }
        long done = 0;
        while (done < from.rows()) {
            batch.clear();
            while (done + batch.rows() < from.rows() && !batch.isFull()) {
                for (int i = 0; i < readers.size(); i++) {
                    readers.get(i).next(batch, i);
                }
                batch.endRow();
            }
            if (!sink.take(batch, firstRow + done)) {
                return;
            }
            done += batch.rows();
        }
        readers.forEach(ParquetColumn::requireEnd);
    }
}
