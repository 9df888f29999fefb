package org.starling.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import io.javalin.http.HandlerType;
import io.javalin.router.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.cli.FakeMonitor;
import org.starling.cli.FakeService;
import org.starling.cli.FakeTokens;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.AuditLog;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.SuperpeerTokens;
import org.starling.compute.script.JsonText;

/**
 * Each route that the server really has, with each role and with no, wrong, expired and revoked
 * tokens. A route that is added is in it by itself.
 */
@Timeout(60)
final class AccessMatrixTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir Path folder;

    private final AccessToken owner = AccessToken.fresh();
    private final Map<AccessRole, AccessToken> tokens = new EnumMap<>(AccessRole.class);
    private final AccessToken expired = AccessToken.fresh();
    private final AccessToken revoked = AccessToken.fresh();
    private final FakeService service = new FakeService();
    private Instant now = START;
    private final InstantSource clock = () -> now;
    private final SuperpeerTokens gate = FakeTokens.of(owner, clock);
    private Javalin server = Javalin.create();
    private URI url = URI.create("http://127.0.0.1");

    @BeforeEach
    void open() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
            url = URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }
        server =
                RestEndpoint.server(
                        new InetSocketAddress(loopback, url.getPort()),
                        service,
                        FakeTokens.access(gate, new AuditLog(folder, clock), null),
                        new FakeMonitor(),
                        clock);
        server.start();
        for (AccessRole role : AccessRole.values()) {
            AccessToken token = AccessToken.fresh();
            gate.create(role.text(), role, token.digest(), null);
            tokens.put(role, token);
        }
        gate.create("expired", AccessRole.ADMIN, expired.digest(), Duration.ofHours(1));
        gate.create("revoked", AccessRole.ADMIN, revoked.digest(), null);
        gate.revoke("revoked");
        now = START.plus(Duration.ofHours(1));
    }

    @AfterEach
    void close() {
        server.stop();
    }

    @Test
    void asksForARoleOnEachRoute() throws Exception {
        for (Endpoint endpoint : served()) {
            AccessRole needed = needed(endpoint);

            for (Map.Entry<AccessRole, AccessToken> shown : tokens.entrySet()) {
                int status = send(endpoint, shown.getValue()).statusCode();

                boolean mayPass = needed == null || shown.getKey().includes(needed);
                assertThat(status == 403)
                        .as("%s %s as %s: %d", endpoint.method, endpoint.path, shown, status)
                        .isEqualTo(!mayPass);
                assertThat(status).isNotIn(401, 405, 500);
            }
            assertThat(send(endpoint, owner).statusCode()).isNotIn(401, 403);
        }
    }

    @Test
    void letsNobodyInWithoutATokenThatHolds() throws Exception {
        List<AccessToken> bad = List.of(AccessToken.fresh(), expired, revoked);
        for (Endpoint endpoint : served()) {
            int expectedStatus = needed(endpoint) == null ? 200 : 401;

            assertThat(send(endpoint, null).statusCode())
                    .as("%s %s", endpoint.method, endpoint.path)
                    .isEqualTo(expectedStatus);
            for (AccessToken token : bad) {
                HttpResponse<String> response = send(endpoint, token);
                assertThat(response.statusCode())
                        .as("%s %s", endpoint.method, endpoint.path)
                        .isEqualTo(expectedStatus);
                assertThat(response.body()).doesNotContain(token.text());
            }
        }
        assertThat(AuditLog.file(folder)).doesNotExist();
    }

    /** Paths and methods that there are not are nobody's business either. */
    @Test
    void tellsStrangersNothingOfWhatThereIs() throws Exception {
        for (Endpoint endpoint : served()) {
            if (needed(endpoint) == null) {
                continue;
            }
            for (String method : List.of("HEAD", "PATCH", "OPTIONS", "TRACE")) {
                HttpRequest request =
                        HttpRequest.newBuilder(url.resolve(filled(endpoint.path)))
                                .method(method, BodyPublishers.noBody())
                                .build();
                assertThat(HTTP.send(request, BodyHandlers.ofString()).statusCode())
                        .as("%s %s", method, endpoint.path)
                        .isEqualTo(401);
            }
        }
        assertThat(
                        HTTP.send(
                                        HttpRequest.newBuilder(url.resolve("/x")).build(),
                                        BodyHandlers.ofString())
                                .statusCode())
                .isEqualTo(401);
    }

    @Test
    void saysInOneSentenceWhatIsMissing() throws Exception {
        assertThat(error(get("/status", null))).contains("asks for a token");
        assertThat(error(get("/status", expired)))
                .isEqualTo(
                        "the token of \"expired\" has expired at 2026-01-02T04:04:05Z; \"starling"
                                + " tokens create\" makes another one (commands take it by --token"
                                + " FILE)");
        assertThat(error(get("/status", revoked))).contains("does not know (any more)");
        assertThat(error(get("/tokens", of(AccessRole.OPERATE))))
                .isEqualTo(
                        "\"operate\" has the role operate, and this needs the role admin; an"
                                + " administrator makes a token with it (starling tokens create)");
    }

    /** What is served is what the table lists, and what is described. */
    @Test
    void servesWhatTheTableListsAndWhatIsDescribed() throws Exception {
        TreeSet<String> served = new TreeSet<>();
        served().forEach(endpoint -> served.add(endpoint.method + " " + endpoint.path));
        TreeSet<String> listed = new TreeSet<>();
        for (RestRoute route : RestRoute.values()) {
            listed.add(route.method() + " " + route.path());
        }
        assertThat(served).isEqualTo(listed);

        TreeSet<String> described =
                new TreeSet<>(
                        List.of(
                                "GET /",
                                "GET /page/{file}",
                                "GET /health/live",
                                "GET /health/ready",
                                "GET /metrics"));
        Map<?, ?> tree = parsed(get("/openapi.json", null));
        Map<?, ?> paths = (Map<?, ?>) Objects.requireNonNull(tree.get("paths"));
        for (Map.Entry<?, ?> path : paths.entrySet()) {
            for (Map.Entry<?, ?> method : ((Map<?, ?>) path.getValue()).entrySet()) {
                String name = method.getKey().toString();
                if (name.equals("parameters")) {
                    continue;
                }
                String route =
                        name.toUpperCase(Locale.ROOT) + " " + ClusterClient.PATH + path.getKey();
                described.add(route);
                assertThat(((Map<?, ?>) method.getValue()).get("x-role"))
                        .as(route)
                        .isEqualTo(described(route));
            }
        }
        assertThat(described).isEqualTo(listed);
    }

    @Test
    void writesDownWhoChangedWhat() throws Exception {
        for (RestRoute route : RestRoute.values()) {
            Endpoint endpoint = endpoint(route);
            send(endpoint, of(AccessRole.READ));
            send(endpoint, of(AccessRole.ADMIN));
        }

        List<Map<?, ?>> lines = new ArrayList<>();
        for (String line : Files.readAllLines(AuditLog.file(folder))) {
            lines.add((Map<?, ?>) Objects.requireNonNull(JsonText.parse(line)));
        }
        List<String> expected = new ArrayList<>();
        for (RestRoute route : RestRoute.values()) {
            if (route.deed() != null) {
                expected.add("read: " + route.deed());
                expected.add("admin: " + route.deed());
            }
        }
        List<String> found =
                lines.stream().map(line -> line.get("who") + ": " + line.get("what")).toList();
        assertThat(found).isEqualTo(expected);
        assertThat(lines)
                .allSatisfy(line -> {
                    assertThat(line.get("time")).isEqualTo("2026-01-02T04:04:05Z");
                    assertThat(line.get("from")).isEqualTo("127.0.0.1");
                    assertThat(line.get("status") instanceof Long status && status == 403)
                            .isEqualTo("read".equals(line.get("who")));
                });
    }

    @Test
    void saysWhatWasSubmittedCancelledAndMade() throws Exception {
        AccessToken submitter = of(AccessRole.SUBMIT);
        String script =
                JsonText.write(
                        Map.of(
                                "script",
                                "{\"tasks\": [{\"task\": \"test.obey\"}]}",
                                "folder",
                                folder.toString()));
        assertThat(post("/jobs", submitter, script).statusCode()).isEqualTo(201);
        assertThat(send("DELETE", "/jobs/1", submitter, "").statusCode()).isEqualTo(202);
        String token =
                JsonText.write(
                        Map.of(
                                "name",
                                "ann",
                                "role",
                                "read",
                                "digest",
                                AccessToken.fresh().digest()));
        assertThat(post("/tokens", owner, token).statusCode()).isEqualTo(201);

        assertThat(Files.readAllLines(AuditLog.file(folder)))
                .containsExactly(
                        "{\"time\": \"2026-01-02T04:04:05Z\", \"who\": \"submit\", \"role\":"
                                + " \"submit\", \"what\": \"submit job\", \"object\": \"1\", \"from\":"
                                + " \"127.0.0.1\", \"status\": 201}",
                        "{\"time\": \"2026-01-02T04:04:05Z\", \"who\": \"submit\", \"role\":"
                                + " \"submit\", \"what\": \"cancel job\", \"object\": \"1\", \"from\":"
                                + " \"127.0.0.1\", \"status\": 202}",
                        "{\"time\": \"2026-01-02T04:04:05Z\", \"who\": \"owner\", \"role\":"
                                + " \"admin\", \"what\": \"create token\", \"object\": \"ann: read\","
                                + " \"from\": \"127.0.0.1\", \"status\": 201}");
    }

    /** All that the server answers by a handler, as its router has it. */
    private List<Endpoint> served() {
        List<Endpoint> endpoints =
                server.unsafe.internalRouter.allHttpHandlers().stream()
                        .map(parsed -> parsed.endpoint)
                        .filter(endpoint -> endpoint.method.isHttpMethod())
                        .toList();
        assertThat(endpoints).hasSizeGreaterThan(20);
        assertThat(server.unsafe.internalRouter.allWsHandlers()).isEmpty();
        return endpoints;
    }

    private Endpoint endpoint(RestRoute route) {
        return served().stream()
                .filter(one -> one.method.equals(route.method()) && one.path.equals(route.path()))
                .findFirst()
                .orElseThrow();
    }

    /** Null for all. */
    private static @Nullable AccessRole needed(Endpoint endpoint) {
        for (RestRoute route : RestRoute.values()) {
            if (route.method().equals(endpoint.method) && route.path().equals(endpoint.path)) {
                return route.role();
            }
        }
        throw new AssertionError(
                "no role is named for %s %s".formatted(endpoint.method, endpoint.path));
    }

    private static String described(String described) {
        for (RestRoute route : RestRoute.values()) {
            if (described.equals(route.method() + " " + route.path())) {
                AccessRole role = route.role();
                return role == null ? "none" : role.text();
            }
        }
        throw new AssertionError(described + " is described and not served");
    }

    private HttpResponse<String> send(Endpoint endpoint, @Nullable AccessToken token)
            throws Exception {
        String path = filled(endpoint.path);
        HttpRequest.Builder builder = HttpRequest.newBuilder(url.resolve(path));
        String body = endpoint.method.equals(HandlerType.GET) ? "" : "{}";
        builder.header("Content-Type", "application/json");
        builder.method(endpoint.method.toString(), BodyPublishers.ofString(body));
        if (token != null) {
            builder.header(AccessToken.HEADER, token.header());
        }
        return HTTP.send(builder.build(), BodyHandlers.ofString());
    }

    private static String filled(String path) {
        return path.replace("{file}", "page.css").replaceAll("\\{\\w+}", "1");
    }

    private HttpResponse<String> get(String path, @Nullable AccessToken token) throws Exception {
        return send("GET", path, token, "");
    }

    private HttpResponse<String> post(String path, @Nullable AccessToken token, String body)
            throws Exception {
        return send("POST", path, token, body);
    }

    private HttpResponse<String> send(
            String method, String path, @Nullable AccessToken token, String body) throws Exception {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(url.resolve(ClusterClient.PATH + path))
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body));
        if (token != null) {
            builder.header(AccessToken.HEADER, token.header());
        }
        return HTTP.send(builder.build(), BodyHandlers.ofString());
    }

    private static String error(HttpResponse<String> response) {
        return String.valueOf(parsed(response).get("error"));
    }

    private static Map<?, ?> parsed(HttpResponse<String> response) {
        return (Map<?, ?>) Objects.requireNonNull(JsonText.parse(response.body()));
    }

    private AccessToken of(AccessRole role) {
        return Objects.requireNonNull(tokens.get(role));
    }
}
