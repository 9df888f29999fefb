package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.JobView;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.cluster.LocalCluster;
import org.starling.compute.cluster.LogLine;
import org.starling.compute.cluster.NetworkView;
import org.starling.compute.cluster.NodeTls;
import org.starling.compute.cluster.RemovedView;
import org.starling.compute.cluster.Restart;
import org.starling.compute.cluster.ZoneMoveView;
import org.starling.compute.script.JobActivity;
import org.starling.graph.InvalidInputException;

/** Clusters of real processes: jobs, cancels, kill -9, cold starts. */
@Timeout(120)
final class ClusterProcessTest {
    private static final String RANKS =
            """
            {"name": "ranks", "tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 12},
              {"task": "graph.wcc", "as": "cc", "graph": "g"},
              {"if": "cc.components > 0", "then": [
                {"repeat": 2, "tasks": [
                  {"task": "graph.pagerank", "as": "pr", "graph": "g", "iterations": %d, "top": 5}]}]},
              {"task": "graph.bfs", "as": "bfs", "graph": "g", "source": 1},
              {"task": "graph.write", "graph": "g", "state": "level", "file": "levels.txt"}]}
            """;
    private static final String KEPT =
            """
            {"tasks": [
              {"task": "graph.generate", "graph": "web", "generator": "kronecker", "scale": 18, "keep": true}]}
            """;
    private static final String KEPT_RANKS =
            """
            {"tasks": [
              {"task": "graph.pagerank", "graph": "web", "iterations": 5, "top": 20}]}
            """;
    private static final String WAITING =
            """
            {"tasks": [{"task": "test.obey", "order": "wait", "file": "begun"}]}
            """;

    @TempDir Path folder;

    @Test
    void runsJobsCancelsThemAndLeavesNoProcessBehind() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 1, 3)) {
            List<ProcessHandle> handles = cluster.handles();
            assertThat(handles).hasSize(4);

            long waiting = cluster.submit(WAITING);
            long ranks = cluster.submit(RANKS.formatted(5));
            cluster.await(() -> Files.exists(folder.resolve("begun")));
            assertThat(cluster.client().report(waiting)).isEmpty();
            assertThat(cluster.client().cancel(waiting)).isTrue();
            Map<?, ?> cancelled = cluster.awaitEnd(waiting, Status.CANCELLED);
            Map<?, ?> report = cluster.awaitEnd(ranks, Status.SUCCEEDED);

            assertThat(cancelled.get("status")).isEqualTo("cancelled");
            assertThat(report.get("peers")).isEqualTo(3L);
            assertThat(report.get("recoveries")).isEqualTo(0L);
            assertThat(report.get("tasks")).asInstanceOf(InstanceOfAssertFactories.LIST).hasSize(6);
            assertThat(folder.resolve("levels.txt")).isNotEmptyFile();
            assertThat(cluster.client().status().allReplicated()).isTrue();
            List<NetworkView> networks = cluster.client().networks();
            assertThat(networks)
                    .extracting(NetworkView::node)
                    .hasSize(4)
                    .isEqualTo(
                            cluster.client().status().nodes().stream()
                                    .map(ClusterView.Node::node)
                                    .toList());
            assertThat(networks).allSatisfy(ClusterProcessTest::hasTalked);
            assertThatThrownBy(() -> LocalCluster.start(cluster.processes().plan()))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("is running in");

            cluster.processes().stop();

            assertThat(handles).noneMatch(ProcessHandle::isAlive);
            assertThat(cluster.processes().isRunning()).isFalse();
        }
    }

    @Test
    @Tag("slow")
    void explainsSubmittedRunsAsThoseOfACommand() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 1, 2)) {
            Files.writeString(folder.resolve("s.json"), RANKS.formatted(5));
            Screen screen = new Screen();
            String url = cluster.processes().urls().getFirst().toString();
            String token = folder.resolve("cluster/token").toString();
            String[] words = {"submit", "s.json", "--explain", "--cluster", url, "--token", token};

            ExitCode code = Commands.all().run(words, screen.terminal(folder), new Interruption());

            assertThat(code).isEqualTo(ExitCode.DONE);
            assertThat(screen.out())
                    .containsPattern(
                            "algorithms.pagerank on g: 6 supersteps in [0-9.]+ s, at most [0-9,]+"
                                    + " messages in one of [0-9,]+ expected\n"
                                    + " +memory: node [0-9]+ took [0-9.]+ MiB of [0-9.]+ MiB expected;"
                                    + " [0-9,.]+ MiB were available, and no peer took more\n"
                                    + " +superstep  direction  frontier ")
                    .containsPattern("\n +1  +pull  +[0-9,]+  +[0-9,]+  +[1-9]");
        }
    }

    private static void hasTalked(NetworkView network) {
        assertThat(network.transport()).isEqualTo("ethernet");
        assertThat(network.figures().getOrDefault("roundTrips", 0).longValue()).isPositive();
        assertThat(network.figures().getOrDefault("malformed", -1).longValue()).isZero();
        assertThat(network.connections())
                .isNotEmpty()
                .allSatisfy(connection ->
                        assertThat(connection.getOrDefault("sentMessages", 0).longValue())
                                .isPositive());
    }

    @Test
    @Tag("slow")
    @Timeout(240) // eleven processes start, each making TLS connections with all others
    void letsNobodyInWithoutAKeyAndTakesBackWhoHasOne() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 3, 2, NodeTls.Word.GENERATED)) {
            Path keys = folder.resolve("cluster/keys");
            assertThat(Files.getPosixFilePermissions(keys.resolve("peer-0.key.pem")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(answerToAPlainNode(cluster.processes().superpeers().getFirst()))
                    .doesNotContain("STRL");

            cluster.processes().kill("peer-1");
            cluster.processes().restart("peer-1");
            Map<?, ?> report =
                    cluster.awaitEnd(cluster.submit(RANKS.formatted(5)), Status.SUCCEEDED);
            assertThat(report.get("peers")).isEqualTo(2L);

            cluster.processes().stop();
            cluster.startAgain();
            cluster.awaitEnd(cluster.submit(RANKS.formatted(5)), Status.SUCCEEDED);
        }
    }

    private static String answerToAPlainNode(InetSocketAddress address) throws IOException {
        byte[] handshake = new byte[24];
        System.arraycopy("STRL".getBytes(StandardCharsets.US_ASCII), 0, handshake, 0, 4);
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(handshake);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException reset) {
            return "";
        }
    }

    @Test
    @Tag("slow")
    void survivesTheLossOfASlaveAndOfTheMasterWithTheSameResults() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 1, 4)) {
            Map<?, ?> undisturbed =
                    cluster.awaitEnd(cluster.submit(RANKS.formatted(400)), Status.SUCCEEDED);

            long slaveLost = cluster.submit(RANKS.formatted(400));
            cluster.await(cluster.job(slaveLost, job -> job.status() == Status.RUNNING));
            cluster.processes().kill(cluster.slave().name());
            Map<?, ?> first = cluster.awaitEnd(slaveLost, Status.SUCCEEDED);
            long masterLost = cluster.submit(RANKS.formatted(400));
            cluster.await(cluster.job(masterLost, job -> job.status() == Status.RUNNING));
            int master = cluster.client().status().master();
            cluster.processes().kill(cluster.process(master).name());
            Map<?, ?> second = cluster.awaitEnd(masterLost, Status.SUCCEEDED);

            assertThat(results(first)).isEqualTo(results(undisturbed));
            assertThat(results(second)).isEqualTo(results(undisturbed));
            assertThat(first.get("recoveries")).isEqualTo(1L);
            assertThat(second.get("recoveries")).isEqualTo(1L);
            assertThat(String.valueOf(second.get("recoveryEvents")))
                    .contains("node=" + master)
                    .contains("role=master");
            cluster.await(() -> cluster.client().status().allReplicated());
        }
    }

    @Test
    @Tag("slow")
    void letsAPeerLeaveInTheMiddleOfAJobAndTakesItBack() throws IOException {
        try (RealCluster cluster = RealCluster.supervised(folder, 1, 4)) {
            Map<?, ?> undisturbed =
                    cluster.awaitEnd(cluster.submit(RANKS.formatted(3000)), Status.SUCCEEDED);
            long id = cluster.submit(RANKS.formatted(3000));
            cluster.await(cluster.job(id, ClusterProcessTest::isRanking));
            String name = cluster.slave().name();
            int node =
                    StatusText.node(process(cluster, name), cluster.client().status())
                            .orElseThrow()
                            .node();

            cluster.client().drain(node);
            assertThat(cluster.client().log(0, 100, LogLine.Level.INFO))
                    .extracting(LogLine::message)
                    .contains("superpeer-0 is node 0");
            assertThat(cluster.client().log(node, 100, LogLine.Level.INFO))
                    .extracting(LogLine::message)
                    .contains(name + " is node " + node);
            assertThat(cluster.processes().awaitEnd(name)).isTrue();
            assertThat(cluster.client().job(id)).map(JobView::status).contains(Status.RUNNING);
            cluster.processes().restart(name);
            Map<?, ?> report = cluster.awaitEnd(id, Status.SUCCEEDED);

            assertThat(results(report)).isEqualTo(results(undisturbed));
            assertThat(report.get("recoveries")).isEqualTo(0L);
            assertThat(cluster.processes().restarts()).as("of the supervisor").isEmpty();
            assertThatThrownBy(() -> cluster.client().drain(0))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("node 0 is no peer");
        }
    }

    @Test
    @Tag("slow")
    void forgetsAPeerThatIsGoneForGoodAndTellsItWhenItComesBack() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 1, 4)) {
            cluster.awaitEnd(cluster.submit(KEPT), Status.SUCCEEDED);
            LocalCluster processes = cluster.processes();
            String name = cluster.slave().name();
            int node = processes.nodeOf(name).orElseThrow();
            assertThatThrownBy(() -> cluster.client().remove(node, false))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("is a member of the cluster: drain it first");
            processes.kill(name);
            cluster.await(() -> cluster.client().status().nodes().size() == 4);

            RemovedView removed =
                    processes.remove(name, () -> cluster.client().remove(node, false));

            assertThat(removed).isEqualTo(new RemovedView(node, true, 0, 0));
            LocalCluster now = LocalCluster.find(processes.plan().folder()).orElseThrow();
            assertThat(now.processes()).hasSize(4).extracting("name").doesNotContain(name);
            Screen screen = new Screen();
            new ClusterRemoval(false, screen.terminal(folder), false).here(name, now);
            assertThat(screen.out()).isEqualTo(name + " was removed before\n");
            cluster.await(() -> cluster.client().status().allReplicated());
            processes.restart(name); // by who does not know of it
            cluster.await(() -> cluster.client().status().nodes().size() == 5);
            assertThat(processes.log(name))
                    .content()
                    .contains("node " + node + ", whose data directory this was, has been removed");
            cluster.awaitEnd(cluster.submit(KEPT_RANKS), Status.SUCCEEDED);
        }
    }

    @Test
    @Tag("slow")
    @Timeout(300)
    void evensOutMemoryWhenAPeerHasComeBackEmpty() throws IOException {
        try (RealCluster cluster = RealCluster.ofSmallZones(folder, 1, 4)) {
            cluster.awaitEnd(cluster.submit(KEPT), Status.SUCCEEDED);
            Map<?, ?> before = cluster.awaitEnd(cluster.submit(KEPT_RANKS), Status.SUCCEEDED);
            String name = cluster.slave().name();
            cluster.processes().stop(name);
            cluster.await(() -> cluster.client().status().allReplicated());
            cluster.processes().restart(name);
            cluster.await(() -> cluster.client().status().nodes().size() == 5);
            long id = cluster.submit(WAITING);
            cluster.await(() -> Files.exists(folder.resolve("begun")));
            assertThatThrownBy(() -> cluster.client().rebalance())
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("job " + id + " is running");
            cluster.client().cancel(id);
            cluster.awaitEnd(id, Status.CANCELLED);

            int node =
                    StatusText.node(process(cluster, name), cluster.client().status())
                            .orElseThrow()
                            .node();
            List<ZoneMoveView> moves = new ArrayList<>();
            cluster.client().rebalance().ifPresent(moves::add);
            for (int step = 0; step < 20 && moves.size() == step + 1; step++) {
                cluster.client().rebalance().ifPresent(moves::add);
            }

            assertThat(moves).extracting(ZoneMoveView::to).contains(node);
            Map<?, ?> after = cluster.awaitEnd(cluster.submit(KEPT_RANKS), Status.SUCCEEDED);
            assertThat(results(after)).isEqualTo(results(before));
        }
    }

    private static boolean isRanking(JobView job) {
        JobActivity now = job.progress();
        return job.status() == Status.RUNNING
                && now != null
                && now.name().equals("graph.pagerank")
                && now.superstep() > 0;
    }

    private static ClusterProcess process(RealCluster cluster, String name) {
        return cluster.processes().processes().stream()
                .filter(process -> process.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("slow")
    void goesOnWithItsJobsAfterAllProcessesWereKilledAtOnce() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 3, 3)) {
            String id = cluster.client().status().clusterId();
            long running = cluster.submit(RANKS.formatted(2000));
            long queued = cluster.submit(RANKS.formatted(3));
            cluster.await(cluster.job(running, job -> job.status() == Status.RUNNING));

            cluster.processes().kill();
            cluster.startAgain();

            assertThat(cluster.client().status().clusterId()).isEqualTo(id);
            cluster.awaitEnd(running, Status.SUCCEEDED);
            cluster.awaitEnd(queued, Status.SUCCEEDED);
            assertThat(cluster.client().job(running)).get().matches(job -> job.attempt() >= 2);
        }
    }

    @Test
    @Tag("slow")
    void survivesTheLossOfTheSuperpeerThatLeads() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 3, 3)) {
            int leader = cluster.client().status().leader();
            long id = cluster.submit(RANKS.formatted(400));

            cluster.processes().kill("superpeer-" + leader);

            cluster.awaitEnd(id, Status.SUCCEEDED);
            assertThat(cluster.client().status().leader()).isNotEqualTo(leader);
            cluster.processes().restart("superpeer-" + leader);
            cluster.awaitEnd(cluster.submit(RANKS.formatted(3)), Status.SUCCEEDED);
        }
    }

    /** None of them can start alone. */
    @Test
    @Tag("slow")
    void bringsAllSuperpeersBackThatHaveDiedWhenOneIsRestarted() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 3, 2)) {
            LocalCluster processes = cluster.processes();
            List<String> superpeers =
                    processes.processes().stream()
                            .filter(ClusterProcess::superpeer)
                            .map(ClusterProcess::name)
                            .toList();
            superpeers.forEach(processes::kill);

            assertThat(processes.restart("superpeer-1"))
                    .containsExactlyInAnyOrderElementsOf(superpeers);

            cluster.awaitEnd(cluster.submit(RANKS.formatted(3)), Status.SUCCEEDED);
        }
    }

    @Test
    @Tag("slow")
    @Timeout(300)
    void goesOnWhenASuperpeerBeginsAnewWithAnEmptyDiskAndAnotherOneIsLostAfterThat()
            throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 3, 3)) {
            LocalCluster processes = cluster.processes();
            long running = cluster.submit(RANKS.formatted(400));
            String replaced = "superpeer-" + cluster.client().status().leader();
            processes.kill(replaced);
            Files.move(processes.data(replaced), folder.resolve("gone"));

            processes.restart(replaced);

            cluster.await(() -> log(processes, replaced).contains("has got everything, and votes"));
            String other = replaced.equals("superpeer-0") ? "superpeer-1" : "superpeer-0";
            processes.kill(other);
            cluster.awaitEnd(running, Status.SUCCEEDED);
            cluster.awaitEnd(cluster.submit(RANKS.formatted(3)), Status.SUCCEEDED);
        }
    }

    private static String log(LocalCluster cluster, String name) {
        try {
            return Files.readString(cluster.log(name));
        } catch (IOException missing) {
            return "";
        }
    }

    @Test
    @Tag("slow")
    void joinsAgainAfterAPauseLongerThanItsLease() throws IOException {
        try (RealCluster cluster = RealCluster.start(folder, 1, 4)) {
            String name = cluster.slave().name();
            int before = node(cluster, name);

            cluster.processes().pause(name);
            cluster.await(() -> cluster.client().status().nodes().size() == 4);
            cluster.processes().resume(name);

            cluster.await(() -> cluster.client().status().nodes().size() == 5);
            assertThat(node(cluster, name)).isGreaterThan(before);
        }
    }

    @Test
    @Tag("slow")
    void startsProcessesAgainThatDiedAndSaysWhereTheirReportsAre() throws Exception {
        try (RealCluster cluster = RealCluster.supervised(folder, 1, 2)) {
            LocalCluster processes = cluster.processes();
            long crashed = pid(processes, "peer-0");
            long killed = pid(processes, "superpeer-0");
            List<String> before = javaFlags(crashed);

            signal("-SEGV", crashed);
            signal("-KILL", killed);

            cluster.await(() -> processes.restarts().size() == 2);
            cluster.await(() -> cluster.client().status().nodes().size() == 3);
            assertThat(processes.restarts())
                    .allSatisfy(restart -> assertThat(restart.outcome()).isEqualTo("started again"))
                    .extracting(Restart::process, Restart::pid)
                    .containsExactlyInAnyOrder(
                            tuple("peer-0", crashed), tuple("superpeer-0", killed));
            Path report =
                    processes.log("peer-0").resolveSibling("peer-0.crash-" + crashed + ".txt");
            assertThat(report).content().contains("SIGSEGV");
            assertThat(javaFlags(pid(processes, "peer-0")))
                    .as("the supervisor's small heap is its own")
                    .isEqualTo(before);
            assertThat(StatusText.of(processes, cluster.client().status()))
                    .contains("its JVM crashed, see " + report)
                    .doesNotContain("has died");
        }
    }

    @Test
    @Tag("slow")
    void leavesDownWhatWasStoppedOnPurposeAndEndsWithTheCluster() throws Exception {
        try (RealCluster cluster = RealCluster.supervised(folder, 1, 2)) {
            LocalCluster processes = cluster.processes();
            assertThat(processes.supervisor()).isPresent();

            processes.stop("peer-1");
            signal("-KILL", pid(processes, "peer-0"));
            cluster.await(() -> processes.restarts().size() == 1);

            assertThat(pid(processes, "peer-1")).as("still down").isZero();
            assertThat(processes.deaths()).isEmpty();
            processes.restart("peer-1");
            assertThat(pid(processes, "peer-1")).isPositive();

            processes.stop();

            assertThat(processes.isRunning()).isFalse();
            assertThat(processes.supervisor()).isEmpty();
            assertThat(processes.deaths()).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void goesOnLookingAfterProcessesWhenItCanNoteNothing() throws Exception {
        try (RealCluster cluster = RealCluster.supervised(folder, 1, 1)) {
            LocalCluster processes = cluster.processes();
            Files.createDirectories(folder.resolve("cluster/run/restarts.json/in-the-way"));

            for (int i = 0; i < 2; i++) {
                long killed = pid(processes, "peer-0");
                signal("-KILL", killed);
                cluster.await(() -> !List.of(0L, killed).contains(pid(processes, "peer-0")));
            }
        }
    }

    @Test
    @Tag("slow")
    void endsASupervisorInWhosePlaceThereIsAnother() throws Exception {
        try (RealCluster cluster = RealCluster.supervised(folder, 1, 1)) {
            LocalCluster processes = cluster.processes();
            ProcessHandle first = processes.supervisor().orElseThrow();

            processes.stop("peer-0");
            Files.delete(folder.resolve("cluster/run/supervisor.pid"));
            processes.restart("peer-0");

            cluster.await(() -> !first.isAlive());
            assertThat(processes.supervisor()).get().isNotEqualTo(first);
        }
    }

    @Test
    @Tag("slow")
    void saysThatAProcessDiedWithoutASupervisorAndBringsItBack() throws Exception {
        try (RealCluster cluster = RealCluster.start(folder, 1, 1)) {
            long crashed = pid(cluster.processes(), "superpeer-0");
            signal("-SEGV", crashed);
            cluster.await(() -> pid(cluster.processes(), "superpeer-0") == 0);
            String data = cluster.processes().plan().folder().toString();
            Screen screen = new Screen();

            ExitCode status = run(screen, "cluster", "status", "--data", data);
            ExitCode restart = run(screen, "cluster", "restart", "superpeer-0", "--data", data);
            ExitCode after = run(screen, "cluster", "status", "--data", data);

            assertThat(status).isEqualTo(ExitCode.NO_CLUSTER);
            assertThat(screen.out())
                    .contains("1 of 2 processes run")
                    .contains(
                            "superpeer-0 has died (it was process "
                                    + crashed
                                    + "): its JVM crashed")
                    .contains("/logs/superpeer-0.crash-" + crashed + ".txt")
                    .contains("restarted superpeer-0");
            assertThat(restart).isEqualTo(ExitCode.DONE);
            assertThat(after).isEqualTo(ExitCode.DONE);
        }
    }

    private ExitCode run(Screen screen, String... words) {
        return Commands.all().run(words, screen.terminal(folder), new Interruption());
    }

    private static List<String> javaFlags(long pid) throws IOException {
        String line = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
        return List.of(line.substring(0, line.indexOf("\0-cp\0")).split("\0"));
    }

    private static long pid(LocalCluster cluster, String name) {
        return cluster.processes().stream()
                .filter(process -> process.name().equals(name))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    private static void signal(String signal, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor())
                .isZero();
    }

    @Test
    @Tag("slow")
    void refusesTheDataDirectoryOfAnotherCluster() throws IOException {
        try (RealCluster other = RealCluster.start(folder.resolve("other"), 1, 1);
                RealCluster cluster = RealCluster.start(folder, 1, 1)) {
            other.processes().kill();
            cluster.processes().kill();
            Path mine = cluster.processes().data("peer-0");
            Files.move(mine, mine.resolveSibling("away"));
            Files.move(other.processes().data("peer-0"), mine);

            assertThatThrownBy(cluster::startAgain)
                    .isInstanceOfAny(ClusterException.class, InvalidInputException.class)
                    .hasMessageContaining("peer-0")
                    .hasMessageContaining("cluster");
            assertThat(cluster.handles()).isEmpty();
        }
    }

    private static int node(RealCluster cluster, String name) {
        return cluster.processes().processes().stream()
                .filter(process -> process.name().equals(name))
                .flatMap(process -> StatusText.node(process, cluster.client().status()).stream())
                .findFirst()
                .orElseThrow()
                .node();
    }

    /** Results of all tasks, without times. */
    private static List<?> results(Map<?, ?> report) {
        List<?> tasks = (List<?>) Objects.requireNonNull(report.get("tasks"));
        return tasks.stream().map(task -> ((Map<?, ?>) task).get("result")).toList();
    }
}
