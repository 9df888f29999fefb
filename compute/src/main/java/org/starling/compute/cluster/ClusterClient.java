package org.starling.compute.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.starling.compute.access.TokenService;
import org.starling.compute.script.InvalidScriptException;
import org.starling.compute.script.JobCourse;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;
import org.starling.compute.script.ScriptError;
import org.starling.compute.script.ScriptPlan;
import org.starling.graph.GraphQueries;
import org.starling.graph.InvalidInputException;
import org.starling.net.TlsClients;

/**
 * The service of a running cluster, asked over REST: the superpeers in turn, until one answers. Any
 * thread.
 */
public final class ClusterClient implements ClusterService, AutoCloseable {
    /** Where the interface begins on a superpeer. */
    public static final String PATH = "/api/v1";

    /** Tells a repeated submission from a new one. */
    public static final String NONCE_HEADER = "Idempotency-Key";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(20);

    /** A job with jars is checked by peers first, which load them. */
    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(60);

    /** For what moves a graph's chunks. */
    private static final Duration CHANGE_TIMEOUT = Duration.ofHours(1);

    /** Times that one superpeer is asked when it closes the connection. */
    private static final int MAX_TRIES = 4;

    private static final int OK = 200;
    private static final int MULTIPLE_CHOICES = 300;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int CLIENT_ERRORS = 400;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERRORS = 500;

    private final List<URI> urls;
    private final AccessToken token;
    private final ClusterTrust trust;
    private final HttpClient http;

    /**
     * A client of the cluster whose superpeers have these base addresses.
     *
     * @param token what they ask for
     */
    public ClusterClient(List<URI> urls, AccessToken token) {
        this(urls, token, ClusterTrust.USUAL);
    }

    /**
     * The same for addresses of https.
     *
     * @param trust by what the superpeers are known
     * @throws InvalidInputException if that can't be used
     */
    public ClusterClient(List<URI> urls, AccessToken token, ClusterTrust trust) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("a cluster has at least one address");
        }
        this.urls = List.copyOf(urls);
        this.token = token;
        this.trust = trust;
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
        SSLContext context = trust.context();
        this.http = (context == null ? builder : builder.sslContext(context)).build();
    }

    @Override
    public long submit(JobRequest request, long nonce) {
        String json = request.json();
        int bytes = json.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > JobRequest.MAX_BYTES) {
            throw new InvalidInputException(
                    "the script is too large for a job: %d bytes of %d with its parameters"
                            .formatted(bytes, JobRequest.MAX_BYTES));
        }
        Answer answer =
                ask(
                        "/jobs",
                        builder ->
                                post(json)
                                        .in(builder)
                                        .timeout(
                                                request.jars().isEmpty()
                                                        ? ANSWER_TIMEOUT
                                                        : CHECK_TIMEOUT)
                                        .header(NONCE_HEADER, Long.toHexString(nonce)));
        return answer.as(Submitted.class).id();
    }

    @Override
    public ScriptPlan check(JobRequest request) {
        return ask("/jobs/check", post(request.json())).as(ScriptPlan.class);
    }

    @Override
    public List<Path> folders() {
        return read(
                get("/session").good(),
                tree ->
                        tree.get("folders") instanceof List<?> names
                                ? names.stream().map(name -> Path.of(name.toString())).toList()
                                : List.of());
    }

    @Override
    public Optional<JobCourse> course(long id) {
        Answer answer = get("/jobs/" + id + "/course");
        return answer.status == CONFLICT
                ? Optional.empty()
                : answer.found().map(course -> record(JobCourse.class, course));
    }

    @Override
    public List<JobView> jobs() {
        return get("/jobs").list("jobs", JobView.class);
    }

    @Override
    public Optional<JobView> job(long id) {
        return get("/jobs/" + id).found().map(job -> record(JobView.class, job));
    }

    @Override
    public Optional<String> report(long id) {
        Answer answer = get("/jobs/" + id + "/report");
        return answer.status == CONFLICT ? Optional.empty() : answer.found().map(JsonText::write);
    }

    @Override
    public boolean cancel(long id) {
        Answer answer = ask("/jobs/" + id, HttpRequest.Builder::DELETE);
        return answer.status != CONFLICT && answer.found().isPresent();
    }

    @Override
    public JarService jars() {
        return new JarClient(this);
    }

    @Override
    public TokenService tokens() {
        return new TokenClient(this);
    }

    @Override
    public ResultService results() {
        return new ResultClient(this);
    }

    @Override
    public UploadService uploads() {
        return new UploadClient(this);
    }

    @Override
    public List<GraphView> graphs() {
        return get("/graphs").list("graphs", GraphView.class);
    }

    @Override
    public Optional<GraphDetail> graph(String name) {
        return get(graphPath(name)).found().map(graph -> read(graph, GraphDetail::of));
    }

    @Override
    public void dropGraph(String name) {
        ask(graphPath(name), CHANGE_TIMEOUT, HttpRequest.Builder::DELETE).good();
    }

    @Override
    public void forgetGraphs() {
        ask("/graphs?acceptLoss=true", CHANGE_TIMEOUT, HttpRequest.Builder::DELETE).good();
    }

    @Override
    public void renameGraph(String name, String newName) {
        move(name, "/rename", newName);
    }

    @Override
    public void copyGraph(String name, String newName) {
        move(name, "/copy", newName);
    }

    @Override
    public VertexQuestions questions() {
        return new QuestionClient(this);
    }

    @Override
    public GraphQueries queries() {
        return new QueryClient(this);
    }

    private void move(String name, String how, String newName) {
        String json = JsonText.write(Map.of("to", newName));
        ask(graphPath(name) + how, CHANGE_TIMEOUT, post(json)).good();
    }

    static String graphPath(String name) {
        return "/graphs/" + encoded(name);
    }

    /** As a part of a path, or the value of a parameter. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void drain(int node) {
        ask("/nodes/" + node + "/drain", builder -> builder.POST(BodyPublishers.noBody())).good();
    }

    @Override
    public RemovedView remove(int node, boolean acceptLoss) {
        String path = "/nodes/" + node + (acceptLoss ? "?acceptLoss=true" : "");
        return ask(path, HttpRequest.Builder::DELETE).as(RemovedView.class);
    }

    @Override
    public Optional<ZoneMoveView> rebalance() {
        Map<?, ?> answer =
                ask("/rebalance", CHANGE_TIMEOUT, builder -> builder.POST(BodyPublishers.noBody()))
                        .good();
        return answer.get("moved") instanceof Map<?, ?> moved
                ? Optional.of(record(ZoneMoveView.class, moved))
                : Optional.empty();
    }

    @Override
    public List<LogLine> log(int node, int count, LogLine.Level least) {
        return read(
                get("/nodes/%d/log?lines=%d&level=%s".formatted(node, count, least)).good(),
                tree -> NodeLogView.of(tree).lines());
    }

    @Override
    public ClusterView status() {
        return get("/status").as(ClusterView.class);
    }

    @Override
    public RecoveriesView recoveries() {
        return get("/recoveries").as(RecoveriesView.class);
    }

    @Override
    public List<NetworkView> networks() {
        return read(get("/networks").good(), ClusterClient::networks);
    }

    @Override
    public void close() {
        http.close();
    }

    private record Submitted(long id) {}

    private static List<NetworkView> networks(Map<?, ?> tree) {
        List<NetworkView> networks = new ArrayList<>();
        if (tree.get("networks") instanceof List<?> nodes) {
            for (Object node : nodes) {
                networks.add(NetworkView.of((Map<?, ?>) node));
            }
        }
        return networks;
    }

    static <T> T read(Map<?, ?> tree, Function<Map<?, ?>, T> reader) {
        try {
            return reader.apply(tree);
        } catch (IllegalArgumentException | ClassCastException other) {
            throw new ClusterException(
                    "the cluster's answer is not of the form that is described: "
                            + other.getMessage(),
                    other);
        }
    }

    static <R extends Record> R record(Class<R> type, Map<?, ?> tree) {
        return read(tree, members -> RecordJson.PLAIN.of(type, members));
    }

    static Method post(String json) {
        return builder ->
                builder.header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json));
    }

    Answer get(String path) {
        return ask(path, HttpRequest.Builder::GET);
    }

    /** What is asked, beside where. */
    interface Method {
        HttpRequest.Builder in(HttpRequest.Builder builder);
    }

    /** The first answer that is not "ask somebody else". */
    Answer ask(String path, Method method) {
        return ask(path, ANSWER_TIMEOUT, method);
    }

    private Answer ask(String path, Duration timeout, Method method) {
        String reason = "";
        for (URI url : urls) {
            HttpRequest.Builder builder =
                    HttpRequest.newBuilder(url.resolve(PATH + path))
                            .header(AccessToken.HEADER, token.header())
                            .timeout(timeout);
            try {
                HttpResponse<String> response = send(method.in(builder).build());
                Answer answer = new Answer(response.statusCode(), tree(url, response.body()));
                if (answer.status == TOO_MANY) {
                    throw new ClusterException(answer.error());
                }
                if (answer.status < SERVER_ERRORS) {
                    return answer;
                }
                reason = ": " + answer.error();
            } catch (IOException unreachable) {
                reason = reason.isEmpty() ? ": " + reason(url, unreachable, timeout) : reason;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new ClusterException("asking the cluster was interrupted", interrupted);
            }
        }
        throw new ClusterException(
                "no cluster answers at %s%s"
                        .formatted(
                                String.join(", ", urls.stream().map(URI::toString).toList()),
                                reason));
    }

    /**
     * Asks again when a connection was closed without an answer: on a crowded superpeer others push
     * it out before it is heard. No request does more when it comes twice.
     */
    private HttpResponse<String> send(HttpRequest request)
            throws IOException, InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return http.send(request, BodyHandlers.ofString());
            } catch (ConnectException
                    | HttpTimeoutException
                    | SSLException
                    | ProtocolException unheard) {
                throw unheard;
            } catch (IOException closed) {
                if (tries == MAX_TRIES) {
                    throw closed;
                }
            }
        }
    }

    /** How many superpeers can be asked. */
    int superpeers() {
        return urls.size();
    }

    /**
     * Asks one superpeer for bytes.
     *
     * @param index of the superpeer
     * @return the answer, whose body is to be closed
     * @throws IOException if it does not answer
     */
    HttpResponse<InputStream> open(int index, String path) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(urls.get(index).resolve(PATH + path))
                        .header(AccessToken.HEADER, token.header())
                        .timeout(ANSWER_TIMEOUT)
                        .build();
        try {
            return http.send(request, BodyHandlers.ofInputStream());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClusterException("asking the cluster was interrupted", interrupted);
        }
    }

    private String reason(URI url, IOException unreachable, Duration timeout) {
        return switch (unreachable) {
            case HttpConnectTimeoutException late ->
                    "no connection within %d s".formatted(CONNECT_TIMEOUT.toSeconds());
            case HttpTimeoutException late ->
                    "no answer within %d s".formatted(timeout.toSeconds());
            case ConnectException unknown
                    when unknown.getCause() instanceof ConnectException cause
                            && cause.getCause() instanceof UnresolvedAddressException ->
                    "there is no host of that name";
            case ConnectException unknown
                    when unknown.getCause() instanceof UnresolvedAddressException ->
                    "there is no host of that name";
            case ConnectException refused -> "nobody listens there";
            case SSLException untrusted -> TlsClients.sentence(untrusted, trust.authority());
            default ->
                    "the connection broke: %s%s"
                            .formatted(
                                    unreachable.getMessage(),
                                    "http".equals(url.getScheme())
                                            ? " (perhaps it speaks https, which is to be said)"
                                            : "");
        };
    }

    private static Map<?, ?> tree(URI url, String body) {
        try {
            if (JsonText.parse(body) instanceof Map<?, ?> tree) {
                return tree;
            }
        } catch (InvalidInputException other) {
            throw new ClusterException(url + " is not a cluster of Starling", other);
        }
        throw new ClusterException(url + " is not a cluster of Starling");
    }

    /** The answer of a superpeer that could answer. */
    record Answer(int status, Map<?, ?> tree) {
        /** What a good answer says; what a bad one means is thrown. */
        Map<?, ?> good() {
            if (status >= OK && status < MULTIPLE_CHOICES) {
                return tree;
            }
            if (status >= CLIENT_ERRORS && tree.get("errors") instanceof List<?> errors) {
                throw new InvalidScriptException(
                        String.valueOf(tree.get("script")),
                        read(tree, _ -> RecordJson.PLAIN.list(ScriptError.class, errors)));
            }
            throw new InvalidInputException(error());
        }

        /** What a good answer says, as a record. */
        <R extends Record> R as(Class<R> type) {
            return record(type, good());
        }

        /** What a good answer lists. */
        <R extends Record> List<R> list(String member, Class<R> type) {
            return read(good(), members -> RecordJson.PLAIN.list(type, members.get(member)));
        }

        Optional<Map<?, ?>> found() {
            return status == NOT_FOUND ? Optional.empty() : Optional.of(good());
        }

        String error() {
            Object error = tree.get("error");
            return error == null ? "the cluster answered with status " + status : error.toString();
        }
    }
}
