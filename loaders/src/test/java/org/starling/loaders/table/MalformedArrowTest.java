package org.starling.loaders.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.InvalidInputException;

/** Arrow streams by hand: a column of three numbers, and one of three texts, in one batch. */
final class MalformedArrowTest {
    @TempDir Path folder;

    private Map<String, Long> said = Map.of();

    private long get(String name, long otherwise) {
        return said.getOrDefault(name, otherwise);
    }

    private Path file(String changes) throws IOException {
        Map<String, Long> map = new HashMap<>();
        for (String change : changes.isBlank() ? new String[0] : changes.strip().split(" ", -1)) {
            map.put(change.split("=", -1)[0], Long.parseLong(change.split("=", -1)[1]));
        }
        said = map;
        ByteOutput all = new ByteOutput();
        all.putInt((int) get("first", -1));
        schema(all);
        int begin = all.length();
        all.putInt((int) get("second", -1));
        batch(all);
        all.putInt(-1);
        all.putInt(0);
        byte[] bytes = Arrays.copyOf(all.array(), all.length());
        if (said.containsKey("cut")) {
            bytes = Arrays.copyOf(bytes, begin + (int) get("cut", 0));
        }
        Path file = folder.resolve("a.arrows");
        Files.write(file, bytes);
        return file;
    }

    private void schema(ByteOutput all) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int none = Field.createChildrenVector(builder, new int[0]);
        int whole = Int.createInt(builder, (int) get("bits", 64), true);
        int first =
                Field.createField(
                        builder, builder.createString("a"), true, Type.Int, whole, 0, none, 0);
        Utf8.startUtf8(builder);
        int text = Utf8.endUtf8(builder);
        int second =
                Field.createField(
                        builder,
                        builder.createString("s"),
                        true,
                        (byte) get("type", Type.Utf8),
                        text,
                        0,
                        none,
                        0);
        int fields =
                Schema.createFieldsVector(
                        builder, get("fields", 2) == 2 ? new int[] {first, second} : new int[0]);
        int schema = Schema.createSchema(builder, (short) get("endian", 0), fields, 0, 0);
        finish(all, builder, (byte) get("firstType", MessageHeader.Schema), schema, 0);
    }

    private void batch(ByteOutput all) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int compression =
                said.containsKey("codec")
                        ? BodyCompression.createBodyCompression(
                                builder, (byte) get("codec", 0), (byte) 0)
                        : 0;
        long[][] places = {
            {0, get("bitsBytes", 0)},
            {get("offset", 0), get("length", 24)},
            {0, 0},
            {24, 16},
            {40, get("textBytes", 6)}
        };
        int buffers = (int) get("buffers", 5);
        RecordBatch.startBuffersVector(builder, buffers);
        for (int i = buffers - 1; i >= 0; i--) {
            Buffer.createBuffer(builder, places[i][0], places[i][1]);
        }
        int placed = builder.endVector();
        int count = (int) get("nodes", 2);
        RecordBatch.startNodesVector(builder, count);
        for (int i = count - 1; i >= 0; i--) {
            FieldNode.createFieldNode(builder, get("values", 3), get("nulls", 0));
        }
        int nodes = builder.endVector();
        int batch =
                RecordBatch.createRecordBatch(
                        builder, get("rows", 3), nodes, placed, compression, 0);
        finish(all, builder, MessageHeader.RecordBatch, batch, get("body", 48));
        all.putLong(said.containsKey("codec") ? get("plain", 24) : 5);
        all.putLong(6);
        all.putLong(7);
        all.putInt((int) get("text0", 0));
        all.putInt((int) get("text1", 2));
        all.putInt(4);
        all.putInt((int) get("text3", 6));
        all.putLong(0x0000_6363_6262_6161L);
    }

    private void finish(
            ByteOutput all, FlatBufferBuilder builder, byte type, int header, long body) {
        builder.finish(
                Message.createMessage(
                        builder,
                        (short) get("version", MetadataVersion.V5),
                        type,
                        header,
                        body,
                        0));
        byte[] bytes = builder.sizedByteArray();
        int padded = Math.ceilDiv(bytes.length, 8) * 8;
        all.putInt((int) get(body == 0 ? "schemaBytes" : "batchBytes", padded));
        all.put(bytes, 0, bytes.length);
        for (int i = bytes.length; i < padded; i++) {
            all.putByte(0);
        }
    }

    private static List<String> read(Path path) throws IOException {
        ColumnFile file = ColumnFile.open(path, TableFormat.ARROW);
        List<String> rows = new ArrayList<>();
        for (int group = 0; group < file.groups(); group++) {
            file.read(
                    group,
                    List.of(0, 1),
                    (batch, _) -> {
                        for (int i = 0; i < batch.rows(); i++) {
                            rows.add(batch.bits(0, i) + batch.text(1, i));
                        }
                        return true;
                    });
        }
        return rows;
    }

    @Test
    void readsTheStreamAsItShouldBe() throws IOException {
        assertThat(read(file(""))).containsExactly("5aa", "6bb", "7cc");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    first=7                 | it begins neither with ARROW1 nor with a message of a stream
                    second=7                | there is no message
                    schemaBytes=-1          | the message at byte 0 should have -1 bytes
                    schemaBytes=2000000000  | the message at byte 0 should have 2000000000 bytes
                    schemaBytes=60000000    | expected 60000000 bytes at byte 8
                    schemaBytes=3           | what it says of itself can't be read
                    batchBytes=-8           | should have -8 bytes
                    batchBytes=50000000     | expected 50000000 bytes at byte
                    version=1               | its metadata are of version 2; 4 and 5 are read
                    firstType=3             | the stream does not begin with a schema
                    fields=0                | its schema names no columns
                    endian=1                | its numbers are big-endian, which is not read
                    type=14                 | a column is a union, which is not read
                    type=99                 | a column is of the unknown type 99
                    cut=4                   | expected 8 bytes at byte
                    cut=40                  | bytes at byte
                    body=-1                 | expected -1 bytes at byte
                    body=9223372036854775807 | expected 9223372036854775807 bytes at byte
                    rows=-1                 | a record batch counts -1 rows
                    rows=9223372036854775807 | a record batch counts 9223372036854775807 rows
                    rows=4                  | a column of a record batch of 4 rows has 3 values, of which 0 are missing
                    rows=400 values=400     | a buffer has 24 bytes, and needs 3200 for 400 rows
                    nulls=-1                | has 3 values, of which -1 are missing
                    nulls=4                 | has 3 values, of which 4 are missing
                    nulls=1                 | a buffer has 0 bytes, and needs 1 for 3 rows
                    nodes=1                 | a record batch has fewer columns than the schema
                    buffers=4               | a record batch has fewer buffers than it needs
                    offset=-8               | a buffer of 24 bytes at -8 goes beyond its body of 48
                    offset=40               | a buffer of 24 bytes at 40 goes beyond its body of 48
                    length=-1               | a buffer of -1 bytes at 0 goes beyond its body of 48
                    length=9223372036854775807 | goes beyond its body of 48
                    length=16               | a buffer has 16 bytes, and needs 24 for 3 rows
                    text0=-1                | column "s" has a text from byte -1 to 2 of 6
                    text1=9                 | column "s" has a text from byte 0 to 9 of 6
                    text1=-2                | column "s" has a text from byte 0 to -2 of 6
                    text3=7                 | column "s" has a text from byte 4 to 7 of 6
                    codec=0                 | a packed buffer can't be unpacked
                    codec=1                 | a packed buffer can't be unpacked
                    codec=9                 | its buffers are packed with the unknown codec 9
                    codec=1 plain=-7        | a buffer of 16 bytes should unpack to -7
                    codec=1 plain=99999999999 | a buffer of 16 bytes should unpack to 99999999999
                    """)
    void refusesWhatMakesNoSense(String changes, String sentence) throws IOException {
        Path file = file(changes);

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(file + ": the Arrow file makes no sense: ")
                .hasMessageContaining(sentence)
                .hasMessageEndingWith(" (write the file again)");
    }

    @Test
    void refusesATextThatNoArrayHolds() throws IOException {
        Path file = file("text1=2147483647 text3=2147483647 textBytes=2147483647 body=2147483687");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            long body = sparse.length() - 2 * Integer.BYTES - 48;
            sparse.setLength(body + 2147483687L);
            sparse.seek(body + 48);
            sparse.write(new byte[2 * Integer.BYTES]); // the end mark was there
        }

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("column \"s\" has a text of 2147483647 bytes; 16777216 are");
    }

    @Test
    void refusesAFooterThatNamesABatchAgainAndAgain() throws IOException {
        List<TableColumn> columns = List.of(TableColumn.of("a", TableColumn.Kind.LONG));
        TableBatch batch = new TableBatch(columns);
        for (int i = 0; i < 1000; i++) {
            batch.putLong(0, i);
            batch.endRow();
        }
        Path file = folder.resolve("a.arrow");
        try (TableFile table = TableFile.create(file, TableFormat.ARROW, columns)) {
            table.write(batch);
            batch.clear();
            batch.putLong(0, 7);
            batch.endRow();
            table.write(batch);
            table.write(batch);
            table.commit();
        }
        byte[] bytes = Files.readAllBytes(file);
        int footerBytes =
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 10);
        ByteBuffer footer =
                ByteBuffer.wrap(bytes, bytes.length - 10 - footerBytes, footerBytes).slice();
        Footer said = Footer.getRootAsFooter(footer);
        long first = said.recordBatches(0).offset();
        for (int i = 1; i < 3; i++) {
            long place = said.recordBatches(i).offset();
            for (int at = 0; at + Long.BYTES <= footer.capacity(); at++) {
                if (footer.getLong(at) == place) {
                    footer.putLong(at, first);
                }
            }
        }
        Files.write(file, bytes);

        assertThatThrownBy(() -> ColumnFile.open(file, TableFormat.ARROW))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("batches of its footer are the same");
    }
}
