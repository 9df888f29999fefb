package org.starling.loaders.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.InvalidInputException;

/** Parquet files by hand: one column of three whole numbers, in one page. */
final class MalformedParquetTest {
    @TempDir Path folder;

    private Map<String, Long> said = Map.of();

    private int get(String name, long otherwise) {
        return Math.toIntExact(said.getOrDefault(name, otherwise));
    }

    private long getLong(String name, long otherwise) {
        return said.getOrDefault(name, otherwise);
    }

    private Path file(String changes) throws IOException {
        Map<String, Long> map = new HashMap<>();
        for (String change : changes.isBlank() ? new String[0] : changes.strip().split(" ", -1)) {
            map.put(change.split("=", -1)[0], Long.parseLong(change.split("=", -1)[1]));
        }
        said = map;
        ByteOutput page = new ByteOutput();
        page.putInt(get("levelBytes", 2));
        page.putVarint(get("run", 3) << 1);
        page.putByte(1);
        for (int i = 0; i < get("numbers", 3); i++) {
            page.putLong(i + 5);
        }
        ByteOutput all = new ByteOutput();
        put(all, get("begin", 1) == 1 ? "PAR1" : "PAR2");
        header(new ThriftOutput(all), page.length());
        all.put(page.array(), 0, page.length());
        long pages = all.length();
        footer(new ThriftOutput(all), pages - 4);
        all.putInt(get("footerBytes", all.length() - pages));
        put(all, get("encrypted", 0) == 1 ? "PARE" : get("end", 1) == 1 ? "PAR1" : "PARX");
        Path file = folder.resolve("a.parquet");
        Files.write(file, Arrays.copyOf(all.array(), all.length()));
        return file;
    }

    private static void put(ByteOutput into, String text) {
        into.put(text.getBytes(StandardCharsets.ISO_8859_1), 0, text.length());
    }

    private void header(ThriftOutput header, int bytes) {
        header.putInt(1, get("kind", ParquetLayout.DATA_PAGE));
        header.putInt(2, get("plain", bytes));
        header.putInt(3, get("packed", bytes));
        boolean second = said.containsKey("definitions");
        header.beginStruct(second ? 8 : 5);
        header.putInt(1, get("pageValues", 3));
        if (second) {
            header.putInt(4, ParquetLayout.PLAIN);
            header.putInt(5, get("definitions", 0));
            header.putInt(6, get("repetitions", 0));
        } else {
            header.putInt(2, get("encoding", ParquetLayout.PLAIN));
            header.putInt(3, get("levels", ParquetLayout.RLE));
            header.putInt(4, ParquetLayout.RLE);
        }
        header.endStruct();
        header.end();
    }

    private void footer(ThriftOutput footer, long chunkBytes) {
        footer.putInt(1, 2);
        int columns = get("columns", 1);
        footer.beginList(2, ThriftInput.STRUCT, get("elements", 1 + columns));
        footer.beginElement();
        footer.putText(4, "schema");
        footer.putInt(5, get("children", columns));
        footer.endStruct();
        for (int i = 0; i < columns; i++) {
            footer.beginElement();
            footer.putInt(1, get("schemaType", ParquetLayout.INT64));
            footer.putInt(3, ParquetLayout.OPTIONAL);
            footer.putText(4, "a");
            footer.endStruct();
        }
        footer.putLong(3, getLong("rows", 3));
        footer.beginList(4, ThriftInput.STRUCT, get("groups", 1));
        for (int i = 0; i < Math.min(10, get("groups", 1)); i++) {
            footer.beginElement();
            footer.beginList(1, ThriftInput.STRUCT, get("chunks", columns));
            for (int chunk = 0; chunk < columns; chunk++) {
                chunk(footer, chunkBytes);
            }
            for (int chunk = columns; chunk < get("chunks", columns); chunk++) {
                footer.beginElement();
                footer.endStruct();
            }
            footer.putLong(3, getLong("groupRows", 3));
            footer.endStruct();
        }
        footer.end();
    }

    private void chunk(ThriftOutput footer, long chunkBytes) {
        footer.beginElement();
        footer.putLong(2, 4);
        footer.beginStruct(3);
        footer.putInt(1, get("type", ParquetLayout.INT64));
        footer.putInt(4, get("codec", 0));
        footer.putLong(5, getLong("values", 3));
        footer.putLong(7, getLong("bytes", chunkBytes));
        footer.putLong(9, getLong("offset", 4));
        footer.endStruct();
        footer.endStruct();
    }

    private static List<Long> read(Path path) throws IOException {
        return read(path, List.of(0));
    }

    private static List<Long> read(Path path, List<Integer> columns) throws IOException {
        ColumnFile file = ColumnFile.open(path, TableFormat.PARQUET);
        List<Long> values = new ArrayList<>();
        for (int group = 0; group < file.groups(); group++) {
            file.read(
                    group,
                    columns,
                    (batch, _) -> {
                        for (int i = 0; i < batch.rows(); i++) {
                            values.add(batch.bits(0, i));
                        }
                        return true;
                    });
        }
        return values;
    }

    @Test
    void readsTheFileAsItShouldBe() throws IOException {
        assertThat(read(file(""))).containsExactly(5L, 6L, 7L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    begin=0                  | it does not begin with PAR1
                    end=0                    | it does not end with PAR1, so its end is missing
                    encrypted=1              | its footer is encrypted, which is not read
                    footerBytes=-1           | its footer should have 4294967295 bytes
                    footerBytes=0            | its footer should have 0 bytes
                    footerBytes=2000000000   | its footer should have 2000000000 bytes
                    footerBytes=3            | expected
                    elements=1000000         | expected
                    children=-1              | the footer names no columns
                    children=2               | the footer names too few columns
                    children=2000000000      | the footer names too few columns
                    rows=-1                  | the footer counts -1 rows
                    rows=4                   | the row groups have 3 rows, and the footer counts 4
                    rows=9223372036854775807 | the footer counts 9223372036854775807 rows
                    groupRows=-1             | a row group counts -1 rows, and the footer 3 in all
                    groupRows=4              | a row group counts 4 rows, and the footer 3 in all
                    groups=1000000           | expected
                    type=1                   | the columns of a row group are not those of the schema
                    codec=4                  | column "a" is packed with Brotli, which is not read; Snappy, gzip, zstd and LZ4 are
                    codec=77                 | column "a" is packed with number 77, which is not read
                    codec=1                  | what is packed with Snappy can't be unpacked
                    codec=2                  | what is packed with gzip can't be unpacked
                    codec=6                  | what is packed with zstd can't be unpacked
                    codec=6 plain=2000000000 | that should unpack to 2000000000
                    values=-3                | column "a" has -3 values in row group 0 of 3 rows
                    values=4                 | column "a" has 4 values in row group 0 of 3 rows
                    offset=-4                | bytes at byte -4, and the file has
                    offset=99999999999       | bytes at byte 99999999999, and the file has
                    bytes=-1                 | expected -1 bytes at byte 4
                    bytes=9223372036854775807 | expected 9223372036854775807 bytes at byte 4
                    kind=9                   | column "a" has a page of the unknown kind 9
                    kind=1                   | column "a" has fewer values than its row group has rows
                    kind=2                   | column "a" has fewer values than its row group has rows
                    pageValues=-1            | column "a" has a page of -1 values, and 3 are left
                    pageValues=2000000000    | column "a" has a page of 2000000000 values, and 3 are left
                    pageValues=2             | column "a" has fewer values than its row group has rows
                    plain=-5                 | has a page of 30 bytes that should unpack to -5
                    plain=31                 | has a page of 30 bytes that should unpack to 31
                    packed=-1                | column "a" has a page that goes beyond its end
                    packed=2000000000        | column "a" has a page that goes beyond its end
                    encoding=4               | column "a" has values of encoding 4, which is not read; write it with PLAIN values or dictionaries
                    encoding=5               | blocks of 5 differences in 0 parts, of 0 numbers
                    encoding=6               | column "a" has values of encoding 6, which its type does not have
                    encoding=7               | column "a" has values of encoding 7, which its type does not have
                    encoding=9 numbers=2     | a page ends before its values do
                    encoding=8               | column "a" has indexes, and no dictionary
                    encoding=3               | column "a" has runs of values that are no booleans
                    levels=4                 | column "a" has levels of encoding 4
                    levelBytes=-1            | column "a" has levels of -1 bytes
                    levelBytes=27            | column "a" has levels of 27 bytes
                    run=2                    | a page ends before its values do
                    numbers=2                | a page ends before its values do
                    kind=3 definitions=-1    | column "a" has levels that go beyond their page
                    kind=3 definitions=31    | column "a" has levels that go beyond their page
                    kind=3 definitions=2000000000 repetitions=2000000000 | column "a" has levels that go beyond their page
                    """)
    void refusesWhatMakesNoSense(String changes, String sentence) throws IOException {
        Path file = file(changes);

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(file + ": the Parquet file makes no sense: ")
                .hasMessageContaining(sentence)
                .hasMessageEndingWith(" (write the file again)");
    }

    /** Each of these files would take memory beyond all measure, or days, if it were believed. */
    @Tag("thorough")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    chunks=7000000 | a row group has 7000000 columns, and the schema before it 2 fields
                    columns=400 levelBytes=5 rows=2000000 groupRows=2000000 values=2000000 pageValues=2000000 run=2000000 numbers=2000000 | what is packed in it takes more than
                    kind=2 schemaType=0 type=0 numbers=6000000 pageValues=384000000 | column "a" has a dictionary of booleans
                    groups=10 levelBytes=5 rows=600000000 groupRows=60000000 values=60000000 pageValues=60000000 run=60000000 | bytes should hold 600000000 rows
                    """)
    void refusesWhatWouldTakeAllMemoryOrDays(String changes, String sentence) throws IOException {
        Path file = file(changes);
        List<Integer> all = IntStream.range(0, get("columns", 1)).boxed().toList();

        assertThatThrownBy(() -> read(file, all))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(sentence);
    }
}
