package org.starling.loaders.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;

/** Tables that are written are read again, whole, and never half. */
final class ColumnFilesTest {
    /** Of the bytes of a file, every so-manieth is changed, from one that is drawn anew. */
    private static final int FEW_BYTES = 15;

    private static final long SEED = Long.getLong("starling.fuzz.seed", 4711);

    private static final List<TableColumn> COLUMNS =
            List.of(
                    TableColumn.of("id", TableColumn.Kind.ID),
                    TableColumn.of("ok", TableColumn.Kind.BOOLEAN),
                    TableColumn.of("i", TableColumn.Kind.INT),
                    new TableColumn("l", TableColumn.Kind.LONG, 1, true),
                    TableColumn.of("f", TableColumn.Kind.FLOAT),
                    TableColumn.of("d", TableColumn.Kind.DOUBLE),
                    new TableColumn("s", TableColumn.Kind.STRING, 1, true));

    @TempDir Path folder;

    private static List<String> row(long i) {
        return Arrays.asList(
                Long.toUnsignedString(-1 - i),
                Boolean.toString(i % 3 == 0),
                Long.toString((int) (i * 7919) - 5),
                i % 5 == 0 ? null : Long.toString(Long.MIN_VALUE + i),
                Float.toString(i / 3f),
                Double.toString(i == 4 ? Double.NaN : i / 7.0),
                i % 4 == 1 ? null : "ä€\uD83D\uDC26 \"" + "x".repeat((int) (i % 50)));
    }

    private static void put(TableBatch batch, long i) {
        batch.putLong(0, -1 - i);
        batch.putLong(1, i % 3 == 0 ? 1 : 0);
        batch.putLong(2, (int) (i * 7919) - 5);
        if (i % 5 == 0) {
            batch.putNothing(3);
        } else {
            batch.putLong(3, Long.MIN_VALUE + i);
        }
        batch.putDouble(4, i / 3f);
        batch.putDouble(5, i == 4 ? Double.NaN : i / 7.0);
        if (i % 4 == 1) {
            batch.putNothing(6);
        } else {
            batch.putText(6, Objects.requireNonNull(row(i).get(6)));
        }
        batch.endRow();
    }

    private Path write(TableFormat format, long rows, int batchRows) throws IOException {
        Path path = folder.resolve("t." + format.title());
        try (TableFile file = TableFile.create(path, format, COLUMNS)) {
            TableBatch batch = new TableBatch(COLUMNS);
            for (long i = 0; i < rows; i++) {
                put(batch, i);
                if (batch.rows() == batchRows || batch.isFull()) {
                    file.write(batch);
                    batch.clear();
                }
            }
            file.write(batch);
            file.commit();
        }
        return path;
    }

    /** Rows of all groups, as texts. */
    private static List<List<String>> read(Path path, TableFormat format) throws IOException {
        ColumnFile file = ColumnFile.open(path, format);
        List<Integer> all =
                IntStream.range(0, file.columns().size())
                        .filter(i -> file.columns().get(i).kind() != null)
                        .boxed()
                        .toList();
        List<List<String>> rows = new ArrayList<>();
        for (int group = 0; group < file.groups(); group++) {
            file.read(
                    group,
                    all,
                    (batch, firstRow) -> {
                        assertThat(firstRow).isEqualTo(rows.size());
                        for (int row = 0; row < batch.rows(); row++) {
                            List<String> texts = new ArrayList<>();
                            for (int column = 0; column < all.size(); column++) {
                                texts.add(
                                        !batch.isPresent(column, row)
                                                ? null
                                                : batch.columns().get(column).kind()
                                                                == TableColumn.Kind.STRING
                                                        ? batch.text(column, row)
                                                        : ElementText.text(batch, column, row));
                            }
                            rows.add(texts);
                        }
                        return true;
                    });
        }
        assertThat(file.rows()).isEqualTo(rows.size());
        return rows;
    }

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void readsWhatIsWritten(TableFormat format) throws IOException {
        Path path = write(format, 5000, 700);

        List<List<String>> rows = read(path, format);

        assertThat(rows).hasSize(5000);
        for (int i = 0; i < 5000; i++) {
            assertThat(rows.get(i)).isEqualTo(row(i));
        }
        assertThat(ColumnFile.open(path, format).columns())
                .extracting(ColumnFile.Column::name, ColumnFile.Column::kind)
                .isEqualTo(
                        COLUMNS.stream().map(one -> Tuple.tuple(one.name(), one.kind())).toList());
    }

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void writesATableWithoutRows(TableFormat format) throws IOException {
        assertThat(read(write(format, 0, 700), format)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void givesNoMoreOnceTheSinkHasEnough(TableFormat format) throws IOException {
        Path path = write(format, 200_000, 1 << 16);
        int[] batches = {0};

        ColumnFile.open(path, format)
                .read(
                        0,
                        List.of(2),
                        (_, _) -> {
                            batches[0]++;
                            return false;
                        });

        assertThat(batches[0]).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void refusesAFileThatBreaksOffAnywhere(TableFormat format) throws IOException {
        byte[] whole = Files.readAllBytes(write(format, 40, 15));
        Path cut = folder.resolve("cut");

        for (int length = 0; length < whole.length; length += 13) {
            Files.write(cut, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> read(cut, format))
                    .as("cut at %d", length)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("makes no sense: ");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void readsOrRefusesAFileWithSomeByteChanged(TableFormat format) throws IOException {
        changeBytes(format, FEW_BYTES);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void readsOrRefusesAFileWithAnyByteChanged(TableFormat format) throws IOException {
        changeBytes(format, 1);
    }

    private void changeBytes(TableFormat format, int step) throws IOException {
        byte[] whole = Files.readAllBytes(write(format, 40, 15));
        SplittableRandom random = new SplittableRandom(SEED);
        Path changed = folder.resolve("changed");
        int refused = 0;

        for (int at = ThreadLocalRandom.current().nextInt(step); at < whole.length; at += step) {
            byte[] other = whole.clone();
            int flip = 1 + random.nextInt(255);
            other[at] ^= (byte) flip;
            Files.write(changed, other);
            try {
                read(changed, format);
            } catch (InvalidInputException sentence) {
                refused++;
            } catch (RuntimeException wrong) {
                throw new AssertionError("byte %d ^ %d".formatted(at, flip), wrong);
            }
        }

        assertThat(refused).isGreaterThan(whole.length / step / 20);
    }

    /** What says which sizes the header of a frame has. */
    @Test
    void readsOrRefusesEveryDescriptorOfAFrameOfZstandard() throws IOException {
        byte[] whole = Files.readAllBytes(write(TableFormat.PARQUET, 40, 15));
        int at = 0;
        while (whole[at] != 0x28 || whole[at + 1] != (byte) 0xB5 || whole[at + 2] != 0x2F) {
            at++;
        }
        Path changed = folder.resolve("changed");
        int refused = 0;

        for (int descriptor = 0; descriptor < 256; descriptor++) {
            byte[] other = whole.clone();
            other[at + 4] = (byte) descriptor;
            Files.write(changed, other);
            try {
                read(changed, TableFormat.PARQUET);
            } catch (InvalidInputException sentence) {
                refused++;
                assertThat(sentence).hasMessageContaining("makes no sense: ");
            }
        }

        assertThat(refused).isGreaterThan(200);
    }

    /** Values by differences, texts behind lengths or beginnings, bytes apart; 500 rows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "encodings-pyarrow.parquet",
                "encodings-pyarrow-2.parquet",
                "encodings-duckdb.parquet"
            })
    void readsTheEncodingsThatOtherProgramsTake(String name) throws Exception {
        List<List<String>> rows = read(foreign(name), TableFormat.PARQUET);

        assertThat(rows).hasSize(500);
        for (int i = 0; i < 500; i++) {
            assertThat(rows.get(i))
                    .containsExactly(
                            Integer.toString(i % 300 - 150),
                            Long.toString(i * 2654435761L & 0xFFFF_FFFFL),
                            Long.toString(i * 1_000_000_000_000L * (i % 2 == 0 ? 1 : -1)),
                            Float.toString(i / 4f),
                            Double.toString(i / 8.0),
                            "nöme " + i / 3,
                            i % 5 == 2 ? null : Integer.toString(i * i),
                            i % 4 == 1 ? null : "x".repeat(i % 20));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PARQUET", "ARROW"})
    void callsTypesThatAreNotReadByTheirNames(TableFormat format) throws Exception {
        ColumnFile open = ColumnFile.open(foreign("types-pyarrow." + format.title()), format);

        assertThat(open.columns()).extracting(ColumnFile.Column::kind).containsOnlyNulls();
        assertThat(open.columns())
                .extracting(ColumnFile.Column::type)
                .startsWith(
                        "nothing but missing values",
                        "a decimal number",
                        "a floating point number of 16 bits");
    }

    @Test
    void readsWordsAndNumbersOfDictionaries() throws Exception {
        assertThat(read(foreign("categories-pyarrow.arrow"), TableFormat.ARROW))
                .containsExactly(
                        Arrays.asList("1", "ann", "-9", "a"),
                        Arrays.asList("2", null, "-9", "b"),
                        Arrays.asList("3", null, "7", "c"),
                        Arrays.asList("4", "größe", null, "d"),
                        Arrays.asList("5", "ann", "-9", "e"));
    }

    /** The second batch of the stream adds a word to a dictionary, the third has another one. */
    @Test
    void readsDictionariesThatGrowAndAreReplaced() throws Exception {
        assertThat(read(foreign("categories-deltas-pyarrow.arrow"), TableFormat.ARROW))
                .containsExactly(
                        List.of("1", "x"),
                        List.of("2", "y"),
                        List.of("3", "z"),
                        List.of("4", "x"),
                        List.of("5", "q"),
                        List.of("6", "p"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"categories-pyarrow.arrow", "categories-deltas-pyarrow.arrow"})
    void readsOrRefusesDictionariesWithSomeBytesChanged(String name) throws Exception {
        flipBytes(name, FEW_BYTES);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"categories-pyarrow.arrow", "categories-deltas-pyarrow.arrow"})
    void readsOrRefusesDictionariesWithAnyByteChanged(String name) throws Exception {
        flipBytes(name, 1);
    }

    private void flipBytes(String name, int step) throws Exception {
        byte[] whole = Files.readAllBytes(foreign(name));
        Path changed = folder.resolve("changed");

        for (int at = ThreadLocalRandom.current().nextInt(step); at < whole.length; at += step) {
            for (int flip : new int[] {1, 0x80, 0xFF}) {
                byte[] other = whole.clone();
                other[at] ^= (byte) flip;
                Files.write(changed, other);
                try {
                    assertThat(read(changed, TableFormat.ARROW)).hasSizeLessThan(100_000);
                } catch (InvalidInputException sentence) {
                    assertThat(sentence).hasMessageContaining("changed");
                } catch (RuntimeException wrong) {
                    throw new AssertionError("byte %d ^ %d".formatted(at, flip), wrong);
                }
            }
        }
    }

    private static Path foreign(String name) throws Exception {
        URL file = ColumnFilesTest.class.getResource("/foreign/" + name);
        return Path.of(Objects.requireNonNull(file).toURI());
    }

    @ParameterizedTest
    @ValueSource(strings = {"encodings-pyarrow.parquet", "encodings-pyarrow-2.parquet"})
    void readsOrRefusesForeignFilesWithSomeBytesChanged(String name) throws Exception {
        byte[] whole = Files.readAllBytes(foreign(name));
        SplittableRandom random = new SplittableRandom(SEED);
        Path changed = folder.resolve("changed");

        for (int round = 0; round < 300; round++) {
            byte[] other = whole.clone();
            other[random.nextInt(whole.length)] = (byte) random.nextInt();
            Files.write(changed, other);
            try {
                assertThat(read(changed, TableFormat.PARQUET)).hasSize(500);
            } catch (InvalidInputException sentence) {
                assertThat(sentence).hasMessageContaining("makes no sense: ");
            } catch (RuntimeException wrong) {
                throw new AssertionError("round %d, seed %d".formatted(round, SEED), wrong);
            }
        }
    }
}
