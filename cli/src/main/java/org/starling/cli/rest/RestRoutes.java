package org.starling.cli.rest;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import io.javalin.http.NotFoundResponse;
import io.javalin.http.UnauthorizedResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.Admission;
import org.starling.compute.access.AuditEntry;
import org.starling.compute.cluster.ApiAccess;
import org.starling.compute.cluster.ApiService;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.JobView;
import org.starling.compute.cluster.LogLine;
import org.starling.compute.cluster.NetworkView;
import org.starling.compute.cluster.NodeLogView;
import org.starling.compute.cluster.NodeMonitor;
import org.starling.compute.cluster.QueueFullException;
import org.starling.compute.cluster.ZoneMoveView;
import org.starling.compute.script.InvalidScriptException;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.compute.script.UnknownNameException;
import org.starling.graph.InvalidInputException;

/**
 * What each path does. Whatever goes wrong is answered with a JSON object whose {@code error} is
 * one sentence. Stateless but for the service; any of the server's threads.
 *
 * <p>Whoever asks shows a token with the role that {@link RestRoute} names, or the cookie and key
 * of a session that began with one ({@link PageSessions}); only the description of the interface,
 * the files of the page, and whether this superpeer lives and serves, are for all. Besides, what a
 * web page could make a browser do is refused: requests that were meant for another host's name,
 * those that come from a page of another origin (another port of this machine, too), and bodies
 * that are not declared as JSON (a page of another origin can't declare that without being asked
 * first).
 */
final class RestRoutes {
    private static final Logger LOG = LogManager.getLogger(RestRoutes.class);
    private static final String OPEN_API = "openapi.json";
    private static final String JOBS = ClusterClient.PATH + "/jobs";
    private static final List<String> LOOPBACK_NAMES = List.of("127.0.0.1", "localhost", "[::1]");
    private static final int HEXADECIMAL = 16;

    /** Of a node's log, where nobody says how many. */
    private static final int USUAL_LINES = 100;

    /** Under it a request has who it is from. */
    private static final String CALLER = "starling.caller";

    /** Under it a request has what it is about, for the audit log. */
    private static final String OBJECT = "starling.object";

    private static final Set<String> FOR_ALL =
            Arrays.stream(RestRoute.values())
                    .filter(route -> route.role() == null)
                    .map(RestRoute::path)
                    .collect(Collectors.toUnmodifiableSet());

    /** Bodies that are too large, up to this length, are taken and thrown away. */
    private static final long MAX_SKIPPED_BYTES = 8L * JobRequest.MAX_BYTES;

    private final ApiService service;
    private final ApiAccess access;
    private final NodeMonitor monitor;
    private final MetricsRoute metrics;

    /** Whether it listens on the loopback alone, and so goes by no other name. */
    private final boolean onLoopback;

    private final PageSessions sessions;

    private final SecureRandom nonces = new SecureRandom();

    RestRoutes(
            ApiService service,
            ApiAccess access,
            NodeMonitor monitor,
            boolean onLoopback,
            InstantSource clock) {
        this.service = service;
        this.access = access;
        this.monitor = monitor;
        this.metrics = new MetricsRoute(monitor);
        this.onLoopback = onLoopback;
        this.sessions = new PageSessions(access.seal(), clock);
    }

    void addTo(RoutesConfig routes) {
        routes.before(this::refuseOtherHosts);
        routes.before(this::refuseStrangers);
        routes.before(RestRoutes::refuseLongBodies);
        routes.beforeMatched(RestRoutes::refuseLesserRoles);
        routes.after(this::note);
        RouteBook book = new RouteBook(routes);
        book.add(RestRoute.SUBMIT, this::submit);
        book.add(RestRoute.JOBS, context -> list(context, "jobs", service.jobs(), JobView::tree));
        book.add(RestRoute.JOB, this::job);
        book.add(RestRoute.REPORT, this::report);
        book.add(RestRoute.CANCEL, this::cancel);
        book.add(RestRoute.STATUS, context -> answer(context, service.status().tree()));
        book.add(RestRoute.RECOVERIES, context -> answer(context, service.recoveries().tree()));
        book.add(
                RestRoute.NETWORKS,
                context -> list(context, "networks", service.networks(), NetworkView::tree));
        book.add(
                RestRoute.DESCRIBE,
                context ->
                        context.contentType("application/json")
                                .result(PackagedText.of(RestRoutes.class, OPEN_API)));
        book.add(RestRoute.LIVE, context -> answer(context, Map.of("status", "live")));
        book.add(
                RestRoute.READY,
                context -> ready(context, monitor, "the directory has no leader now"));
        book.add(RestRoute.DRAIN, this::drain);
        book.add(RestRoute.NODE_LOG, this::nodeLog);
        book.add(RestRoute.REMOVE_NODE, this::removeNode);
        book.add(RestRoute.REBALANCE, this::rebalance);
        book.add(RestRoute.METRICS, metrics::answer);
        new JarRoutes(service).addTo(book, routes);
        new GraphRoutes(service).addTo(book);
        new QueryRoutes(service).addTo(book);
        new ColumnRoutes(service).addTo(book);
        new UploadRoutes(service).addTo(book, routes);
        new ResultRoutes(service).addTo(book);
        new TokenRoutes(service).addTo(book);
        new ScriptRoutes(service).addTo(book);
        new SessionRoutes(service, sessions, access.doors()).addTo(book);
        new EventRoutes(new LiveFeed(service, monitor), access.gate(), sessions).addTo(book);
        new PageRoutes(access.doors()).addTo(book);
        book.requireAll();
        addFailures(routes);
    }

    static void addFailures(RoutesConfig routes) {
        routes.exception(InvalidScriptException.class, RestRoutes::refuseScript);
        addFailure(routes, InvalidInputException.class, HttpStatus.BAD_REQUEST);
        addFailure(routes, QueueFullException.class, HttpStatus.TOO_MANY_REQUESTS);
        addFailure(routes, ClusterException.class, HttpStatus.SERVICE_UNAVAILABLE);
        routes.exception(
                HttpResponseException.class,
                (refused, context) ->
                        fail(
                                context,
                                HttpStatus.forStatus(refused.getStatus()),
                                refused.getMessage()));
        routes.exception(
                Exception.class,
                (bug, context) -> {
                    LOG.error("{} {} failed", context.method(), context.path(), bug);
                    fail(context, HttpStatus.INTERNAL_SERVER_ERROR, "internal error: " + bug);
                });
    }

    /** What is told by its own sentence. */
    static <E extends Exception> void addFailure(
            RoutesConfig routes, Class<E> type, HttpStatus status) {
        routes.exception(type, (failed, context) -> fail(context, status, failed.getMessage()));
    }

    private void submit(Context context) throws IOException {
        JobRequest request = JobRequest.parse(json(context, "a job is submitted"));
        long id = service.submit(request, nonce(context.header(ClusterClient.NONCE_HEADER)));
        audit(context, Long.toString(id));
        context.header("Location", JOBS + "/" + id);
        answer(context, HttpStatus.CREATED, Map.of("id", id));
    }

    /**
     * Refuses a body that is not declared as what it has to be. A page of another origin can't
     * declare JSON without being asked first.
     */
    static void requireType(Context context, String expected, String what) {
        String type = context.contentType();
        if (type == null || !type.toLowerCase(Locale.ROOT).startsWith(expected)) {
            throw new HttpResponseException(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE, what + " as " + expected, Map.of());
        }
    }

    private void drain(Context context) {
        service.drain(node(context));
        answer(context, HttpStatus.ACCEPTED, service.status().tree());
    }

    private void removeNode(Context context) {
        int node = node(context);
        answer(context, service.remove(node, acceptsLoss(context)).tree());
    }

    static boolean acceptsLoss(Context context) {
        String acceptLoss = context.queryParam("acceptLoss");
        if (acceptLoss != null && !List.of("true", "false").contains(acceptLoss)) {
            throw new InvalidInputException(
                    "acceptLoss: expected true or false, found \"" + acceptLoss + "\"");
        }
        return "true".equals(acceptLoss);
    }

    private static int node(Context context) {
        String text = context.pathParam("node");
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException wrong) {
            throw new InvalidInputException(
                    "expected the id of a node, found \"" + text + "\"", wrong);
        }
    }

    private void nodeLog(Context context) {
        int node = node(context);
        long lines = QueryRoutes.number(context, "lines", USUAL_LINES, 1, LogLine.MAX_LINES);
        String level = context.queryParam("level");
        LogLine.Level least = level == null ? LogLine.Level.INFO : LogLine.Level.of(level);
        answer(context, new NodeLogView(node, service.log(node, (int) lines, least)).tree());
    }

    private void rebalance(Context context) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("moved", service.rebalance().map(ZoneMoveView::tree).orElse(null));
        answer(context, tree);
    }

    private void job(Context context) {
        answer(context, job(service, id(context)).tree());
    }

    static JobView job(ClusterService service, long id) {
        return service.job(id)
                .orElseThrow(() ->
                        new NotFoundResponse(
                                "there is no job %d, or it ended long ago".formatted(id)));
    }

    private void report(Context context) {
        long id = id(context);
        JobView job = job(service, id);
        service.report(id)
                .ifPresentOrElse(
                        report -> context.contentType("application/json").result(report),
                        () ->
                                fail(
                                        context,
                                        HttpStatus.CONFLICT,
                                        job.status().isEnd()
                                                ? "job %d was cancelled before it began: it has no report"
                                                        .formatted(id)
                                                : "job %d has not ended: it has no report yet"
                                                        .formatted(id)));
    }

    private void cancel(Context context) {
        long id = id(context);
        JobView job = job(service, id);
        if (service.cancel(id)) {
            answer(context, HttpStatus.ACCEPTED, service.job(id).orElse(job).tree());
        } else {
            fail(context, HttpStatus.CONFLICT, "job %d has ended already".formatted(id));
        }
    }

    private long nonce(@Nullable String header) {
        if (header == null) {
            return nonces.nextLong();
        }
        try {
            return Long.parseUnsignedLong(header, HEXADECIMAL);
        } catch (NumberFormatException wrong) {
            throw new InvalidInputException(
                    ClusterClient.NONCE_HEADER + ": expected up to 16 hexadecimal digits", wrong);
        }
    }

    static long id(Context context) {
        String text = context.pathParam("id");
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException wrong) {
            throw new InvalidInputException("a job has a number, found \"" + text + "\"", wrong);
        }
    }

    static void ready(Context context, NodeMonitor monitor, String otherwise) {
        if (!monitor.isReady()) {
            throw new ClusterException(otherwise);
        }
        answer(context, Map.of("status", "ready"));
    }

    /** Beyond the loopback a superpeer has more names than it can know; the token is asked for. */
    private void refuseOtherHosts(Context context) {
        String host = context.header("Host");
        String name = host == null ? "" : host.replaceFirst(":\\d*$", "");
        if (onLoopback && !LOOPBACK_NAMES.contains(name)) {
            throw new ForbiddenResponse("this cluster answers to 127.0.0.1 only");
        }
        String origin = context.header("Origin");
        if (origin != null && !origin.equals(context.scheme() + "://" + host)) {
            throw new ForbiddenResponse("requests of other origins are refused");
        }
    }

    /** Before a byte of the body is read. */
    private void refuseStrangers(Context context) {
        if (isForAll(context)) {
            return;
        }
        boolean begins =
                context.method().equals(HandlerType.POST)
                        && context.path().equals(RestRoute.BEGIN_SESSION.path());
        switch (access.gate().admit(sessions.authorization(context, begins))) {
            case Admission.Refused(String sentence) -> {
                context.header("WWW-Authenticate", "Bearer");
                throw new UnauthorizedResponse(sentence);
            }
            case Admission.Admitted caller -> context.attribute(CALLER, caller);
        }
        ConnectionMetaData metaData =
                ServletContextRequest.getServletContextRequest(context.req())
                        .getConnectionMetaData();
        metaData.getConnector()
                .getContainedBeans(RestConnections.class)
                .forEach(connections -> connections.trust(metaData.getConnection()));
    }

    private static void refuseLesserRoles(Context context) {
        if (HandlerType.HEAD.equals(context.method())) { // no handler would be asked
            throw new HttpResponseException(
                    HttpStatus.METHOD_NOT_ALLOWED, "ask with GET", Map.of());
        }
        RestRoute route = route(context);
        if (route == null) {
            throw new ForbiddenResponse("no role is named for this, so it is for nobody");
        }
        AccessRole needed = route.role();
        Admission.Admitted caller = context.attribute(CALLER);
        if (needed == null || (caller != null && caller.role().includes(needed))) {
            return;
        }
        throw new HttpResponseException(
                HttpStatus.FORBIDDEN,
                "%s, and this needs the role %s; an administrator makes a token with it (starling tokens create)"
                        .formatted(
                                caller == null
                                        ? "nobody asks"
                                        : "\"%s\" has the role %s"
                                                .formatted(caller.name(), caller.role().text()),
                                needed.text()),
                Map.of());
    }

    /** Who asks, once that is known. */
    static Admission.Admitted caller(Context context) {
        Admission.Admitted caller = context.attribute(CALLER);
        return Objects.requireNonNull(caller, "strangers have been refused");
    }

    private static @Nullable RestRoute route(Context context) {
        return context.routeRoles().stream()
                .filter(RestRoute.class::isInstance)
                .map(RestRoute.class::cast)
                .findFirst()
                .orElse(null);
    }

    /** Says what a request is about, for the audit log; without that it is the end of its path. */
    static void audit(Context context, String object) {
        context.attribute(OBJECT, object);
    }

    /** Whatever came of it. */
    private void note(Context context) {
        RestRoute route = route(context);
        Admission.Admitted caller = context.attribute(CALLER);
        String deed = route == null ? null : route.deed();
        if (deed == null || caller == null) {
            return;
        }
        String object = context.attribute(OBJECT);
        if (object == null) {
            object = context.pathParamMap().values().stream().findFirst().orElse(null);
        }
        access.audit()
                .note(
                        new AuditEntry(
                                caller.name(),
                                caller.role(),
                                deed,
                                object,
                                context.ip(),
                                context.statusCode()));
    }

    private static boolean isForAll(Context context) {
        return FOR_ALL.contains(context.path()) || context.path().startsWith(PageRoutes.FOLDER);
    }

    /** As soon as its length is known; no thread waits for what a stranger sends. */
    private static void refuseLongBodies(Context context) throws IOException {
        long length = context.req().getContentLengthLong();
        if (length > JobRequest.MAX_BYTES
                && !JarRoutes.isJar(context)
                && !UploadRoutes.isPiece(context)) {
            if (length <= MAX_SKIPPED_BYTES && !isForAll(context)) {
                // who is cut short while sending may not see the answer
                context.req().getInputStream().skipNBytes(length);
            }
            context.header("Connection", "close");
            throw tooLarge();
        }
    }

    private static HttpResponseException tooLarge() {
        return new HttpResponseException(
                HttpStatus.CONTENT_TOO_LARGE,
                "a request has at most %d bytes".formatted(JobRequest.MAX_BYTES),
                Map.of());
    }

    /** The body, which has to be declared as JSON; its length may not have been. */
    static String json(Context context, String what) throws IOException {
        requireType(context, "application/json", what);
        byte[] bytes = context.req().getInputStream().readNBytes(JobRequest.MAX_BYTES + 1);
        if (bytes.length > JobRequest.MAX_BYTES) {
            throw tooLarge();
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void refuseScript(InvalidScriptException wrong, Context context) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("error", wrong.getMessage());
        tree.put("script", wrong.script());
        tree.put("errors", wrong.errors().stream().map(RecordJson.PLAIN::tree).toList());
        answer(context, HttpStatus.BAD_REQUEST, tree);
    }

    /** The body as a record. */
    static <R extends Record> R sent(Context context, Class<R> type, String what)
            throws IOException {
        String text = json(context, what);
        try {
            return RecordJson.PLAIN.of(type, JsonText.parse(text));
        } catch (IllegalArgumentException wrong) {
            throw new InvalidInputException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    static void fail(Context context, HttpStatus status, @Nullable String sentence) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("error", sentence == null ? status.getMessage() : sentence);
        answer(context, status, tree);
    }

    /** Says that it went well. */
    static void answer(Context context, Map<String, ?> tree) {
        answer(context, HttpStatus.OK, tree);
    }

    static void answer(Context context, HttpStatus status, Map<String, ?> tree) {
        context.status(status).contentType("application/json").result(JsonText.write(tree));
    }

    /** What there is, or a sentence why there is nothing. */
    static void answer(
            Context context, Optional<Map<String, @Nullable Object>> tree, String nothing) {
        answer(context, tree.orElseThrow(() -> new NotFoundResponse(nothing)));
    }

    /** What a question finds; if it names what is not there, its sentence says so. */
    static <T> T found(Supplier<T> question) {
        try {
            return question.get();
        } catch (UnknownNameException nothing) {
            throw new NotFoundResponse(String.valueOf(nothing.getMessage()));
        }
    }

    /** A list under its name. */
    static <T> void list(
            Context context,
            String name,
            List<T> all,
            Function<T, Map<String, @Nullable Object>> tree) {
        answer(context, Map.of(name, all.stream().map(tree).toList()));
    }
}
