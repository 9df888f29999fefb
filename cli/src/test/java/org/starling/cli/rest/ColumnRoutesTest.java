package org.starling.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.cli.FakeService;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.UnknownNameException;

/** Columns over a real port, of a service without a cluster. */
final class ColumnRoutesTest {
    private static final String ARROW = "application/vnd.apache.arrow.stream";

    private final FakeService service = new FakeService();
    private Desk desk;

    @BeforeEach
    void open(@TempDir Path folder) throws IOException {
        desk = Desk.open(service, folder);
    }

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void tellsAPageOfValuesAsJson() throws Exception {
        Map<?, ?> page =
                tree(desk.get("/graphs/web/columns?columns=double,vertex&offset=1&limit=4", null));

        assertThat(page.get("count")).isEqualTo(5L);
        assertThat(page.get("offset")).isEqualTo(1L);
        assertThat(page.get("columns"))
                .isEqualTo(
                        List.of(
                                Map.of("name", "double", "type", "double"),
                                Map.of("name", "vertex", "type", "vertex")));
        assertThat(JsonText.write(Map.of("ids", page.get("ids"))))
                .isEqualTo("{\"ids\": [3, 0, 12, 18446744073709551615]}");
        assertThat(JsonText.write((Map<String, ?>) castMap(page.get("values"))))
                .isEqualTo(
                        "{\"double\": [0.125, 0.25, 0.375, null], \"vertex\": [null, 0, 12,"
                                + " 18446744073709551615]}");
    }

    @Test
    void tellsEveryKindOfValue() throws Exception {
        Map<?, ?> page = tree(desk.get("/graphs/web/columns?limit=3", "application/json"));

        assertThat(JsonText.write((Map<String, ?>) castMap(page.get("values"))))
                .isEqualTo(
                        "{\"boolean\": [false, true, false], \"double\": [0.0, 0.125, 0.25],"
                                + " \"float\": [0.1, 1.1, 2.1], \"int\": [0, -1, -2], \"long\": [0,"
                                + " 10000000000, 20000000000], \"place\": [[0.1, 1.1], [2.1, 3.1],"
                                + " [4.1, 5.1]], \"string\": [\"Ann\", \"\", \"a \\\"b\\\", c\"],"
                                + " \"vertex\": [7, null, 0]}");
    }

    @Test
    void countsNumbersByBins() throws Exception {
        Map<?, ?> reals = tree(desk.get("/graphs/web/columns/double/histogram?bins=3", null));
        Map<?, ?> whole = tree(desk.get("/graphs/web/columns/int/histogram", null));
        Map<?, ?> wide = tree(desk.get("/graphs/web/columns/long/histogram?bins=2", null));
        Map<?, ?> flags = tree(desk.get("/graphs/web/columns/boolean/histogram", null));

        assertThat(JsonText.write((Map<String, ?>) castMap(reals)))
                .isEqualTo(
                        "{\"column\": \"double\", \"type\": \"double\", \"scale\": \"linear\","
                                + " \"rows\": 5, \"noNumbers\": 1, \"outside\": 0, \"least\": 0.0,"
                                + " \"most\": 0.375, \"mean\": 0.1875, \"bins\": [{\"from\": 0.0,"
                                + " \"to\": 0.125, \"count\": 1}, {\"from\": 0.125, \"to\": 0.25,"
                                + " \"count\": 1}, {\"from\": 0.25, \"to\": 0.375, \"count\": 2}]}");
        assertThat(JsonText.write(Map.of("bins", Objects.requireNonNull(whole.get("bins")))))
                .isEqualTo(
                        "{\"bins\": [{\"from\": -4, \"to\": -4, \"count\": 1}, {\"from\": -3,"
                                + " \"to\": -3, \"count\": 1}, {\"from\": -2, \"to\": -2, \"count\":"
                                + " 1}, {\"from\": -1, \"to\": -1, \"count\": 1}, {\"from\": 0,"
                                + " \"to\": 0, \"count\": 1}]}");
        assertThat(JsonText.write(Map.of("bins", Objects.requireNonNull(wide.get("bins")))))
                .isEqualTo(
                        "{\"bins\": [{\"from\": 0, \"to\": 20000000000, \"count\": 3},"
                                + " {\"from\": 20000000001, \"to\": 40000000000, \"count\": 2}]}");
        assertThat(flags.get("most")).isEqualTo(1L);
    }

    @Test
    void countsNumbersByBinsThatGrow() throws Exception {
        Map<?, ?> page =
                tree(desk.get("/graphs/web/columns/long/histogram?bins=2&scale=log", null));

        assertThat(page.get("outside")).isEqualTo(1L);
        assertThat(page.get("least")).isEqualTo(0L);
        assertThat(JsonText.write(Map.of("bins", Objects.requireNonNull(page.get("bins")))))
                .isEqualTo(
                        "{\"bins\": [{\"from\": 1.0E10, \"to\": 2.0E10, \"count\": 1}, {\"from\":"
                                + " 2.0E10, \"to\": 4.0E10, \"count\": 3}]}");
    }

    @Test
    void refusesAHistogramOfWhatAreNoNumbers() throws Exception {
        HttpResponse<byte[]> texts = desk.get("/graphs/web/columns/string/histogram", null);
        HttpResponse<byte[]> vectors = desk.get("/graphs/web/columns/place/histogram", null);

        assertThat(texts.statusCode()).isEqualTo(400);
        assertThat(Desk.error(texts))
                .isEqualTo("column \"string\" is of type string, and a histogram is of numbers");
        assertThat(Desk.error(vectors)).contains("float[2]");
        assertThat(desk.get("/graphs/web/columns/nothing/histogram", null).statusCode())
                .isEqualTo(404);
        assertThat(Desk.error(desk.get("/graphs/web/columns/int/histogram?bins=201", null)))
                .contains("from 1 to 200");
        assertThat(Desk.error(desk.get("/graphs/web/columns/int/histogram?scale=wide", null)))
                .contains("expected linear or log");
    }

    @Test
    void writesTheWholeAsCsv() throws Exception {
        HttpResponse<byte[]> response =
                desk.get("/graphs/web/columns?columns=string,vertex,place,double", "text/csv");

        assertThat(response.headers().firstValue("Content-Type"))
                .contains("text/csv;charset=utf-8");
        assertThat(new String(response.body(), StandardCharsets.UTF_8))
                .isEqualTo(
                        """
                        id,string,vertex,place,double
                        7,Ann,7,0.1 1.1,0.0
                        3,"",,2.1 3.1,0.125
                        0,"a ""b"", c",0,4.1 5.1,0.25
                        12,日本,12,6.1 7.1,0.375
                        18446744073709551615,"line
                        break",18446744073709551615,8.1 9.1,Infinity
                        """);
    }

    @Test
    void writesTheWholeAsAnArrowStream() throws Exception {
        byte[] bytes = desk.get("/graphs/web/columns", ARROW).body();

        ByteBuffer stream = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        Schema schema = (Schema) next(stream, MessageHeader.Schema).header(new Schema());
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < schema.fieldsLength(); i++) {
            Field field = schema.fields(i);
            fields.add(
                    field.name()
                            + " "
                            + Type.name(field.typeType())
                            + (field.nullable() ? "?" : ""));
        }
        assertThat(fields)
                .containsExactly(
                        "id Int",
                        "boolean Bool",
                        "double FloatingPoint",
                        "float FloatingPoint",
                        "int Int",
                        "long Int",
                        "place FixedSizeList",
                        "string Utf8",
                        "vertex Int?");
        List<Long> rows = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        List<Long> absent = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Message message = next(stream, MessageHeader.RecordBatch);
            RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
            int body = stream.position();
            assertThat(message.bodyLength() % 64).isZero();
            for (int buffer = 0; buffer < batch.buffersLength(); buffer++) {
                assertThat(batch.buffers(buffer).offset() % 64).isZero();
            }
            rows.add(batch.length());
            absent.add(batch.nodes(batch.nodesLength() - 1).nullCount());
            for (int row = 0; row < batch.length(); row++) {
                ids.add(stream.getLong(body + (int) batch.buffers(1).offset() + row * Long.BYTES));
            }
            stream.position(body + (int) message.bodyLength());
        }
        assertThat(rows).containsExactly(2L, 2L, 1L);
        assertThat(absent).containsExactly(1L, 0L, 0L);
        assertThat(ids).containsExactly(7L, 3L, 0L, 12L, -1L);
        assertThat(stream.getInt()).isEqualTo(-1);
        assertThat(stream.getInt()).isZero();
        assertThat(stream.hasRemaining()).isFalse();
    }

    @Test
    void callsVerticesByTheirTextsWhereIdsAreTexts() throws Exception {
        Map<?, ?> page = tree(desk.get("/graphs/people/columns/knows?limit=3", null));
        String csv =
                new String(
                        desk.get("/graphs/people/columns/knows", "text/csv").body(),
                        StandardCharsets.UTF_8);
        ByteBuffer stream =
                ByteBuffer.wrap(desk.get("/graphs/people/columns/knows", ARROW).body())
                        .order(ByteOrder.LITTLE_ENDIAN);

        assertThat(page.get("ids")).isEqualTo(List.of("Ann", "", "a \"b\", c"));
        assertThat(page.get("columns"))
                .isEqualTo(List.of(Map.of("name", "knows", "type", "vertex")));
        assertThat(JsonText.write((Map<String, ?>) castMap(page.get("values"))))
                .isEqualTo("{\"knows\": [\"Ann\", \"\", null]}");
        assertThat(csv)
                .isEqualTo(
                        """
                        id,knows
                        Ann,Ann
                        "",""
                        "a ""b"", c",
                        日本,日本
                        "line
                        break","line
                        break"
                        """);
        Schema schema = (Schema) next(stream, MessageHeader.Schema).header(new Schema());
        for (int i = 0; i < 2; i++) {
            assertThat(Type.name(schema.fields(i).typeType())).isEqualTo("Utf8");
            assertThat(schema.fields(i).nullable()).isEqualTo(i == 1);
        }
        RecordBatch batch =
                (RecordBatch) next(stream, MessageHeader.RecordBatch).header(new RecordBatch());
        byte[] first = new byte[3];
        stream.get(stream.position() + (int) batch.buffers(2).offset(), first);
        assertThat(new String(first, StandardCharsets.UTF_8)).isEqualTo("Ann");
    }

    @Test
    void tellsNoneOfAPageBehindTheEnd() throws Exception {
        Map<?, ?> page = tree(desk.get("/graphs/web/columns/int?offset=9", null));

        assertThat(page.get("ids")).isEqualTo(List.of());
        assertThat(
                        new String(
                                desk.get("/graphs/web/columns/int?offset=9", "text/csv").body(),
                                StandardCharsets.UTF_8))
                .isEqualTo("id,int\n");
        assertThat(tree(desk.get("/graphs/web/columns?columns=", null)).get("values"))
                .isEqualTo(Map.of());
    }

    @Test
    void refusesWhatThereIsNot() throws Exception {
        assertThat(desk.error(404, "/graphs/wep/columns/int", null))
                .isEqualTo("no graph \"wep\" is kept");
        assertThat(desk.error(404, "/graphs/web/columns?columns=int,inn", ARROW))
                .isEqualTo("graph \"web\" has no column \"inn\" of vertices");
        assertThat(desk.error(400, "/graphs/web/columns/int?limit=100001", null))
                .isEqualTo("limit: expected a whole number from 0 to 100000, found \"100001\"");
        assertThat(desk.error(406, "/graphs/web/columns/int", "image/png"))
                .startsWith("columns come as application/json, text/csv or application/vnd.");
    }

    @Test
    void givesRowsThatAConditionHoldsFor() throws Exception {
        Map<?, ?> page = tree(desk.get("/graphs/web/columns/int?where=value%3C-1", null));

        assertThat(page.get("ids"))
                .isEqualTo(List.of(0L, 12L, new BigInteger("18446744073709551615")));
        assertThat(page.get("count")).isEqualTo(3L);
        Map<?, ?> second =
                tree(desk.get("/graphs/web/columns/int?where=value%3C-1&offset=1&limit=1", null));
        assertThat(second.get("ids")).isEqualTo(List.of(12L));
        assertThat(second.get("count")).isEqualTo(3L);
        assertThat(csv("/graphs/web/columns/string?where=value=='Ann'%20or%20value%3E'z'"))
                .isEqualTo("id,string\n7,Ann\n12,日本\n");
        assertThat(csv("/graphs/web/columns/vertex?where=value%3E=0%20or%20value%3C0"))
                .isEqualTo(
                        "id,vertex\n7,7\n0,0\n12,12\n18446744073709551615,18446744073709551615\n");
        assertThat(csv("/graphs/web/columns/place?where=value[1]%3E6"))
                .startsWith("id,place\n12,")
                .contains("\n18446744073709551615,");
    }

    @Test
    void sortsRowsByTheirValues() throws Exception {
        assertThat(csv("/graphs/web/columns/int?sort=asc&limit=2"))
                .isEqualTo("id,int\n18446744073709551615,-4\n12,-3\n");
        assertThat(csv("/graphs/web/columns/int?sort=desc&limit=2&offset=1"))
                .isEqualTo("id,int\n3,-1\n0,-2\n");
        assertThat(csv("/graphs/web/columns/boolean?sort=desc"))
                .isEqualTo(
                        "id,boolean\n3,true\n12,true\n7,false\n0,false\n18446744073709551615,false\n");
        assertThat(csv("/graphs/web/columns/vertex?sort=asc"))
                .startsWith("id,vertex\n0,0\n7,7\n")
                .endsWith("\n3,\n");
        assertThat(csv("/graphs/people/columns/knows?sort=desc"))
                .startsWith("id,knows\n日本,日本\n")
                .endsWith(",\n");
        assertThat(csv("/graphs/web/columns/double?sort=desc&where=value%3C1&limit=1"))
                .isEqualTo("id,double\n12,0.375\n");
        Map<?, ?> none = tree(desk.get("/graphs/web/columns/int?sort=asc&where=value%3E9", null));
        assertThat(none.get("count")).isEqualTo(0L);
        assertThat(none.get("ids")).isEqualTo(List.of());
        assertThat(desk.get("/graphs/web/columns/int?sort=asc", ARROW).body()).isNotEmpty();
    }

    @Test
    void refusesConditionsAndOrdersThatMakeNoSense() throws Exception {
        assertThat(desk.error(400, "/graphs/web/columns/int?sort=up", null))
                .isEqualTo("sort: expected asc or desc, found \"up\"");
        assertThat(desk.error(400, "/graphs/web/columns/place?sort=asc", null))
                .isEqualTo("sort: values of place are vectors, which have no order");
        assertThat(desk.error(400, "/graphs/web/columns/int?where=value%3E", ARROW))
                .startsWith("where: at character 7 of");
        assertThat(desk.error(400, "/graphs/web/columns/int?where=int%3E1", null))
                .contains("a condition here is about \"value\" alone");
        assertThat(desk.error(400, "/graphs/web/columns/int?where=value%2B1", "text/csv"))
                .contains("expected something that is true or false");
        assertThat(desk.error(400, "/graphs/web/columns/string?where=value%3E1", null))
                .startsWith("where: ");
    }

    private String csv(String path) throws Exception {
        return new String(desk.get(path, "text/csv").body(), StandardCharsets.UTF_8);
    }

    @Test
    void takesTheFirstTypeThatThereIs() throws Exception {
        assertThat(contentType("text/html, text/*;q=0.5")).isEqualTo("text/csv;charset=utf-8");
        assertThat(contentType("application/pdf, " + ARROW + ", text/csv")).isEqualTo(ARROW);
        assertThat(contentType("*/*")).isEqualTo("application/json");
    }

    /** Behind the first batch nothing else can be said any more. */
    @Test
    void endsTheConnectionWhereReadingBreaksOff() throws Exception {
        service.columns().breakAfter(1);

        assertThatThrownBy(() -> desk.get("/graphs/web/columns/int", "text/csv"))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> desk.get("/graphs/web/columns/int", ARROW))
                .isInstanceOf(IOException.class);
        service.columns().breakAfter(0);
        assertThat(desk.error(503, "/graphs/web/columns/int", ARROW))
                .isEqualTo("a part of the graph is being recovered");
    }

    /** What was wrong is no matter: half an answer must not look like a whole one. */
    @Test
    void endsTheConnectionWhereTheGraphIsDroppedMidway() {
        service.columns()
                .breakAfter(1, new UnknownNameException("no graph \"web\" is kept any more"));

        for (String type : List.of("text/csv", ARROW)) {
            assertThatThrownBy(() -> desk.get("/graphs/web/columns/int", type))
                    .as(type)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void tellsAMillionValuesInAPageAtMost() throws Exception {
        assertThat(desk.error(400, "/graphs/web/columns/wide?limit=4", null))
                .startsWith(
                        "limit: 4 rows of 300001 values are more than the 1000000 values of a page; take 3 rows,");

        assertThat(read("/graphs/web/columns/wide")).contains("\"ids\": [7, 3, 0]");
        assertThat(read("/graphs/web/columns/wide?limit=2&offset=3")).contains("\"offset\": 3,");
    }

    @Test
    void tellsWhoComesToASuperpeerThatReadsEnoughAlready() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        AtomicInteger depth = new AtomicInteger();
        service.columns()
                .whileReading(() -> {
                    if (depth.incrementAndGet() < ColumnRoutes.MAX_READINGS) {
                        read("/graphs/web/columns/int");
                    } else {
                        told.add(read("/graphs/web/columns/int"));
                    }
                });

        String outermost = read("/graphs/web/columns/int");
        service.columns().whileReading(() -> {});

        assertThat(told)
                .containsExactly(
                        "{\"error\": \"16 columns are being read from this superpeer already; ask again soon\"}");
        assertThat(outermost).contains("ids");
        assertThat(read("/graphs/web/columns/int")).contains("ids");
    }

    private String read(String path) {
        try {
            return new String(desk.get(path, null).body(), StandardCharsets.UTF_8).strip();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private String contentType(String accepted) throws Exception {
        return desk.get("/graphs/web/columns/int", accepted)
                .headers()
                .firstValue("Content-Type")
                .orElse("");
    }

    private static Message next(ByteBuffer stream, byte type) {
        assertThat(stream.getInt()).isEqualTo(-1);
        int bytes = stream.getInt();
        assertThat(bytes % 8).isZero();
        ByteBuffer metadata = stream.slice(stream.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
        stream.position(stream.position() + bytes);
        Message message = Message.getRootAsMessage(metadata);
        assertThat(message.headerType()).isEqualTo(type);
        return message;
    }

    private static Map<?, ?> tree(HttpResponse<byte[]> response) {
        return Desk.tree(response);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> castMap(@Nullable Object tree) {
        return (Map<String, Object>) Objects.requireNonNull(tree);
    }
}
