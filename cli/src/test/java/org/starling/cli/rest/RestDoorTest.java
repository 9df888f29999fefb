package org.starling.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.cli.FakeDesk;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterDesk;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.FrontDoor;
import org.starling.compute.cluster.JobView;
import org.starling.compute.cluster.NetworkView;
import org.starling.compute.script.InvalidScriptException;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.graph.InvalidInputException;

/** The REST interface on a real port, over a desk without a cluster. */
final class RestDoorTest {
    private static final String SCRIPT =
            "{\"name\": \"s\", \"tasks\": [{\"task\": \"test.obey\"}]}";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final RestDoor DOOR = new RestDoor();
    private static final SwitchedDesk DESK = new SwitchedDesk();
    private static FrontDoor.Open open = () -> {};
    private static int port;

    @TempDir Path folder;

    private final FakeDesk desk = new FakeDesk();

    @BeforeAll
    static void open() throws IOException {
        port = freePort();
        open = DOOR.open(address(port), DESK);
    }

    @AfterAll
    static void close() {
        open.close();
    }

    @BeforeEach
    void takeAFreshDesk() {
        DESK.desk = desk;
    }

    @Test
    void submitsJobsAndTellsHowTheyAre() {
        try (ClusterClient client = client()) {
            long first = client.submit(request(SCRIPT), 7);
            long second = client.submit(request(SCRIPT), 8);
            desk.end(first, JobView.Status.SUCCEEDED, "{\"job\": 1, \"status\": \"succeeded\"}");

            assertThat(client.jobs())
                    .containsExactly(
                            new JobView(first, "s", JobView.Status.SUCCEEDED, 1, false),
                            new JobView(second, "s", JobView.Status.QUEUED, 0, false));
            assertThat(client.job(second)).map(JobView::status).contains(JobView.Status.QUEUED);
            assertThat(client.job(99)).isEmpty();
            assertThat(client.report(first)).contains("{\"job\": 1, \"status\": \"succeeded\"}");
            assertThat(client.report(second)).isEmpty();
            assertThat(desk.requests()).containsExactly(request(SCRIPT), request(SCRIPT));
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
    void showsTheClusterWhole() {
        try (ClusterClient client = client()) {
            ClusterView view = client.status();

            assertThat(view).isEqualTo(desk.status());
        }
    }

    @Test
    void showsTheNetworksOfTheNodes() {
        try (ClusterClient client = client()) {
            assertThat(client.networks()).isEqualTo(desk.networks());
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
        JobRequest lost =
                new JobRequest("s", SCRIPT, Map.of(), false, folder.resolve("x"), List.of(folder));

        try (ClusterClient client = client()) {
            assertThatThrownBy(() -> client.submit(lost, 1))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("there is no folder " + folder.resolve("x"));
        }
    }

    @Test
    void asksTheNextSuperpeerWhenOneIsGone() throws IOException {
        URI nobody = URI.create("http://127.0.0.1:" + freePort());

        try (ClusterClient client = new ClusterClient(List.of(nobody, url()))) {
            assertThat(client.jobs()).isEmpty();
        }
    }

    @Test
    void saysWhenThereIsNoLeader() {
        desk.setDown(true);

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
        desk.submit(request(SCRIPT), 1);
        desk.end(desk.submit(request(SCRIPT), 2), JobView.Status.FAILED, "{}");

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
        assertThat(desk.requests()).isEmpty();
    }

    @Test
    void refusesARequestThatIsTooLarge() throws Exception {
        HttpResponse<String> response = post(" ".repeat(JobRequest.MAX_BYTES + 1));

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(tree(response)).containsOnlyKeys("error");
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
                        "/status",
                        "/networks",
                        "/openapi.json");
    }

    @Test
    void staysOnTheLoopbackAndSaysWhenAPortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress there = address(taken.getLocalPort());

            assertThatThrownBy(() -> DOOR.open(there, desk))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("port " + taken.getLocalPort());
        }
        assertThatThrownBy(() -> DOOR.open(new InetSocketAddress("0.0.0.0", 0), desk))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private JobRequest request(String script) {
        return new JobRequest("s.json", script, Map.of(), false, folder, List.of(folder));
    }

    private static HttpResponse<String> post(String body) throws Exception {
        return send(
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)),
                "/jobs");
    }

    private static HttpResponse<String> send(HttpRequest.Builder builder, String path)
            throws Exception {
        URI target = url().resolve("/api/v1" + path);
        return HTTP.send(builder.uri(target).build(), BodyHandlers.ofString());
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
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
        return new ClusterClient(List.of(url()));
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

    /** One server for all tests, a desk for each. */
    private static final class SwitchedDesk implements ClusterDesk {
        private volatile ClusterDesk desk = new FakeDesk();

        @Override
        public long submit(JobRequest request, long nonce) {
            return desk.submit(request, nonce);
        }

        @Override
        public List<JobView> jobs() {
            return desk.jobs();
        }

        @Override
        public Optional<JobView> job(long id) {
            return desk.job(id);
        }

        @Override
        public Optional<String> report(long id) {
            return desk.report(id);
        }

        @Override
        public boolean cancel(long id) {
            return desk.cancel(id);
        }

        @Override
        public ClusterView status() {
            return desk.status();
        }

        @Override
        public List<NetworkView> networks() {
            return desk.networks();
        }
    }
}
