package org.starling.cli.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.cli.FakeMonitor;
import org.starling.cli.FakeService;
import org.starling.cli.FakeTokens;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.AuditLog;
import org.starling.compute.access.SessionSeal;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiAccess;
import org.starling.compute.cluster.JobView;
import org.starling.compute.cluster.Metric;
import org.starling.compute.cluster.NodeMonitor;
import org.starling.compute.cluster.SuperpeerTokens;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;

/** The page's files, its sessions and its events, as two superpeers on one host serve them. */
final class PageTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String KEY = PageSessions.KEY_HEADER;
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir Path folder;

    private final AccessToken owner = AccessToken.fresh();
    private final AccessToken reader = AccessToken.fresh();
    private final SuperpeerTokens gate = FakeTokens.of(owner);
    private final SessionSeal seal = SessionSeal.fresh();
    private final FakeService service = new FakeService();
    private final List<Javalin> servers = new ArrayList<>();
    private volatile Instant now = START;
    private URI one = URI.create("http://127.0.0.1");
    private URI other = one;

    @BeforeEach
    void open() throws IOException {
        one = URI.create("http://127.0.0.1:" + freePort());
        other = URI.create("http://127.0.0.1:" + freePort());
        serve(one);
        serve(other);
        gate.create("ann", AccessRole.READ, reader.digest(), null);
    }

    private void serve(URI url) {
        Javalin server =
                RestEndpoint.server(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), url.getPort()),
                        service,
                        new ApiAccess(
                                gate,
                                new AuditLog(folder, InstantSource.system()),
                                null,
                                seal,
                                List.of(one, other)),
                        new FakeMonitor(),
                        () -> now);
        server.start();
        servers.add(server);
    }

    @AfterEach
    void close() {
        servers.forEach(Javalin::stop);
    }

    @Test
    void servesThePageToAllUnderAStrictPolicy() throws Exception {
        HttpResponse<String> page = send(one, request("/").GET());
        HttpResponse<String> script = send(one, request("/page/main.js").GET());
        HttpResponse<String> nothing = send(one, request("/page/parts.txt").GET());
        HttpResponse<String> again =
                send(one, request("/").header("If-None-Match", header(page, "ETag")).GET());

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(header(page, "Content-Type")).startsWith("text/html");
        assertThat(header(page, "Content-Security-Policy"))
                .isEqualTo(
                        "default-src 'self'; connect-src 'self' %s %s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
                                .formatted(one, other));
        assertThat(header(script, "Content-Type")).startsWith("text/javascript");
        assertThat(header(script, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(nothing.statusCode()).isEqualTo(404);
        assertThat(again.statusCode()).isEqualTo(304);
    }

    @Test
    void exchangesATokenForACookieThatIsOfUseWithThePagesKeyOnly() throws Exception {
        Session session = logIn(reader);

        assertThat(session.setCookie())
                .contains("Path=/api/v1", "HttpOnly", "SameSite=Strict", "Max-Age=")
                .doesNotContain(reader.text(), session.key());
        assertThat(tree(ask(one, "/session", session)))
                .containsEntry("name", "ann")
                .containsEntry("role", "read")
                .containsKey("ticket")
                .doesNotContainKeys("key", "folders");
        assertThat(ask(one, "/jobs", session).statusCode()).isEqualTo(200);
        assertThat(send(one, api("/jobs").header("Cookie", session.cookie()).GET()).statusCode())
                .as("without the key")
                .isEqualTo(401);
        assertThat(send(one, api("/jobs").header(KEY, session.key()).GET()).statusCode())
                .as("without the cookie")
                .isEqualTo(401);
        Session strange = new Session("", session.cookie(), logIn(reader).key());
        assertThat(ask(one, "/jobs", strange).statusCode()).as("another key").isEqualTo(401);
    }

    @Test
    void refusesAWrongTokenAndGivesNoCookie() throws Exception {
        HttpResponse<String> refused =
                send(
                        one,
                        api("/session")
                                .header(AccessToken.HEADER, AccessToken.fresh().header())
                                .POST(BodyPublishers.noBody()));

        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"same-site", "cross-site", "none"})
    void takesNoCookieFromOtherPages(String site) throws Exception {
        Session session = logIn(owner);

        HttpResponse<String> asked =
                send(one, with(api("/jobs"), session).header("Sec-Fetch-Site", site).GET());
        HttpResponse<String> fromOtherPort =
                send(one, with(api("/jobs"), session).header("Origin", other.toString()).GET());

        assertThat(asked.statusCode()).isEqualTo(401);
        assertThat(fromOtherPort.statusCode()).isEqualTo(403);
        assertThat(fromOtherPort.headers().map()).doesNotContainKey("access-control-allow-origin");
    }

    @Test
    void keepsTheRoleOfTheTokenAndEndsWithIt() throws Exception {
        Session session = logIn(reader);

        HttpResponse<String> submitted =
                send(
                        one,
                        with(api("/jobs"), session)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{}")));
        gate.revoke("ann");

        assertThat(submitted.statusCode()).isEqualTo(403);
        assertThat(ask(one, "/jobs", session).statusCode()).isEqualTo(401);
    }

    @Test
    void movesToAnotherSuperpeerWithATicketAndNotWithItsCookie() throws Exception {
        Session session = logIn(owner);
        String ticket = String.valueOf(tree(ask(one, "/session", session)).get("ticket"));

        HttpResponse<String> byCookie = ask(other, "/session", session);
        HttpResponse<String> withoutKey =
                send(
                        other,
                        api("/session")
                                .header(AccessToken.HEADER, "Ticket " + ticket)
                                .POST(BodyPublishers.noBody()));
        HttpResponse<String> asToken =
                send(
                        other,
                        api("/jobs")
                                .header(AccessToken.HEADER, "Ticket " + ticket)
                                .header(KEY, session.key())
                                .GET());
        HttpResponse<String> moved =
                send(
                        other,
                        api("/session")
                                .header(AccessToken.HEADER, "Ticket " + ticket)
                                .header(KEY, session.key())
                                .POST(BodyPublishers.noBody()));

        assertThat(byCookie.statusCode()).as("cookies are named by port").isEqualTo(401);
        assertThat(withoutKey.statusCode()).isEqualTo(401);
        assertThat(asToken.statusCode()).as("a ticket begins sessions only").isEqualTo(401);
        assertThat(moved.statusCode()).isEqualTo(201);
        assertThat(ask(other, "/jobs", session(moved)).statusCode()).isEqualTo(200);
        assertThat(tree(moved).get("expires"))
                .as("it does not begin anew")
                .isEqualTo(tree(ask(one, "/session", session)).get("expires"));
    }

    /** So a session ends after its time, whatever a page does. */
    @Test
    void beginsNoSessionWithASession() throws Exception {
        Session session = logIn(owner);

        assertThat(
                        send(one, with(api("/session"), session).POST(BodyPublishers.noBody()))
                                .statusCode())
                .isEqualTo(401);
    }

    @Test
    void letsTheBrowserForget() throws Exception {
        HttpResponse<String> ended = send(one, with(api("/session"), logIn(owner)).DELETE());

        assertThat(ended.statusCode()).isEqualTo(200);
        assertThat(header(ended, "Set-Cookie")).contains("Max-Age=0").contains("=;");
    }

    @Test
    void knowsNoSessionAfterItsTime() throws Exception {
        Session session = logIn(reader);
        String ticket = String.valueOf(tree(ask(one, "/session", session)).get("ticket"));

        now = START.plus(PageSessions.TICKET_LIFETIME);
        assertThat(
                        send(
                                        other,
                                        api("/session")
                                                .header(AccessToken.HEADER, "Ticket " + ticket)
                                                .header(KEY, session.key())
                                                .POST(BodyPublishers.noBody()))
                                .statusCode())
                .isEqualTo(401);
        assertThat(ask(one, "/jobs", session).statusCode()).isEqualTo(200);
        now = START.plus(PageSessions.LIFETIME);
        assertThat(ask(one, "/jobs", session).statusCode()).isEqualTo(401);
    }

    @Test
    void opensNothingThatWasClosedElsewhereOrChanged() {
        String closed = seal.close("a text");
        String changed = (closed.charAt(20) == 'x' ? "y" : "x") + closed.substring(21);

        assertThat(closed).matches("[A-Za-z0-9_-]+").isNotEqualTo(seal.close("a text"));
        assertThat(seal.open(closed)).contains("a text");
        assertThat(SessionSeal.fresh().open(closed)).isEmpty();
        assertThat(seal.open(closed.substring(0, 20) + changed)).isEmpty();
        assertThat(seal.open(closed.substring(2))).isEmpty();
        assertThat(seal.open("")).isEmpty();
        assertThat(seal.open("not sealed!")).isEmpty();
    }

    @Test
    void tellsAllThenWhatChangesAndGoesOnBehindTheLastEvent() throws Exception {
        Session session = logIn(reader);
        service.keep("web", 3);
        String lastId;
        try (Stream stream = stream(session, "")) {
            Event all = stream.next();
            while (!all.data()
                    .keySet()
                    .containsAll(List.of("cluster", "recoveries", "graph/web"))) {
                all = all.and(stream.next());
            }
            assertThat(all.data()).containsKeys("cluster", "node/3", "own", "graph/web");

            long id = service.submit(job(), 1);
            Event news = stream.nextWith("job/" + id);
            assertThat(news.kind()).isEqualTo("news");
            assertThat(news.data()).containsOnlyKeys("job/" + id);
            service.move(id, JobView.Status.RUNNING, 1);
            lastId = stream.nextWith("job/" + id).id();
        }
        service.dropGraph("web");
        service.move(1, JobView.Status.SUCCEEDED, 1);

        try (Stream stream = stream(session, lastId)) {
            Event news = stream.next();
            while (!news.data().containsKey("job/1") || !news.data().containsKey("graph/web")) {
                assertThat(news.kind()).isEqualTo("news");
                news = news.and(stream.next());
            }
            assertThat(news.data().get("graph/web")).as("it is gone").isNull();
            assertThat(news.data()).doesNotContainKey("cluster");
        }
        try (Stream stream = stream(session, "strange.7")) {
            assertThat(stream.next().kind()).isEqualTo("all");
        }
    }

    @Test
    void tellsHowLongAJobTookAndWhyItFailed() throws Exception {
        long id = service.queue("wrong");
        service.end(
                id,
                JobView.Status.FAILED,
                """
                {"seconds": 1.5, "ended": "2026-01-02T03:04:05Z", "error": "no vertex 9", "tasks": []}
                """);
        try (Stream stream = stream(logIn(reader), "")) {
            assertThat(stream.nextWith("job/" + id).data().get("job/" + id))
                    .isEqualTo(
                            JsonText.parse(
                                    """
                                    {"id": %d, "name": "wrong", "status": "failed", "attempt": 1, "cancelRequested": false,
                                     "waitingSeconds": 0.0, "seconds": 1.5, "ended": "2026-01-02T03:04:05Z", "error": "no vertex 9"}
                                    """
                                            .formatted(id)));
        }
    }

    @Test
    void saysWhatTheDirectoryDoesNotTell() throws Exception {
        try (Stream stream = stream(logIn(reader), "")) {
            stream.nextWith("cluster");
            service.setDown(true);

            assertThat(stream.nextWith("trouble").data().get("trouble"))
                    .asString()
                    .contains("no leader");
        }
    }

    @Test
    void endsTheEventsOfATokenThatIsRevoked() throws Exception {
        try (Stream stream = stream(logIn(reader), "")) {
            stream.next();
            gate.revoke("ann");

            Event event = stream.next();
            while (!event.kind().equals("end")) {
                event = stream.next();
            }
            assertThat(event.data()).isEmpty();
        }
    }

    @Test
    void refusesEventsToWhoeverExpectsSomethingElse() throws Exception {
        assertThat(ask(one, "/events", logIn(owner)).statusCode()).isEqualTo(406);
    }

    @Test
    void letsSomePagesWatchAndNotAnyNumber() {
        LiveFeed feed = new LiveFeed(service, new FakeMonitor());
        for (int i = 0; i < LiveFeed.MAX_WATCHERS; i++) {
            assertThat(feed.watch()).isTrue();
        }

        assertThat(feed.watch()).isFalse();
        feed.unwatch();
        assertThat(feed.watch()).isTrue();
        for (int i = 0; i < LiveFeed.MAX_WATCHERS; i++) {
            feed.unwatch();
        }
    }

    @Test
    void looksAnewAfterAnErrorHasEndedALook() throws InterruptedException {
        LiveFeed feed = new LiveFeed(service, new OnceBroken());
        assertThat(feed.watch()).isTrue();
        await(feed.state(), Set.of("trouble"));

        assertThat(feed.watch()).isTrue();
        await(feed.state(), Set.of("cluster", "own"));
        feed.unwatch();
        feed.unwatch();

        assertThat(feed.state().since(-1).changed()).doesNotContainKey("trouble");
    }

    /** Waits until all of these are told, and trouble only if it is one of them. */
    private static void await(LiveState state, Set<String> names) throws InterruptedException {
        LiveState.News news = state.since(-1);
        while (!news.changed().keySet().containsAll(names)
                || news.changed().containsKey("trouble") != names.contains("trouble")) {
            state.await(news.version(), Duration.ofSeconds(1));
            news = state.since(-1);
        }
    }

    /** A node whose figures end in an error when they are asked for first. */
    private static final class OnceBroken implements NodeMonitor {
        private final AtomicBoolean isMended = new AtomicBoolean();

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public List<Metric> metrics() {
            if (!isMended.getAndSet(true)) {
                throw new LinkageError("a class of another version");
            }
            return List.of();
        }
    }

    @Test
    void skipsWhatASlowPageHasMissedAndBeginsAnewWhenTooMuchIsGone() {
        LiveState state = new LiveState();
        state.set("job/", Map.of("job/1", "1", "job/2", "1"));
        long known = state.since(-1).version();

        for (int i = 0; i < 1000; i++) {
            state.set("job/", Map.of("job/1", Integer.toString(i)));
        }
        LiveState.News news = state.since(known);

        assertThat(news.whole()).isFalse();
        assertThat(news.changed()).hasSize(2).containsEntry("job/1", "999");
        assertThat(news.changed().get("job/2")).isNull();
        for (int i = 0; i <= LiveState.MAX_GONE; i++) {
            state.set("graph/", Map.of("graph/" + i, "1"));
        }
        state.set("graph/", Map.of());
        assertThat(state.since(known).whole()).isTrue();
        assertThat(state.since(state.since(-1).version()).isEmpty()).isTrue();
    }

    @Test
    void checksAScriptAndTellsItsSchemaAndTheCourseOfAJob() throws Exception {
        Session session = logIn(owner);

        HttpResponse<String> checked =
                send(
                        one,
                        with(api("/jobs/check"), session)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(job().json())));
        HttpResponse<String> schema = ask(one, "/schema", session);
        long id = service.submit(job(), 7);
        HttpResponse<String> queued = ask(one, "/jobs/%d/course".formatted(id), session);
        service.move(id, JobView.Status.RUNNING, 1);
        HttpResponse<String> running = ask(one, "/jobs/%d/course".formatted(id), session);

        assertThat(checked.statusCode()).isEqualTo(200);
        assertThat(tree(checked)).containsEntry("script", "s");
        assertThat(service.requests()).as("nothing was queued by a check").hasSize(1);
        assertThat(schema.body()).contains("\"graph.bfs\"");
        assertThat(queued.statusCode()).isEqualTo(409);
        assertThat(running.body()).contains("\"active\": 34");
        assertThat(tree(ask(one, "/session", session)))
                .containsEntry("folders", List.of("/shared"))
                .containsEntry("superpeers", List.of(one.toString(), other.toString()));
    }

    private JobRequest job() {
        return new JobRequest(
                "s.json",
                "{\"name\": \"s\", \"tasks\": [{\"task\": \"test.obey\"}]}",
                Map.of(),
                false,
                folder);
    }

    private record Session(String setCookie, String cookie, String key) {}

    private Session logIn(AccessToken token) throws Exception {
        HttpResponse<String> begun =
                send(
                        one,
                        api("/session")
                                .header(AccessToken.HEADER, token.header())
                                .POST(BodyPublishers.noBody()));
        assertThat(begun.statusCode()).isEqualTo(201);
        return session(begun);
    }

    private static Session session(HttpResponse<String> begun) {
        String cookie = header(begun, "Set-Cookie");
        return new Session(
                cookie,
                cookie.substring(0, cookie.indexOf(';')),
                String.valueOf(tree(begun).get("key")));
    }

    private static HttpRequest.Builder with(HttpRequest.Builder builder, Session session) {
        return builder.header("Cookie", session.cookie()).header(KEY, session.key());
    }

    private static HttpResponse<String> ask(URI url, String path, Session session)
            throws Exception {
        return send(url, with(api(path), session).GET());
    }

    private static HttpRequest.Builder api(String path) {
        return request("/api/v1" + path);
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://nowhere" + path));
    }

    private static HttpResponse<String> send(URI url, HttpRequest.Builder builder)
            throws Exception {
        String path = builder.build().uri().getPath();
        return HTTP.send(builder.uri(url.resolve(path)).build(), BodyHandlers.ofString());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElseThrow();
    }

    private static Map<String, Object> tree(HttpResponse<String> response) {
        return parsed(response.body());
    }

    @SuppressWarnings("unchecked") // names of objects are texts
    private static Map<String, Object> parsed(String json) {
        return (Map<String, Object>) Objects.requireNonNull(JsonText.parse(json));
    }

    private record Event(String kind, String id, Map<String, Object> data) {
        Event and(Event next) {
            Map<String, Object> both = new HashMap<>(data);
            both.putAll(next.data);
            return new Event(next.kind, next.id, both);
        }
    }

    /** What a page reads. */
    private static final class Stream implements AutoCloseable {
        private final InputStream body;
        private final BufferedReader lines;

        Stream(InputStream body) {
            this.body = body;
            lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        }

        Event next() throws IOException {
            String kind = "";
            String id = "";
            while (true) {
                String line = Objects.requireNonNull(lines.readLine(), "the stream has ended");
                if (line.startsWith("event: ")) {
                    kind = line.substring(7);
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.startsWith("data: ")) {
                    return new Event(kind, id, parsed(line.substring(6)));
                }
            }
        }

        Event nextWith(String name) throws IOException {
            Event event = next();
            while (!event.data().containsKey(name)) {
                event = next();
            }
            return event;
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    private Stream stream(Session session, String lastId) throws Exception {
        HttpRequest.Builder builder =
                with(api("/events"), session).header("Accept", EventRoutes.TYPE);
        if (!lastId.isEmpty()) {
            builder.header("Last-Event-ID", lastId);
        }
        HttpResponse<InputStream> response =
                HTTP.send(
                        builder.uri(one.resolve("/api/v1/events")).build(),
                        BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(header(response, "Content-Type")).startsWith(EventRoutes.TYPE);
        return new Stream(response.body());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
