package org.starling.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.cli.FakeMonitor;
import org.starling.cli.FakeService;
import org.starling.cli.FakeTokens;
import org.starling.compute.access.TokenService;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiEndpoint;
import org.starling.compute.cluster.ApiService;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.GraphDetail;
import org.starling.compute.cluster.GraphView;
import org.starling.compute.cluster.JarService;
import org.starling.compute.cluster.JobView;
import org.starling.compute.cluster.LogLine;
import org.starling.compute.cluster.NetworkView;
import org.starling.compute.cluster.RecoveriesView;
import org.starling.compute.cluster.RemovedView;
import org.starling.compute.cluster.ResultService;
import org.starling.compute.cluster.UploadService;
import org.starling.compute.cluster.ZoneMoveView;
import org.starling.compute.columns.ColumnService;
import org.starling.compute.script.InvalidScriptException;
import org.starling.compute.script.JobCourse;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.ScriptPlan;
import org.starling.graph.GraphQueries;
import org.starling.graph.InvalidInputException;

/** The REST interface on a real port, over a service without a cluster. */
final class RestEndpointTest {
    private static final String SCRIPT =
            "{\"name\": \"s\", \"tasks\": [{\"task\": \"test.obey\"}]}";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final AccessToken TOKEN = AccessToken.fresh();
    private static final RestEndpoint ENDPOINT = new RestEndpoint();
    private static final SwitchedService DESK = new SwitchedService();
    private static ApiEndpoint.Open open = () -> {};
    private static int port;

    @TempDir Path folder;

    private final FakeService service = new FakeService();

    @BeforeAll
    static void open(@TempDir Path audit) throws IOException {
        port = freePort();
        open =
                ENDPOINT.open(
                        address(port), DESK, FakeTokens.access(TOKEN, audit), new FakeMonitor());
    }

    @AfterAll
    static void close() {
        open.close();
    }

    @BeforeEach
    void takeAFreshDesk() {
        DESK.service = service;
    }

    @Test
    void submitsJobsAndTellsHowTheyAre() {
        try (ClusterClient client = client()) {
            long first = client.submit(request(SCRIPT), 7);
            long second = client.submit(request(SCRIPT), 8);
            service.end(first, JobView.Status.SUCCEEDED, "{\"job\": 1, \"status\": \"succeeded\"}");

            assertThat(client.jobs())
                    .containsExactly(
                            FakeService.job(first, "s", JobView.Status.SUCCEEDED, 1, false),
                            FakeService.job(second, "s", JobView.Status.QUEUED, 0, false));
            assertThat(client.job(second)).map(JobView::status).contains(JobView.Status.QUEUED);
            assertThat(client.job(99)).isEmpty();
            assertThat(client.report(first)).contains("{\"job\": 1, \"status\": \"succeeded\"}");
            assertThat(client.report(second)).isEmpty();
            assertThat(service.requests()).containsExactly(request(SCRIPT), request(SCRIPT));
        }
    }

    @Test
    void checksAJobAndTellsHowOneHasGone() {
        try (ClusterClient client = client()) {
            assertThat(client.check(request(SCRIPT)).script()).isEqualTo("s");
            assertThat(service.requests()).isEmpty();
            long id = client.submit(request(SCRIPT), 7);
            assertThat(client.course(id)).as("it waits").isEmpty();
            service.move(id, JobView.Status.RUNNING, 1);

            assertThat(client.course(id))
                    .contains(
                            new JobCourse(
                                    List.of(
                                            new JobCourse.Point(
                                                    1, "graph.bfs", 0, 0, 34, 156, false))));
            assertThat(client.course(99)).isEmpty();
            assertThat(client.folders()).containsExactly(Path.of("/shared"));
        }
    }

    @Test
    void takesARepeatedSubmissionForTheSameJob() {
        try (ClusterClient client = client()) {
            long first = client.submit(request(SCRIPT), -1);

            assertThat(client.submit(request(SCRIPT), -1)).isEqualTo(first);
        }
    }

    @Test
    void cancelsWhatHasNotEnded() {
        try (ClusterClient client = client()) {
            long id = client.submit(request(SCRIPT), 1);

            assertThat(client.cancel(id)).isTrue();
            assertThat(client.cancel(id)).isFalse();
            assertThat(client.cancel(99)).isFalse();
            assertThat(client.job(id)).map(JobView::status).contains(JobView.Status.CANCELLED);
        }
    }

    @Test
    void streamsResultsAndForgetsThem() throws IOException {
        byte[] bytes = new byte[3_000_000];
        new java.util.Random(7).nextBytes(bytes);
        service.results().put("a b/ranks.txt", bytes);
        service.results().put("empty", new byte[0]);
        try (ClusterClient client = client()) {
            java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();

            List<ResultService.ResultView> results = client.results().list(1);
            for (ResultService.ResultView result : results) {
                client.results().read(1, result, out);
            }

            assertThat(results)
                    .containsExactly(
                            new ResultService.ResultView("a b/ranks.txt", bytes.length),
                            new ResultService.ResultView("empty", 0));
            assertThat(out.toByteArray()).isEqualTo(bytes);
            service.results().breakAfter(1000);
            assertThatThrownBy(() ->
                            client.results()
                                    .read(
                                            1,
                                            results.getFirst(),
                                            java.io.OutputStream.nullOutputStream()))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("\"a b/ranks.txt\" of job 1 does not come");
            client.results().remove(1);
            assertThat(client.results().list(1)).isEmpty();
        }
    }

    @Test
    void showsTheClusterWhole() {
        try (ClusterClient client = client()) {
            ClusterView view = client.status();

            assertThat(view).isEqualTo(service.status());
        }
    }

    @Test
    void showsTheNetworksOfTheNodes() {
        try (ClusterClient client = client()) {
            assertThat(client.networks()).isEqualTo(service.networks());
            assertThat(client.recoveries()).isEqualTo(service.recoveries());
        }
    }

    @Test
    void refusesAScriptWithEveryReason() {
        String wrong =
                "{\"tasks\": [{\"task\": \"test.oby\"}, {\"task\": \"test.obey\", \"n\": 1}]}";

        try (ClusterClient client = client()) {
            assertThatThrownBy(() -> client.submit(request(wrong), 1))
                    .isInstanceOf(InvalidScriptException.class)
                    .hasMessageContaining("$.tasks[0].task: unknown task \"test.oby\"")
                    .hasMessageContaining("$.tasks[1].n: unknown argument");
        }
    }

    @Test
    void refusesAFolderThatIsNotThere() {
        JobRequest lost = new JobRequest("s", SCRIPT, Map.of(), false, folder.resolve("x"));

        try (ClusterClient client = client()) {
            assertThatThrownBy(() -> client.submit(lost, 1))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("there is no folder " + folder.resolve("x"));
        }
    }

    @Test
    void asksTheNextSuperpeerWhenOneIsGone() throws IOException {
        URI nobody = URI.create("http://127.0.0.1:" + freePort());

        try (ClusterClient client = new ClusterClient(List.of(nobody, url()), TOKEN)) {
            assertThat(client.jobs()).isEmpty();
        }
    }

    @Test
    void saysWhenThereIsNoLeader() {
        service.setDown(true);

        try (ClusterClient client = client()) {
            assertThatThrownBy(client::jobs)
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("no cluster answers at " + url())
                    .hasMessageContaining("no leader");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    GET    | /jobs/9        | 404 | there is no job 9, or it ended long ago
                    GET    | /jobs/9/report | 404 | there is no job 9, or it ended long ago
                    DELETE | /jobs/9        | 404 | there is no job 9, or it ended long ago
                    GET    | /jobs/nine     | 400 | a job has a number, found "nine"
                    GET    | /jobs/1/report | 409 | job 1 has not ended: it has no report yet
                    DELETE | /jobs/2        | 409 | job 2 has ended already
                    POST   | /jobs          | 415 | a job is submitted as application/json
                    """)
    void answersWithAStatusAndASentence(String method, String path, int status, String sentence)
            throws Exception {
        service.submit(request(SCRIPT), 1);
        service.end(service.submit(request(SCRIPT), 2), JobView.Status.FAILED, "{}");

        HttpResponse<String> response =
                send(HttpRequest.newBuilder().method(method, BodyPublishers.ofString("x")), path);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(tree(response)).isEqualTo(Map.of("error", sentence));
    }

    @ParameterizedTest
    @CsvSource({"PUT, /jobs, 405", "GET, /nowhere, 404"})
    void answersInJsonWhereThereIsNothing(String method, String path, int status) throws Exception {
        HttpResponse<String> response =
                send(HttpRequest.newBuilder().method(method, BodyPublishers.noBody()), path);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(tree(response)).containsOnlyKeys("error");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {                                     | the request is not JSON
                    []                                    | a request is a JSON object
                    {"script": "{}"}                      | folder: expected a text
                    {"script": 1, "folder": "/"}          | script: expected a text
                    {"script": "{}", "folder": "x"}       | folder: expected an absolute path, found x
                    {"scrpt": "{}", "folder": "/"}        | scrpt: unknown name
                    {"script": "", "folder": "/", "parameters": {"a": 1}} | parameters.a: expected a text
                    """)
    void refusesWhatIsNoRequest(String body, String reason) throws Exception {
        HttpResponse<String> response = post(body);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(tree(response).get("error")).asString().contains(reason);
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void refusesARequestThatIsTooLarge() throws Exception {
        HttpResponse<String> response = post(" ".repeat(JobRequest.MAX_BYTES + 1));

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(tree(response)).containsOnlyKeys("error");
    }

    @Test
    void refusesABodyWithoutALengthThatIsTooLarge() throws Exception {
        // no more than that: of a connection that is closed while more comes the answer may be lost
        byte[] body = new byte[JobRequest.MAX_BYTES + 1];
        HttpRequest.Builder endless =
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)));

        HttpResponse<String> response = send(endless, "/jobs");

        assertThat(response.statusCode()).isEqualTo(413);
    }

    @Test
    void refusesWhatWebPagesCouldSend() throws Exception {
        String otherHost =
                raw("GET /api/v1/jobs HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
        HttpResponse<String> otherOrigin =
                send(
                        HttpRequest.newBuilder().header("Origin", "http://evil.example").GET(),
                        "/jobs");
        HttpResponse<String> otherPort =
                send(
                        HttpRequest.newBuilder().header("Origin", "http://localhost:3000").GET(),
                        "/jobs");

        assertThat(otherPort.statusCode()).isEqualTo(403);
        assertThat(otherHost).startsWith("HTTP/1.1 403").contains("127.0.0.1 only");
        assertThat(otherOrigin.statusCode()).isEqualTo(403);
        assertThat(otherOrigin.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /jobs",
        "POST, /jobs",
        "GET, /jobs/1",
        "DELETE, /jobs/1",
        "GET, /jobs/1/report",
        "GET, /status",
        "GET, /networks",
        "GET, /recoveries",
        "POST, /nodes/3/drain",
        "DELETE, /nodes/5",
        "POST, /rebalance",
        "GET, /nodes/3/log",
        "GET, /nowhere",
    })
    void asksForTheTokenOnTheLoopbackToo(String method, String path) throws Exception {
        service.submit(request(SCRIPT), 1);
        List<String> wrong =
                List.of(
                        "",
                        "Bearer",
                        "Bearer ",
                        AccessToken.fresh().header(),
                        TOKEN.text(),
                        TOKEN.header() + "0",
                        TOKEN.header().substring(0, TOKEN.header().length() - 1),
                        TOKEN.header().toUpperCase(Locale.ROOT));

        for (String header : wrong) {
            HttpRequest.Builder builder =
                    HttpRequest.newBuilder(url().resolve("/api/v1" + path))
                            .method(method, BodyPublishers.ofString(request(SCRIPT).json()))
                            .header("Content-Type", "application/json");
            HttpRequest asked =
                    header.isEmpty()
                            ? builder.build()
                            : builder.header(AccessToken.HEADER, header).build();

            HttpResponse<String> response = HTTP.send(asked, BodyHandlers.ofString());

            assertThat(response.statusCode()).as(header).isEqualTo(401);
            assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            assertThat(tree(response)).containsOnlyKeys("error");
            assertThat(response.body()).contains("--token").doesNotContain(TOKEN.text());
        }
        assertThat(service.requests()).hasSize(1);
        assertThat(service.job(1)).get().matches(job -> !job.cancelRequested());
    }

    @Test
    void takesNoTokenFromAnAddress() throws Exception {
        HttpRequest asked =
                HttpRequest.newBuilder(url().resolve("/api/v1/jobs?access_token=" + TOKEN.text()))
                        .build();

        assertThat(HTTP.send(asked, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
    }

    @Test
    void describesItselfToAll() throws Exception {
        HttpRequest asked = HttpRequest.newBuilder(url().resolve("/api/v1/openapi.json")).build();

        assertThat(HTTP.send(asked, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    /** A request can't say which folders it may use: the cluster's configuration does. */
    @Test
    void takesNoRootsFromARequest() throws Exception {
        HttpResponse<String> response =
                post("{\"script\": \"{}\", \"folder\": \"/\", \"roots\": [\"/\"]}");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(tree(response).get("error")).asString().startsWith("roots: unknown name");
    }

    @Test
    void saysThatTooManyJobsWaitAndDoesNotBlameTheDirectory() throws Exception {
        service.setFull("there is no room for a job of 7 bytes: 3 jobs wait or run");

        HttpResponse<String> response = post(request(SCRIPT).json());

        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(tree(response))
                .isEqualTo(
                        Map.of(
                                "error",
                                "there is no room for a job of 7 bytes: 3 jobs wait or run"));
        try (ClusterClient client = client()) {
            assertThatThrownBy(() -> client.submit(request(SCRIPT), 1))
                    .isInstanceOf(ClusterException.class)
                    .hasMessage("there is no room for a job of 7 bytes: 3 jobs wait or run");
        }
    }

    /** What never comes to a route is refused by the server itself: in JSON, too. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    GET /api/v1/jobs HTTP/1.1                            | 400
                    GET /api/v1/jobs HTTP/1.1~Host: 127.0.0.1~Host: b    | 400
                    GET /api/v1/jobs HTTP/1.1~Host: a b                  | 400
                    GET /api/v1/jobs HTTP/1.1~Host: 127.0.0.1~no header  | 400
                    GET /api/v1/%zz HTTP/1.1~Host: 127.0.0.1             | 400
                    GET /api/v1/..%2f..%2fjobs HTTP/1.1~Host: 127.0.0.1~Connection: close | 401
                    GET /api/v1/jobs HTTP/9.1~Host: 127.0.0.1            | 505
                    G(T /api/v1/jobs HTTP/1.1~Host: 127.0.0.1            | 400
                    nonsense                                             | 400
                    GET /api/v1/jobs HTTP/1.1~Host: 127.0.0.1~X: LONG    | 431
                    GET /LONG HTTP/1.1~Host: 127.0.0.1                   | 414
                    POST /api/v1/jobs HTTP/1.1~Host: 127.0.0.1~Content-Length: -1   | 400
                    POST /api/v1/jobs HTTP/1.1~Host: 127.0.0.1~Content-Length: 9e18 | 400
                    POST /api/v1/jobs HTTP/1.1~Host: 127.0.0.1~Content-Length: 9~Content-Length: 8 | 400
                    POST /api/v1/jobs HTTP/1.1~Host: 127.0.0.1~Transfer-Encoding: x | 400
                    """)
    void answersInJsonWhatIsNoRequest(String text, int status) throws IOException {
        String filled = text.replace("LONG", "x".repeat(RestEndpoint.MAX_HEADER_BYTES));

        String answer = raw(filled.replace("~", "\r\n") + "\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 " + status).contains("application/json");
        assertThat(JsonText.parse(answer.substring(answer.indexOf("\r\n\r\n") + 4)))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsOnlyKeys("error");
    }

    /** Lengths that no body has, and bodies that never end, are refused at once. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 9000000",
                "Content-Length: 9000000000000000000",
                "Content-Length: 9223372036854775807",
                "Content-Length: 99999999999999999999",
            })
    void refusesALengthThatIsTooLargeBeforeTheBodyComes(String length) throws IOException {
        String answer =
                raw(
                        "POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%s: %s\r\n%s\r\n\r\n{"
                                .formatted(AccessToken.HEADER, TOKEN.header(), length));

        assertThat(answer).containsPattern("^HTTP/1.1 4(13|00)").contains("application/json");
        assertThat(answer.startsWith("HTTP/1.1 413")).isEqualTo(!length.endsWith("99999999"));
    }

    /** The description is for all, so its bodies are those of strangers. */
    @Test
    void waitsForNoBodyOfAStranger() throws IOException {
        String answer =
                raw(
                        "POST /api/v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n{"
                                .formatted(2 * JobRequest.MAX_BYTES));

        assertThat(answer).startsWith("HTTP/1.1 413");
    }

    /**
     * Requests half sent and kept open, four times as many as the server has threads: whoever comes
     * later is answered at once.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
                "POST /api/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
            })
    void answersWhileHundredsOfConnectionsStayHalfOpen(String half) throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (ClusterClient client = client()) {
            for (int i = 0; i < 1000; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                slow.add(socket);
                socket.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));
            }
            long start = System.nanoTime();

            assertThat(client.jobs()).isEmpty();
            assertThat(send(HttpRequest.newBuilder().GET(), "/status").statusCode()).isEqualTo(200);

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(RestConnections.PROOF_TIMEOUT.multipliedBy(3));
            while (slow.stream().filter(RestEndpointTest::isOpen).count()
                    > RestConnections.MAX_STRANGERS) {
                Thread.onSpinWait(); // the last of them may not have been accepted yet
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /** From one connection of a flood to the next. */
    private static final long FLOOD_PAUSE_NANOS = 200_000;

    /** Some thousand in a second, by whoever wants to push others out. */
    @Test
    void answersWhileStrangersOpenConnectionsWithoutEnd() throws Exception {
        AtomicBoolean end = new AtomicBoolean();
        AtomicInteger opened = new AtomicInteger();
        Thread flood =
                Thread.ofPlatform()
                        .start(() -> {
                            ArrayDeque<Socket> open = new ArrayDeque<>();
                            try {
                                while (!end.get()) {
                                    open.add(new Socket(InetAddress.getLoopbackAddress(), port));
                                    opened.incrementAndGet();
                                    LockSupport.parkNanos(FLOOD_PAUSE_NANOS);
                                    if (open.size() > 2000) {
                                        open.remove().close();
                                    }
                                }
                                for (Socket socket : open) {
                                    socket.close();
                                }
                            } catch (IOException refused) {
                                throw new UncheckedIOException(refused);
                            }
                        });
        List<String> refused = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            try (ClusterClient client = client()) {
                client.jobs();
            } catch (ClusterException broken) {
                refused.add(broken.getMessage());
            }
        }
        end.set(true);
        flood.join();
        assertThat(opened).hasValueGreaterThan(RestConnections.MAX_STRANGERS);
        assertThat(refused).isEmpty();
    }

    /** A byte now and then does not keep a stranger's connection open. */
    @Test
    @Tag("slow")
    void endsAConnectionThatNeverCompletesItsHeaders() throws Exception {
        long start = System.nanoTime();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            while (isOpen(socket)) {
                socket.getOutputStream().write('x');
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isLessThan(RestConnections.PROOF_TIMEOUT.multipliedBy(4));
            }
        } catch (SocketException closed) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThan(RestConnections.PROOF_TIMEOUT.dividedBy(2));
        }
    }

    /** Whether the server has left a connection open, as far as can be seen within 50 ms. */
    private static boolean isOpen(Socket socket) {
        try {
            socket.setSoTimeout(1);
            while (socket.getInputStream().read() >= 0) {
                // what it has said
            }
            return false;
        } catch (SocketTimeoutException nothing) {
            return true;
        } catch (IOException reset) {
            return false;
        }
    }

    @Test
    void showsMovesAndDropsGraphs() throws Exception {
        FakeService graphs = new FakeService();
        graphs.keep("a graph", 3);
        DESK.service = graphs;

        assertThat(tree(send(HttpRequest.newBuilder().GET(), "/graphs")))
                .extractingByKey("graphs", InstanceOfAssertFactories.LIST)
                .hasSize(1);
        assertThat(tree(send(HttpRequest.newBuilder().GET(), "/graphs/a%20graph")))
                .containsEntry("name", "a graph")
                .containsEntry("jobs", List.of(7L));
        assertThat(send(HttpRequest.newBuilder().GET(), "/graphs/b").statusCode()).isEqualTo(404);
        assertThat(postTo("/graphs/a%20graph/copy", "{\"to\": \"b\"}").statusCode()).isEqualTo(200);
        assertThat(postTo("/graphs/b/rename", "{\"to\": \"c\"}").statusCode()).isEqualTo(200);
        assertThat(postTo("/graphs/c/rename", "{\"two\": 7}").body())
                .contains("expected {\\\"to\\\"");
        assertThat(send(HttpRequest.newBuilder().DELETE(), "/graphs/c").statusCode())
                .isEqualTo(200);
        HttpResponse<String> again = send(HttpRequest.newBuilder().DELETE(), "/graphs/c");
        assertThat(again.statusCode()).isEqualTo(400);
        assertThat(again.body()).contains("no graph");
        assertThat(
                        send(
                                        HttpRequest.newBuilder()
                                                .POST(BodyPublishers.ofString("{\"to\": \"b\"}")),
                                        "/graphs/a/copy")
                                .statusCode())
                .as("a body that is not declared as JSON")
                .isEqualTo(415);
        assertThat(graphs.graphs()).extracting(graph -> graph.name()).containsExactly("a graph");
        HttpResponse<String> rash = send(HttpRequest.newBuilder().DELETE(), "/graphs");
        assertThat(rash.statusCode()).isEqualTo(400);
        assertThat(rash.body()).contains("acceptLoss: expected true");
        assertThat(send(HttpRequest.newBuilder().DELETE(), "/graphs?acceptLoss=true").statusCode())
                .isEqualTo(200);
        assertThat(graphs.graphs()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vertices/2/neighbours | 200 | {\"graph\": \"a graph\", \"vertex\": 2, \"direction\": \"out\", \"count\": 2, \"offset\": 0, \"neighbours\": [3, 4], \"weights\": [2.5, 2.5]}",
                "vertices/3/neighbours?direction=in&limit=1&offset=1 | 200 | {\"graph\": \"a graph\", \"vertex\": 3, \"direction\": \"in\", \"count\": 3, \"offset\": 1, \"neighbours\": [1], \"weights\": [3.5]}",
                "vertices/18446744073709551615/neighbours?limit=0 | 200 | {\"graph\": \"a graph\", \"vertex\": 18446744073709551615, \"direction\": \"out\", \"count\": 1, \"offset\": 0, \"neighbours\": []}",
                "vertices/4/value?column=rank | 200 | {\"graph\": \"a graph\", \"vertex\": 4, \"column\": \"rank\", \"type\": \"double\", \"value\": 0.5}",
                "vertices/4/value?column=parent | 200 | {\"graph\": \"a graph\", \"vertex\": 4, \"column\": \"parent\", \"type\": \"vertex\", \"value\": null}",
                "path?from=1&to=3 | 200 | {\"graph\": \"a graph\", \"from\": 1, \"to\": 3, \"found\": true, \"complete\": true, \"length\": 2, \"path\": [1, 2, 3], \"visited\": 7}",
                "path?from=3&to=1 | 200 | {\"graph\": \"a graph\", \"from\": 3, \"to\": 1, \"found\": false, \"complete\": true, \"length\": null, \"path\": [], \"visited\": 4}",
                "vertices/77/neighbours | 404 | {\"error\": \"graph \\\"a graph\\\" has no vertex 77\"}",
                "vertices/4/value?column=rink | 404 | {\"error\": \"graph \\\"a graph\\\" has no column \\\"rink\\\"\"}",
                "vertices/4/value | 400 | {\"error\": \"the request does not say \\\"column\\\"\"}",
                "vertices/-4/neighbours | 400 | {\"error\": \"the vertex: expected an id, a whole number from 0 to 2^64 - 1, found \\\"-4\\\"\"}",
                "vertices/4/neighbours?limit=10001 | 400 | {\"error\": \"limit: expected a whole number from 0 to 10000, found \\\"10001\\\"\"}",
                "vertices/4/neighbours?direction=inn | 400 | {\"error\": \"direction can't be \\\"inn\\\"; did you mean \\\"in\\\"?\"}",
                "path?from=4 | 400 | {\"error\": \"the request does not say \\\"to\\\"\"}",
                "path?from=1&to=2&timeLimitMillis=0 | 400 | {\"error\": \"timeLimitMillis: expected a whole number from 1 to 10000, found \\\"0\\\"\"}"
            },
            quoteCharacter = '`')
    void answersQuestionsAboutVertices(String path, int status, String expected) throws Exception {
        FakeService graphs = new FakeService();
        graphs.keep("a graph", 3);
        DESK.service = graphs;

        HttpResponse<String> response =
                send(HttpRequest.newBuilder().GET(), "/graphs/a%20graph/" + path);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.body()).isEqualTo(expected);
    }

    @Test
    void refusesQuestionsAboutVerticesWithoutTheToken() throws Exception {
        HttpRequest stranger =
                HttpRequest.newBuilder(url().resolve("/api/v1/graphs/g/vertices/1/neighbours"))
                        .build();

        assertThat(HTTP.send(stranger, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(401);
    }

    @Test
    void describesEveryPath() throws Exception {
        HttpResponse<String> response = send(HttpRequest.newBuilder().GET(), "/openapi.json");

        assertThat(tree(response))
                .containsEntry("openapi", "3.1.0")
                .extractingByKey("paths", InstanceOfAssertFactories.MAP)
                .containsOnlyKeys(
                        "/jobs",
                        "/jobs/{id}",
                        "/jobs/{id}/report",
                        "/jobs/{id}/course",
                        "/jobs/check",
                        "/session",
                        "/events",
                        "/schema",
                        "/jobs/{id}/results",
                        "/jobs/{id}/results/file",
                        "/jars",
                        "/jars/missing",
                        "/jars/{digest}",
                        "/graphs",
                        "/graphs/{name}",
                        "/graphs/{name}/rename",
                        "/graphs/{name}/copy",
                        "/graphs/{name}/columns",
                        "/graphs/{name}/columns/{column}",
                        "/graphs/{name}/columns/{column}/histogram",
                        "/uploads",
                        "/uploads/{upload}",
                        "/graphs/{name}/vertices/{id}/neighbours",
                        "/graphs/{name}/vertices/{id}/value",
                        "/graphs/{name}/path",
                        "/status",
                        "/nodes/{node}/drain",
                        "/nodes/{node}",
                        "/nodes/{node}/log",
                        "/rebalance",
                        "/networks",
                        "/recoveries",
                        "/tokens",
                        "/tokens/{name}",
                        "/openapi.json");
        assertThat(tree(response)).containsEntry("security", List.of(Map.of("token", List.of())));
        assertThat(response.body()).doesNotContain("roots").contains("\"429\"", "\"401\"");
    }

    @Test
    void saysWhenAPortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress there = address(taken.getLocalPort());

            assertThatThrownBy(() ->
                            ENDPOINT.open(
                                    there,
                                    service,
                                    FakeTokens.access(TOKEN, folder),
                                    new FakeMonitor()))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("port " + taken.getLocalPort());
        }
    }

    @Test
    void letsAPeerLeaveAndRefusesWhatIsNone() throws Exception {
        HttpResponse<String> taken = postTo("/nodes/3/drain", "");
        HttpResponse<String> superpeer = postTo("/nodes/0/drain", "");
        HttpResponse<String> word = postTo("/nodes/peer-1/drain", "");

        assertThat(taken.statusCode()).isEqualTo(202);
        assertThat(taken.body()).contains("\"leaving\": true");
        assertThat(superpeer.statusCode()).isEqualTo(400);
        assertThat(superpeer.body()).contains("node 0 is no peer");
        assertThat(word.statusCode()).isEqualTo(400);
        assertThat(word.body()).contains("expected the id of a node");
    }

    @Test
    void removesAPeerThatIsGoneAndRefusesOneThatIsThere() throws Exception {
        HttpResponse<String> gone = send(HttpRequest.newBuilder().DELETE(), "/nodes/5");
        HttpResponse<String> there = send(HttpRequest.newBuilder().DELETE(), "/nodes/3");
        HttpResponse<String> needed = send(HttpRequest.newBuilder().DELETE(), "/nodes/7");
        HttpResponse<String> accepted =
                send(HttpRequest.newBuilder().DELETE(), "/nodes/7?acceptLoss=true");
        HttpResponse<String> unclear =
                send(HttpRequest.newBuilder().DELETE(), "/nodes/7?acceptLoss=yes");

        assertThat(gone.statusCode()).isEqualTo(200);
        assertThat(tree(gone)).containsEntry("node", 5L).containsEntry("damaged", 0L);
        assertThat(there.statusCode()).isEqualTo(400);
        assertThat(there.body()).contains("drain it first");
        assertThat(needed.statusCode()).isEqualTo(400);
        assertThat(tree(accepted)).containsEntry("damaged", 2L);
        assertThat(unclear.statusCode()).isEqualTo(400);
        assertThat(unclear.body()).contains("acceptLoss: expected true or false");
    }

    @Test
    void movesAZoneAndSaysWhenThereIsNoneToMove() throws Exception {
        service.makeUneven(1);

        HttpResponse<String> moved = postTo("/rebalance", "");
        HttpResponse<String> even = postTo("/rebalance", "");

        assertThat(moved.statusCode()).isEqualTo(200);
        assertThat(tree(moved).get("moved"))
                .isEqualTo(Map.of("zone", "180002", "bytes", 3L << 20, "from", 3L, "to", 4L));
        assertThat(even.statusCode()).isEqualTo(200);
        assertThat(tree(even)).containsEntry("moved", null);
    }

    @Test
    void tellsTheLastLinesOfANodesLog() throws Exception {
        HttpResponse<String> all = getFrom("/nodes/3/log");
        HttpResponse<String> last = getFrom("/nodes/3/log?lines=1");
        HttpResponse<String> urgent = getFrom("/nodes/3/log?level=warn");

        assertThat(tree(all).get("node")).isEqualTo(3L);
        assertThat((List<?>) tree(all).get("lines")).hasSize(2);
        assertThat(last.body()).contains("two").doesNotContain("one");
        assertThat(tree(urgent).get("lines"))
                .isEqualTo(
                        List.of(
                                Map.of(
                                        "time", "2026-01-02T03:04:05Z",
                                        "level", "warn",
                                        "logger", "A",
                                        "message", "one")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /nodes/9/log           | node 9 is no member of the cluster
                    /nodes/peer-1/log      | expected the id of a node
                    /nodes/3/log?lines=0   | lines
                    /nodes/3/log?lines=1001| lines
                    /nodes/3/log?level=all | a level is error, warn, info or debug
                    """)
    void refusesQuestionsForLogsThatMakeNoSense(String path, String sentence) throws Exception {
        HttpResponse<String> refused = getFrom(path);

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains(sentence);
    }

    private JobRequest request(String script) {
        return new JobRequest("s.json", script, Map.of(), false, folder);
    }

    private static HttpResponse<String> getFrom(String path) throws Exception {
        return send(HttpRequest.newBuilder().GET(), path);
    }

    private static HttpResponse<String> post(String body) throws Exception {
        return postTo("/jobs", body);
    }

    private static HttpResponse<String> postTo(String path, String body) throws Exception {
        return send(
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)),
                path);
    }

    private static HttpResponse<String> send(HttpRequest.Builder builder, String path)
            throws Exception {
        URI target = url().resolve("/api/v1" + path);
        builder.header(AccessToken.HEADER, TOKEN.header());
        return HTTP.send(builder.uri(target).build(), BodyHandlers.ofString());
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Map<String, Object> tree(HttpResponse<String> response) {
        Map<String, Object> tree = new TreeMap<>();
        ((Map<?, ?>) Objects.requireNonNull(JsonText.parse(response.body())))
                .forEach((name, value) -> tree.put(name.toString(), value));
        return tree;
    }

    private static ClusterClient client() {
        return new ClusterClient(List.of(url()), TOKEN);
    }

    private static URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    private static InetSocketAddress address(int number) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), number);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** One server for all tests, a service for each. */
    private static final class SwitchedService implements ApiService {
        private volatile ApiService service = new FakeService();

        @Override
        public ScriptPlan check(JobRequest request) {
            return service.check(request);
        }

        @Override
        public List<Path> folders() {
            return service.folders();
        }

        @Override
        public Optional<JobCourse> course(long id) {
            return service.course(id);
        }

        @Override
        public long submit(JobRequest request, long nonce) {
            return service.submit(request, nonce);
        }

        @Override
        public List<JobView> jobs() {
            return service.jobs();
        }

        @Override
        public Optional<JobView> job(long id) {
            return service.job(id);
        }

        @Override
        public Optional<String> report(long id) {
            return service.report(id);
        }

        @Override
        public boolean cancel(long id) {
            return service.cancel(id);
        }

        @Override
        public JarService jars() {
            return service.jars();
        }

        @Override
        public TokenService tokens() {
            return service.tokens();
        }

        @Override
        public ResultService results() {
            return service.results();
        }

        @Override
        public UploadService uploads() {
            return service.uploads();
        }

        @Override
        public ColumnService columns() {
            return service.columns();
        }

        @Override
        public List<GraphView> graphs() {
            return service.graphs();
        }

        @Override
        public Optional<GraphDetail> graph(String name) {
            return service.graph(name);
        }

        @Override
        public void dropGraph(String name) {
            service.dropGraph(name);
        }

        @Override
        public void forgetGraphs() {
            service.forgetGraphs();
        }

        @Override
        public void renameGraph(String name, String newName) {
            service.renameGraph(name, newName);
        }

        @Override
        public void copyGraph(String name, String newName) {
            service.copyGraph(name, newName);
        }

        @Override
        public GraphQueries queries() {
            return service.queries();
        }

        @Override
        public void drain(int node) {
            service.drain(node);
        }

        @Override
        public RemovedView remove(int node, boolean acceptLoss) {
            return service.remove(node, acceptLoss);
        }

        @Override
        public Optional<ZoneMoveView> rebalance() {
            return service.rebalance();
        }

        @Override
        public List<LogLine> log(int node, int count, LogLine.Level least) {
            return service.log(node, count, least);
        }

        @Override
        public ClusterView status() {
            return service.status();
        }

        @Override
        public RecoveriesView recoveries() {
            return service.recoveries();
        }

        @Override
        public List<NetworkView> networks() {
            return service.networks();
        }
    }
}
