package org.starling.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.cli.FakeService;
import org.starling.compute.cluster.UploadFolder;
import org.starling.compute.cluster.UploadService;

/** Files that are brought along, over a real port and into a real folder. */
final class UploadRoutesTest {
    private static final String BYTES = "application/octet-stream";
    private static final String JSON = "application/json";

    @TempDir Path root;

    private final FakeService service = new FakeService();
    private Instant now = InstantSource.system().instant();
    private Desk desk;

    @BeforeEach
    void open(@TempDir Path audit) throws IOException {
        service.setUploads(root, () -> now);
        desk = Desk.open(service, audit);
    }

    @AfterEach
    void close() {
        desk.close();
    }

    @Test
    void takesAFileInPiecesAndGoesOnWhereItWas() throws Exception {
        String id = begin("edges.csv", 10);
        assertThat(bring(id, 0, "1,2\n").statusCode()).isEqualTo(200);

        HttpResponse<byte[]> wrong = bring(id, 0, "1,2\n");
        Map<?, ?> half = Desk.tree(desk.get("/uploads/" + id, null));
        Map<?, ?> whole = Desk.tree(bring(id, 4, "2,3\n4\n"));

        assertThat(wrong.statusCode()).isEqualTo(409);
        assertThat(Desk.error(wrong))
                .isEqualTo(
                        "4 bytes of " + id + " have come; the next piece begins there, not at 0");
        assertThat(half.get("received")).isEqualTo(4L);
        assertThat(half.get("file")).isEqualTo(whole.get("file"));
        assertThat(whole.get("received")).isEqualTo(10L);
        assertThat(Path.of((String) whole.get("file")))
                .startsWith(root)
                .hasContent("1,2\n2,3\n4\n");
    }

    @Test
    void hasNoFileUntilAllOfItHasCome() throws Exception {
        String id = begin("edges.csv", 10);

        Map<?, ?> half = Desk.tree(bring(id, 0, "1,2\n"));

        assertThat(Path.of((String) half.get("file"))).doesNotExist();
    }

    /** The connection ends in the middle of the piece: what has come is there. */
    @Test
    void keepsWhatHasComeOfAPiece() throws Exception {
        String id = begin("edges.csv", 1_000_000);
        desk.breakOff("PUT", "/uploads/" + id, BYTES, 500_000, "1,2\n".repeat(20_000));

        long received = 0;
        while (received < 80_000) {
            received = received(id);
        }

        assertThat(received).isEqualTo(80_000);
        int status = bring(id, received, "2,3\n").statusCode();
        while (status == 409) { // the broken one still has the draft
            status = bring(id, received, "2,3\n").statusCode();
        }
        assertThat(status).isEqualTo(200);
        assertThat(received(id)).isEqualTo(80_004);
    }

    @Test
    void refusesMoreThanWasSaid() throws Exception {
        String id = begin("edges.csv", 3);

        HttpResponse<byte[]> response = bring(id, 0, "1,2\n");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(Desk.error(response)).startsWith("the piece is longer than what is left of");
        assertThat(Desk.tree(desk.get("/uploads/" + id, null)).get("received")).isEqualTo(0L);
    }

    @Test
    void refusesNamesThatLeadElsewhere() throws Exception {
        for (String name : List.of("../x", "a/b", ".hidden", "/etc/x", "")) {
            HttpResponse<byte[]> response =
                    send("/uploads", "{\"name\": \"" + name + "\", \"bytes\": 1}");

            assertThat(response.statusCode()).as(name).isEqualTo(400);
        }
        assertThat(desk.get("/uploads/..%2f..", null).statusCode()).isIn(400, 404);
        assertThat(desk.send("DELETE", "/uploads/abc", JSON, new byte[0]).statusCode())
                .isEqualTo(404);
    }

    @Test
    void removesWhatIsAskedFor() throws Exception {
        String id = begin("edges.csv", 4);
        bring(id, 0, "1,2\n");

        assertThat(desk.send("DELETE", "/uploads/" + id, JSON, new byte[0]).statusCode())
                .isEqualTo(200);

        assertThat(desk.get("/uploads/" + id, null).statusCode()).isEqualTo(404);
        assertThat(desk.send("DELETE", "/uploads/" + id, JSON, new byte[0]).statusCode())
                .isEqualTo(404);
        assertThat(root.resolve(".starling/uploads")).isEmptyDirectory();
    }

    @Test
    void forgetsWhatIsOlderThanADay() throws Exception {
        begin("old.csv", 4);
        now = now.plus(UploadFolder.LIFE).plus(Duration.ofMinutes(1));

        Map<?, ?> listed = Desk.tree(desk.get("/uploads", null));

        assertThat(listed.get("uploads")).isEqualTo(List.of());
    }

    /** A superpeer was lost before it had written the note, say. */
    @Test
    void takesANoteThatCannotBeReadForNone() throws Exception {
        String torn = begin("torn.csv", 4);
        String good = begin("good.csv", 4);
        Files.writeString(root.resolve(".starling/uploads").resolve(torn).resolve(".note"), "{");

        assertThat(desk.get("/uploads/" + torn, null).statusCode()).isEqualTo(404);
        assertThat(new String(desk.get("/uploads", null).body(), StandardCharsets.UTF_8))
                .contains(good)
                .doesNotContain(torn);
        begin("next.csv", 4);
        now = now.plus(UploadFolder.LIFE).plus(Duration.ofMinutes(1));
        desk.get("/uploads", null);
        assertThat(root.resolve(".starling/uploads")).isEmptyDirectory();
    }

    /** What is promised to one file is not promised to the next one. */
    @Test
    void promisesTheSameRoomOnce() throws Exception {
        long most = Files.getFileStore(root).getUsableSpace() - (1L << 30);
        long half = Math.min(UploadService.MAX_BYTES, most / 2 + (64L << 20));
        assumeThat(half).isBetween(most / 2, most);
        begin("first.csv", half);

        HttpResponse<byte[]> second =
                send("/uploads", "{\"name\": \"second.csv\", \"bytes\": %d}".formatted(half));

        assertThat(second.statusCode()).isEqualTo(400);
        assertThat(Desk.error(second))
                .startsWith("there is no room for")
                .contains(half + " are for files that have not come whole yet");
    }

    @Test
    void saysThatThereIsNoFolder(@TempDir Path audit) throws Exception {
        try (Desk other = Desk.open(new FakeService(), audit)) {
            HttpResponse<byte[]> response =
                    other.send(
                            "POST",
                            "/uploads",
                            JSON,
                            "{\"name\": \"x\", \"bytes\": 1}".getBytes(StandardCharsets.UTF_8));

            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(Desk.error(response)).contains("start it with --allow DIR");
        }
    }

    private long received(String id) throws Exception {
        Map<?, ?> view = Desk.tree(desk.get("/uploads/" + id, null));
        return (Long) Objects.requireNonNull(view.get("received"));
    }

    private String begin(String name, long bytes) throws Exception {
        HttpResponse<byte[]> response =
                send("/uploads", "{\"name\": \"%s\", \"bytes\": %d}".formatted(name, bytes));
        assertThat(response.statusCode()).isEqualTo(201);
        return String.valueOf(Desk.tree(response).get("id"));
    }

    private HttpResponse<byte[]> bring(String id, long offset, String piece) throws Exception {
        return desk.send(
                "PUT",
                "/uploads/" + id + "?offset=" + offset,
                BYTES,
                piece.getBytes(StandardCharsets.UTF_8));
    }

    private HttpResponse<byte[]> send(String path, String body) throws Exception {
        return desk.send("POST", path, JSON, body.getBytes(StandardCharsets.UTF_8));
    }
}
