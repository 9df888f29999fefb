package org.starling.cli;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.starling.compute.access.TokenService;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiService;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.GraphDetail;
import org.starling.compute.cluster.GraphView;
import org.starling.compute.cluster.JobView;
import org.starling.compute.cluster.LogLine;
import org.starling.compute.cluster.NetworkView;
import org.starling.compute.cluster.QueueFullException;
import org.starling.compute.cluster.RecoveriesView;
import org.starling.compute.cluster.RemovedView;
import org.starling.compute.cluster.UploadFolder;
import org.starling.compute.cluster.UploadService;
import org.starling.compute.cluster.ZoneMoveView;
import org.starling.compute.script.ExistingGraphs;
import org.starling.compute.script.JobCourse;
import org.starling.compute.script.JobPriority;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.Script;
import org.starling.compute.script.ScriptPlan;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.GraphQueries;
import org.starling.graph.InvalidInputException;

/** A service with jobs that move when a test says so. Guarded by itself. */
public final class FakeService implements ApiService {
    private final Map<Long, Long> idsByNonce = new HashMap<>();
    private final List<JobRequest> requests = new ArrayList<>();
    private final Map<Long, JobView> jobs = new TreeMap<>();
    private final Map<Long, String> reports = new HashMap<>();
    private final FakeJars jars = new FakeJars();
    private final FakeResults results = new FakeResults();
    private final TokenService tokens = FakeTokens.of(AccessToken.fresh());
    private final FakeColumns columns = new FakeColumns();
    private UploadService uploads = new UploadFolder(List.of(), InstantSource.system());
    private final Map<String, GraphView> graphs = new TreeMap<>();
    private LongConsumer afterSubmit = id -> {};
    private boolean down;
    private boolean leaving;

    /** Of its peer that was asked to leave: how often it is still shown. */
    private int staying = 2;

    private int uneven;
    private int leader;

    /** Which superpeer leads from now on; -1 for none. */
    public synchronized void setLeader(int superpeer) {
        leader = superpeer;
    }

    /** Lets everything be refused, or not. */
    public synchronized void setDown(boolean isDown) {
        down = isDown;
    }

    /** From now on it takes no jobs and says so. */
    public synchronized void setFull(String sentence) {
        afterSubmit =
                _ -> {
                    throw new QueueFullException(sentence);
                };
    }

    /** A job of which the directory's word is all that is known. */
    public static JobView job(
            long id, String name, JobView.Status status, long attempt, boolean cancelRequested) {
        return new JobView(id, name, status, attempt, cancelRequested, null, null, null, null, 0);
    }

    /** What happens to every new job. */
    public synchronized void afterSubmit(LongConsumer action) {
        afterSubmit = action;
    }

    /** Moves a job. */
    public synchronized void move(long id, JobView.Status status, long attempt) {
        JobView job = Objects.requireNonNull(jobs.get(id), "no such job");
        jobs.put(id, job(id, job.name(), status, attempt, job.cancelRequested()));
    }

    /** Lets a job of a group wait. */
    public synchronized void waits(
            long id, String group, JobPriority priority, String why, double seconds) {
        JobView job = Objects.requireNonNull(jobs.get(id), "no such job");
        jobs.put(
                id,
                new JobView(
                        id,
                        job.name(),
                        job.status(),
                        job.attempt(),
                        job.cancelRequested(),
                        job.progress(),
                        group,
                        priority,
                        why,
                        seconds));
    }

    /** Ends a job. */
    public synchronized void end(long id, JobView.Status status, String report) {
        move(id, status, 1);
        reports.put(id, report);
    }

    /** What was submitted. */
    public synchronized List<JobRequest> requests() {
        return List.copyOf(requests);
    }

    @Override
    public synchronized long submit(JobRequest request, long nonce) {
        checkUp();
        String name =
                request.parse(
                                TaskCatalog.onClassPath(),
                                List.of(request.folder()),
                                ExistingGraphs.of(graphs.keySet()))
                        .name();
        Long known = idsByNonce.get(nonce);
        if (known != null) {
            return known;
        }
        requests.add(request);
        long id = queue(name);
        idsByNonce.put(nonce, id);
        afterSubmit.accept(id);
        return id;
    }

    /** A job of which the name is all that matters. */
    public synchronized long queue(String name) {
        long id = jobs.size() + 1L;
        jobs.put(id, job(id, name, JobView.Status.QUEUED, 0, false));
        return id;
    }

    @Override
    public synchronized ScriptPlan check(JobRequest request) {
        checkUp();
        Script script =
                request.parse(
                        TaskCatalog.onClassPath(),
                        List.of(request.folder()),
                        ExistingGraphs.of(graphs.keySet()));
        return new ScriptPlan(
                script.name(),
                1,
                List.of(new ScriptPlan.Line("$.tasks[0]", 0, "test.obey", List.of(), null)));
    }

    @Override
    public List<Path> folders() {
        return List.of(Path.of("/shared"));
    }

    @Override
    public synchronized Optional<JobCourse> course(long id) {
        checkUp();
        return Optional.ofNullable(jobs.get(id))
                .filter(job -> job.status() == JobView.Status.RUNNING)
                .map(_ ->
                        new JobCourse(
                                List.of(
                                        new JobCourse.Point(
                                                1, "graph.bfs", 0, 0, 34, 156, false))));
    }

    @Override
    public synchronized List<JobView> jobs() {
        checkUp();
        return List.copyOf(jobs.values());
    }

    @Override
    public synchronized Optional<JobView> job(long id) {
        checkUp();
        return Optional.ofNullable(jobs.get(id));
    }

    @Override
    public synchronized Optional<String> report(long id) {
        checkUp();
        return Optional.ofNullable(reports.get(id));
    }

    @Override
    public synchronized boolean cancel(long id) {
        checkUp();
        JobView job = jobs.get(id);
        if (job == null || job.status().isEnd()) {
            return false;
        }
        JobView.Status status =
                job.status() == JobView.Status.QUEUED ? JobView.Status.CANCELLED : job.status();
        jobs.put(id, job(id, job.name(), status, job.attempt(), true));
        return true;
    }

    @Override
    public FakeJars jars() {
        return jars;
    }

    @Override
    public TokenService tokens() {
        return tokens;
    }

    @Override
    public FakeResults results() {
        return results;
    }

    @Override
    public FakeColumns columns() {
        return columns;
    }

    @Override
    public synchronized UploadService uploads() {
        return uploads;
    }

    /** Where files go that are brought along. */
    public synchronized void setUploads(Path root, InstantSource clock) {
        uploads = new UploadFolder(List.of(root), clock);
    }

    @Override
    public synchronized List<GraphView> graphs() {
        checkUp();
        return List.copyOf(graphs.values());
    }

    @Override
    public synchronized Optional<GraphDetail> graph(String name) {
        checkUp();
        return Optional.ofNullable(graphs.get(name))
                .map(graph ->
                        new GraphDetail(
                                graph,
                                "2026-01-02T03:04:05Z",
                                "2026-02-03T04:05:06Z",
                                List.of(7L),
                                List.of(new GraphDetail.Share(3, 2, graph.vertices(), 1 << 20))));
    }

    @Override
    public synchronized void dropGraph(String name) {
        checkUp();
        if (graphs.remove(name) == null) {
            throw new InvalidInputException("no graph \"%s\" is kept".formatted(name));
        }
    }

    @Override
    public synchronized void forgetGraphs() {
        checkUp();
        graphs.clear();
    }

    @Override
    public synchronized void renameGraph(String name, String newName) {
        GraphView graph = Objects.requireNonNull(graphs.get(name), "no such graph");
        dropGraph(name);
        keep(newName, graph.vertices());
    }

    @Override
    public synchronized void copyGraph(String name, String newName) {
        keep(newName, Objects.requireNonNull(graphs.get(name), "no such graph").vertices());
    }

    /** Keeps a graph. */
    public synchronized void keep(String name, long vertices) {
        graphs.put(
                name,
                new GraphView(
                        name,
                        vertices,
                        2 * vertices,
                        false,
                        false,
                        GraphView.Ids.NUMBER,
                        List.of(new GraphView.Column("rank", "double", "vertex")),
                        1 << 20,
                        3));
    }

    @Override
    public synchronized GraphQueries queries() {
        return new FakeQueries(graphs.keySet(), down);
    }

    @Override
    public synchronized void drain(int node) {
        if (node != 3) {
            throw new InvalidInputException("node " + node + " is no peer; peers are [3]");
        }
        leaving = true;
    }

    @Override
    public synchronized RemovedView remove(int node, boolean acceptLoss) {
        checkUp();
        if (node == 3) {
            throw new InvalidInputException("node 3 is a member of the cluster: drain it first");
        }
        if (node == 7 && !acceptLoss) {
            throw new InvalidInputException("node 7 can't be removed without loss: 2 zones have");
        }
        return new RemovedView(node, true, node == 6 ? 1 : 0, node == 7 ? 2 : 0);
    }

    public synchronized void makeUneven(int moves) {
        uneven = moves;
    }

    @Override
    public synchronized Optional<ZoneMoveView> rebalance() {
        checkUp();
        return uneven-- > 0
                ? Optional.of(new ZoneMoveView("180002", 3 << 20, 3, 4))
                : Optional.empty();
    }

    @Override
    public synchronized List<LogLine> log(int node, int count, LogLine.Level least) {
        checkUp();
        if (node != 0 && node != 3) {
            throw new InvalidInputException(
                    "node %d is no member of the cluster; nodes are [0, 3]".formatted(node));
        }
        List<LogLine> lines =
                Stream.of(
                                new LogLine("2026-01-02T03:04:05Z", LogLine.Level.WARN, "A", "one"),
                                new LogLine("2026-01-02T03:04:06Z", LogLine.Level.INFO, "B", "two"))
                        .filter(line -> line.level().isAtLeast(least))
                        .toList();
        return lines.subList(Math.max(0, lines.size() - count), lines.size());
    }

    @Override
    public synchronized ClusterView status() {
        checkUp();
        ClusterView.Node superpeer =
                new ClusterView.Node(0, "superpeer", "127.0.0.1:7400", 1, false, null, false, null);
        ClusterView.Node peer =
                new ClusterView.Node(
                        3, "peer", "127.0.0.1:7420", 2, false, null, leaving, "rack7/host3");
        boolean isGone = leaving && staying-- <= 0;
        return new ClusterView(
                "fedcba9876543210",
                leader,
                3,
                isGone ? List.of(superpeer) : List.of(superpeer, peer),
                List.of(),
                12,
                2,
                0,
                1,
                List.of(new ClusterView.Exposure("rack7", false, 4)),
                "nothing is promised");
    }

    @Override
    public synchronized List<NetworkView> networks() {
        checkUp();
        return List.of(
                new NetworkView(
                        3,
                        "ethernet",
                        Map.of("roundTrips", 7L, "roundTripP50Micros", 81.5, "lost", 1L),
                        List.of(
                                Map.of(
                                        NetworkView.NODE,
                                        0L,
                                        "sentMessages",
                                        120L,
                                        "sentBytes",
                                        4096L,
                                        "aggregationFactor",
                                        1.5,
                                        "stallNanos",
                                        2_500_000L))));
    }

    @Override
    public synchronized RecoveriesView recoveries() {
        checkUp();
        return new RecoveriesView(
                0,
                "2026-01-02T03:04:05Z",
                1,
                1,
                List.of(
                        new RecoveriesView.Loss(
                                7,
                                "127.0.0.1:7424",
                                "no heartbeat in time",
                                "2026-01-02T04:00:00Z",
                                true,
                                1.5,
                                3,
                                0,
                                0,
                                0,
                                0,
                                List.of(new RecoveriesView.Share(3, 3, 4096, 1 << 20))),
                        new RecoveriesView.Loss(
                                8,
                                null,
                                "connection broke and it does not answer",
                                "2026-01-02T05:00:00Z",
                                false,
                                null,
                                2,
                                0,
                                2,
                                1,
                                0,
                                List.of())));
    }

    private void checkUp() {
        if (down) {
            throw new ClusterException("the cluster's directory does not answer: no leader");
        }
    }
}
