package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.GroupName;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.script.ExistingGraphs;
import org.starling.compute.script.JobPriority;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.TaskCatalog;

/** Commands that talk to a cluster, over a service without a cluster; and starts that must fail. */
final class ClusterCommandsTest {
    private static final String REPORT =
            """
            {"job": 1, "script": "s", "status": "succeeded", "seconds": 2.5, "peers": 3, \
            "processes": true, "recoveries": 2, "recoveryEvents": [{"node": 4, "role": "slave", \
            "superstep": 12, "resumedAt": 10, "seconds": 1.5}, {"node": -1, "role": "slave", \
            "superstep": 14, "resumedAt": -1, "seconds": 0.5}], "tasks": [{"task": "test.obey", \
            "as": "a", "seconds": 2.0, "supersteps": 20, "messages": 1000, "result": {"n": 7}}]}\
            """;
    private static final String FAILED =
            "{\"job\": 1, \"script\": \"s\", \"status\": \"failed\", \"tasks\": [], \"error\": \"$.tasks[0]"
                    + " (test.obey): told to fail\"}";

    @TempDir Path folder;

    private final FakeService service = new FakeService();
    private final Screen screen = new Screen();

    @BeforeEach
    void writeAScript() throws IOException {
        Files.writeString(
                folder.resolve("s.json"),
                "{\"name\": \"s\", \"parameters\": {\"n\": 1}, \"tasks\": [{\"task\": \"test.obey\","
                        + " \"number\": \"${n}\"}]}");
    }

    @Test
    void submitsAScriptAndWaitsForItsReport() {
        service.afterSubmit(id -> service.end(id, Status.SUCCEEDED, REPORT));

        assertThat(run("submit", "s.json", "-P", "n=3")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .startsWith("s: succeeded in 2.50 s on 3 peers in processes of their own\n")
                .contains(
                        "  lost node 4 (slave) in superstep 12; went on with superstep 10 after 1.50 s")
                .contains(
                        "  lost messages between peers in superstep 14; its task began anew after")
                .contains("test.obey (a)");
        assertThat(screen.err().lines()).containsExactly("job 1", "      succeeded");
        assertThat(service.requests())
                .singleElement()
                .satisfies(request -> {
                    assertThat(request.parameters()).isEqualTo(Map.of("n", "3"));
                    assertThat(request.folder()).isEqualTo(folder);
                });
    }

    @Test
    void asksForExplanations() {
        assertThat(run("submit", "s.json", "--detach", "--explain")).isEqualTo(ExitCode.DONE);
        assertThat(run("submit", "s.json", "--detach")).isEqualTo(ExitCode.DONE);

        assertThat(service.requests()).extracting(JobRequest::explain).containsExactly(true, false);
        JobRequest asked = JobRequest.parse(service.requests().getFirst().json());
        assertThat(asked).isEqualTo(service.requests().getFirst());
        assertThat(
                        asked.parse(TaskCatalog.onClassPath(), List.of(folder), ExistingGraphs.NONE)
                                .explained())
                .isTrue();
    }

    @Test
    void printsTheReportAsTheClusterKeepsIt() {
        service.afterSubmit(id -> service.end(id, Status.SUCCEEDED, REPORT));

        assertThat(run("submit", "s.json", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(run("report", "1", "--json")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out()).isEqualTo(REPORT + "\n" + REPORT + "\n");
    }

    @Test
    void leavesADetachedJobAlone() {
        assertThat(run("submit", "s.json", "--detach")).isEqualTo(ExitCode.DONE);
        assertThat(run("submit", "s.json", "--detach", "--json")).isEqualTo(ExitCode.DONE);
        assertThat(run("jobs")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .isEqualTo(
                        """
                        job 1
                        {"id": 2}
                          job  status  attempts  task  at  to go  name
                          1    queued  0                          s
                          2    queued  0                          s
                        """);
    }

    @Test
    void sendsAJobToAGroupWithAPriority() {
        assertThat(run("submit", "s.json", "--detach", "--group", "night", "--priority", "high"))
                .isEqualTo(ExitCode.DONE);

        JobRequest asked = service.requests().getFirst();
        assertThat(asked.group()).isEqualTo(new GroupName("night"));
        assertThat(asked.priority()).isEqualTo(JobPriority.HIGH);
        assertThat(JobRequest.parse(asked.json())).isEqualTo(asked);

        assertThat(run("submit", "s.json", "--group", "Night")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("submit", "s.json", "--priority", "urgent")).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(screen.err())
                .contains("\"Night\" is no name of a group")
                .contains("--priority must be low, normal or high, found \"urgent\"");
    }

    @Test
    void saysWhyJobsWait() {
        assertThat(run("submit", "s.json", "--detach")).isEqualTo(ExitCode.DONE);
        service.waits(1, "night", JobPriority.LOW, "no peer of group night is there", 12);

        assertThat(run("jobs")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .isEqualTo(
                        """
                        job 1
                          job  status  attempts  task  at  to go  name  group  priority  waits for
                          1    queued  0                          s     night  low       no peer of group night is there (for 12 s)
                        """);
    }

    @Test
    void saysThatAJobHasFailed() {
        service.afterSubmit(id -> service.end(id, Status.FAILED, FAILED));

        assertThat(run("submit", "s.json")).isEqualTo(ExitCode.JOB_FAILED);
        assertThat(run("report", "1")).isEqualTo(ExitCode.JOB_FAILED);

        assertThat(screen.err()).contains("starling: $.tasks[0] (test.obey): told to fail\n");
    }

    @Test
    void tellsTheShellThatAJobFailedForWhatItWasAskedFor() {
        String report = FAILED.replace("\"error\"", "\"invalidInput\": true, \"error\"");
        assertThat(report).isNotEqualTo(FAILED);
        service.afterSubmit(id -> service.end(id, Status.FAILED, report));

        assertThat(run("submit", "s.json")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("report", "1")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err()).contains("starling: $.tasks[0] (test.obey): told to fail\n");
    }

    @Test
    void saysThatAJobWasCancelledBeforeItBegan() {
        service.afterSubmit(service::cancel);

        assertThat(run("submit", "s.json")).isEqualTo(ExitCode.JOB_FAILED);

        assertThat(screen.err()).contains("starling: the job was cancelled\n");
    }

    @Test
    void cancelsAJobWhenTheWaitIsInterrupted() {
        Interruption interruption = new Interruption();
        service.afterSubmit(id -> {
            service.move(id, Status.RUNNING, 1);
            interruption.onRequest(() -> {}, java.time.Duration.ofMillis(1));
            interruption.request();
        });
        Thread ender = Thread.startVirtualThread(this::endWhenCancelled);

        ExitCode code = commands().run(new String[] {"submit", "s.json"}, terminal(), interruption);

        assertThat(code).isEqualTo(ExitCode.JOB_FAILED);
        assertThat(service.job(1)).get().matches(job -> job.cancelRequested());
        assertThat(ender.isAlive()).isFalse();
    }

    private void endWhenCancelled() {
        while (service.job(1).isEmpty() || !service.job(1).get().cancelRequested()) {
            LockSupport.parkNanos(1_000_000);
        }
        service.end(1, Status.CANCELLED, FAILED.replace("failed", "cancelled"));
    }

    @Test
    void refusesABadScriptBeforeTheClusterSeesIt() throws IOException {
        Files.writeString(folder.resolve("s.json"), "{\"tasks\": [{\"task\": \"test.oby\"}]}");
        service.setDown(true);

        assertThat(run("submit", "s.json", "--json")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err()).contains("unknown task \"test.oby\"");
        assertThat(service.requests()).isEmpty();
    }

    @Test
    void cancelsJobs() {
        run("submit", "s.json", "--detach");
        run("submit", "s.json", "--detach");
        service.move(2, Status.RUNNING, 1);

        assertThat(run("cancel", "1")).isEqualTo(ExitCode.DONE);
        assertThat(run("cancel", "2")).isEqualTo(ExitCode.DONE);
        assertThat(run("cancel", "1")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("jobs", "--json")).isEqualTo(ExitCode.DONE);

        assertThat(screen.out())
                .contains("job 1 is cancelled\njob 2 is stopping\n")
                .contains("\"cancelRequested\": true");
        assertThat(screen.err()).contains("starling: job 1 has ended already\n");
    }

    @Test
    void evensOutMemoryUntilNothingMoves() {
        service.makeUneven(2);

        assertThat(run("cluster", "rebalance")).isEqualTo(ExitCode.DONE);
        assertThat(run("cluster", "rebalance", "--json")).isEqualTo(ExitCode.DONE);

        assertThat(screen.err().lines())
                .containsExactly(
                        "zone 180002 (3.0 MiB) has gone from node 3 to node 4",
                        "zone 180002 (3.0 MiB) has gone from node 3 to node 4");
        assertThat(screen.out()).startsWith("moved 2 zones, 6.0 MiB\n").contains("\"moved\": []");
    }

    @Test
    void letsAPeerOfElsewhereLeaveByItsId() {
        assertThat(run("cluster", "drain", "3", "--cluster", "u")).isEqualTo(ExitCode.DONE);
        assertThat(run("cluster", "drain", "peer-3", "--cluster", "u"))
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run("cluster", "drain", "9", "--cluster", "u")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.out()).isEqualTo("node 3 has left\n");
        assertThat(screen.err().lines())
                .containsExactly(
                        "node 3 leaves when no job needs it",
                        "starling: cluster drain --cluster needs the id of a node, as cluster status shows it, found \"peer-3\"",
                        "starling: node 9 is no peer; peers are [3]");
    }

    @Test
    void showsTheLastLinesOfANodesLog() {
        assertThat(run("cluster", "logs", "3", "--cluster", "u")).isEqualTo(ExitCode.DONE);
        assertThat(run("cluster", "logs", "3", "--level", "warn", "--json"))
                .isEqualTo(ExitCode.DONE);
        assertThat(run("cluster", "logs", "peer-3", "--cluster", "u"))
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run("cluster", "logs", "3", "--level", "loud")).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run("cluster", "logs", "9")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.out())
                .startsWith(
                        "2026-01-02T03:04:05Z WARN  A: one\n2026-01-02T03:04:06Z INFO  B: two\n")
                .contains("\"node\": 3, \"lines\": [{")
                .containsOnlyOnce("two");
        assertThat(screen.err().lines())
                .containsExactly(
                        "starling: cluster logs --cluster needs the id of a node, as cluster status shows it, found \"peer-3\"",
                        "starling: --level: a level is error, warn, info or debug, found \"loud\"",
                        "starling: node 9 is no member of the cluster; nodes are [0, 3]");
    }

    @Test
    void removesAPeerOfElsewhereByItsId() {
        assertThat(run("cluster", "remove", "5", "--cluster", "u")).isEqualTo(ExitCode.DONE);
        assertThat(run("cluster", "remove", "6", "--cluster", "u")).isEqualTo(ExitCode.DONE);
        assertThat(run("cluster", "remove", "7", "--cluster", "u")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("cluster", "remove", "7", "--accept-loss", "--cluster", "u"))
                .isEqualTo(ExitCode.DONE);
        assertThat(run("cluster", "remove", "3", "--cluster", "u")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("cluster", "remove", "peer-3", "--cluster", "u"))
                .isEqualTo(ExitCode.WRONG_USAGE);

        assertThat(screen.out().lines())
                .containsExactly(
                        "node 5 is removed",
                        "node 6 is removed",
                        "1 zone has no live copy: back when all other nodes that had one are",
                        "node 7 is removed",
                        "2 zones have lost changes for good: what the other disks have comes back, all else answers DATA LOST");
        assertThat(screen.err().lines())
                .containsExactly(
                        "starling: node 7 can't be removed without loss: 2 zones have",
                        "starling: node 3 is a member of the cluster: drain it first",
                        "starling: cluster remove --cluster needs the id of a node, as its log says it, found \"peer-3\"");
    }

    @Test
    void saysAsJsonWhatCameOfARemoval() {
        assertThat(run("cluster", "remove", "7", "--accept-loss", "--cluster", "u", "--json"))
                .isEqualTo(ExitCode.DONE);

        assertThat(JsonText.parse(screen.out()))
                .isEqualTo(
                        Map.of(
                                "removed", List.of("node 7"),
                                "node", 7L,
                                "changed", true,
                                "waiting", 0L,
                                "damaged", 2L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    report 9                   | BAD_INPUT   | starling: there is no job 9, or it ended long ago
                    cancel 9                   | BAD_INPUT   | starling: there is no job 9, or it ended long ago
                    report                     | WRONG_USAGE | starling: report needs the number of one job; see starling report --help
                    cancel one                 | WRONG_USAGE | starling: a job has a number, found "one"
                    submit                     | WRONG_USAGE | starling: submit needs one script, found 0; see starling submit --help
                    submit x.json              | BAD_INPUT   | starling: there is no script FOLDER/x.json
                    jobs all                   | WRONG_USAGE | starling: jobs takes options only, found "all"
                    cluster                    | WRONG_USAGE | starling: cluster needs one of start, status, stop, restart, drain, rebalance, remove and logs
                    cluster stat               | WRONG_USAGE | starling: cluster needs one of start, status, stop, restart, drain, rebalance, remove and logs, found "stat"; did you mean "start"?
                    cluster start --superpeers 2 | WRONG_USAGE | starling: --superpeers must be 1 or 3, found "2"
                    cluster start --peers 65   | WRONG_USAGE | starling: --peers must be a whole number from 1 to 64, found "65"
                    cluster start twice        | WRONG_USAGE | starling: cluster start does not know what "twice" is; see starling cluster --help
                    cluster stop --cluster u   | WRONG_USAGE | starling: cluster stop is for the cluster of a folder on this machine (--data); --cluster goes with status, drain, rebalance, remove and logs
                    cluster restart peer-0     | NO_CLUSTER  | starling: no cluster is running in FOLDER/.starling/cluster; start one with "starling cluster start", or name one with --data
                    cluster start --allow nowhere | BAD_INPUT | starling: scripts can't be allowed to use FOLDER/nowhere: FOLDER/nowhere is not there
                    cluster status             | NO_CLUSTER  | starling: no cluster is running in FOLDER/.starling/cluster; start one with "starling cluster start", or name one with --data
                    """)
    void refusesWhatMakesNoSense(String line, ExitCode code, String sentence) {
        assertThat(run(line.split(" "))).isEqualTo(code);

        assertThat(screen.err().lines())
                .containsExactly(sentence.replace("FOLDER", folder.toString()));
        assertThat(screen.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"submit s.json", "jobs", "report 1", "cancel 1"})
    void saysWhereItHasLookedForACluster(String line) throws IOException {
        writeToken();
        Commands real =
                new Commands(
                        List.of(
                                new SubmitCommand(ClusterLine::find),
                                new JobsCommand(ClusterLine::find),
                                new ReportCommand(ClusterLine::find),
                                new CancelCommand(ClusterLine::find)));

        ExitCode here = real.run(line.split(" "), terminal(), new Interruption());
        ExitCode there =
                real.run(
                        (line + " --cluster http://127.0.0.1:1 --token t").split(" "),
                        terminal(),
                        new Interruption());
        ExitCode untold =
                real.run(
                        (line + " --cluster http://127.0.0.1:1").split(" "),
                        terminal(),
                        new Interruption());
        ExitCode nowhere =
                real.run((line + " --cluster moon").split(" "), terminal(), new Interruption());

        assertThat(here).isEqualTo(ExitCode.NO_CLUSTER);
        assertThat(there).isEqualTo(ExitCode.NO_CLUSTER);
        assertThat(untold).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(nowhere).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(screen.err().lines())
                .containsExactly(
                        "starling: no cluster is running in %s/.starling/cluster; start one with \"starling cluster start\", or name one with --data or --cluster"
                                .formatted(folder),
                        "starling: no cluster answers at http://127.0.0.1:1: nobody listens there",
                        "starling: http://127.0.0.1:1 asks for its token: name the file with --token (\"token\" in the cluster's folder), or set STARLING_TOKEN",
                        "starling: --cluster wants an address like http://127.0.0.1:7500 or https://alpha:7500, found \"moon\"");
    }

    /** What listens at a cluster's address and is none is said in words, not in a library's. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    garbage                                       | no cluster answers at URL: the connection broke:
                    HTTP/1.1 200 OK~Content-Length: 5~~hello      | URL is not a cluster of Starling
                    HTTP/1.1 200 OK~Content-Length: 2~~{}         | the cluster's answer is not of the form that is described: expected a list, found nothing
                    HTTP/1.1 302 Found~Location: /x~Content-Length: 2~~{} | the cluster answered with status 302
                    """)
    void explainsWhatAnswersThatIsNoCluster(String answer, String sentence) throws Exception {
        writeToken();
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + other.getLocalPort();
            Thread server = Thread.startVirtualThread(() -> answerOnce(other, answer));

            real("jobs", "--cluster", url, "--token", "t");

            assertThat(screen.err())
                    .startsWith("starling: " + sentence.replace("URL", url))
                    .doesNotContain("Exception");
            server.join();
        }
    }

    private static void answerOnce(ServerSocket server, String answer) {
        try (Socket socket = server.accept()) {
            Scanner request = new Scanner(socket.getInputStream(), StandardCharsets.US_ASCII);
            while (!request.nextLine().isEmpty()) {
                // its headers
            }
            String text = answer.replace("~", "\r\n") + (answer.contains("~~") ? "" : "\r\n\r\n");
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    cluster.json   | zz                   | FOLDER/cluster.json is not the plan of a cluster: line 1
                    cluster.json   | {"superpeers": "x"}  | FOLDER does not say what cluster it holds
                    run/peer-0.pid | zz                   | FOLDER/run/peer-0.pid is not what was written (line 1
                    token          | zz                   | FOLDER/token holds no token of a cluster
                    secret         | zz                   | the cluster's secret in FOLDER/secret can't be used
                    """)
    void saysWhichFileInTheFolderIsForeign(String name, String text, String sentence)
            throws IOException {
        config(FreePorts.base(), "");
        Path cluster = folder.resolve("c");
        Path file = cluster.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        assertThat(run("cluster", "start", "--data", "c")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err())
                .contains("starling: " + sentence.replace("FOLDER", cluster.toString()))
                .doesNotContain("Exception");
    }

    @Test
    void refusesAPortThatNoAddressHas() {
        assertThat(real("jobs", "--cluster", "http://127.0.0.1:99999"))
                .isEqualTo(ExitCode.WRONG_USAGE);
    }

    /** However it is written, it is the cluster in the folder, whose token is there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:PORT",
                "http://127.0.0.1:PORT/",
                "http://localhost:PORT",
                "http://LocalHost:PORT/"
            })
    void findsTheTokenOfTheClusterInTheFolder(String url) throws Exception {
        int port = FreePorts.base();
        Path process = Files.createDirectories(makeCluster(port).resolve("run"));
        Files.writeString(process.resolve("superpeer-0.pid"), noteOfThisProcess());
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            Thread answers =
                    Thread.ofVirtual()
                            .start(() ->
                                    answerOnce(
                                            server,
                                            "HTTP/1.1 200 OK~Content-Length: 12~~{\"jobs\": []}"));

            real("jobs", "--data", "c", "--cluster", url.replace("PORT", Integer.toString(port)));

            assertThat(screen.out() + screen.err()).isEqualTo("there are no jobs\n");
            answers.join();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1:7500",
                "http://127.0.0.1:7501",
                "http://127.0.0.1:7500/elsewhere",
                "http://127.0.0.1:7500@example.org",
                "http://example.org:7500",
            })
    void givesTheTokenOfTheClusterInTheFolderToNobodyElse(String url) throws IOException {
        makeCluster(7500);

        real("jobs", "--data", "c", "--cluster", url);

        assertThat(screen.err()).startsWith("starling: " + url + " asks for its token");
    }

    /** Its port may be anybody's by now. */
    @Test
    void givesTheTokenToNobodyWhoListensWhereASuperpeerDid() throws IOException {
        int port = FreePorts.base();
        Path cluster = makeCluster(port);
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(1);

            ExitCode code = real("jobs", "--data", "c", "--cluster", "http://localhost:" + port);

            assertThat(code).isEqualTo(ExitCode.NO_CLUSTER);
            assertThat(screen.err())
                    .startsWith("starling: no superpeer of the cluster in " + cluster + " runs");
            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    /** A folder with a plan and a token. */
    private Path makeCluster(int restPort) throws IOException {
        Path cluster = Files.createDirectories(folder.resolve("c"));
        Files.writeString(
                cluster.resolve("cluster.json"),
                """
                {"superpeers": 1, "peers": 1, "threadsPerPeer": 0, "memoryBytesPerPeer": 0,
                 "basePort": 7400, "restPort": %d}
                """
                        .formatted(restPort));
        writeToken();
        Files.move(folder.resolve("t"), cluster.resolve("token"));
        return cluster;
    }

    private static String noteOfThisProcess() {
        ProcessHandle self = ProcessHandle.current();
        return "{\"pid\": %d, \"started\": \"%s\"}"
                .formatted(self.pid(), self.info().startInstant().orElseThrow());
    }

    private void writeToken() throws IOException {
        Path token = Files.writeString(folder.resolve("t"), AccessToken.fresh().text());
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    }

    private ExitCode real(String... words) {
        return new Commands(List.of(new JobsCommand(ClusterLine::find)))
                .run(words, terminal(), new Interruption());
    }

    @Test
    void reportsADirectoryWithoutLeader() {
        service.setDown(true);

        assertThat(run("jobs")).isEqualTo(ExitCode.NO_CLUSTER);

        assertThat(screen.err()).contains("starling: the cluster's directory does not answer");
    }

    @Test
    void startsNothingWhereAPortIsTaken() throws IOException {
        int port = FreePorts.base();
        config(port, "");
        try (ServerSocket taken =
                new ServerSocket(port + 20, 1, InetAddress.getLoopbackAddress())) {
            assertThat(taken.isBound()).isTrue();

            assertThat(run("cluster", "start")).isEqualTo(ExitCode.NO_CLUSTER);
        }

        assertThat(screen.err())
                .contains(
                        "starling: port %d, meant for peer-0, can't be listened on (Address already in use)"
                                .formatted(port + 20));
        assertThat(run("cluster", "stop")).isEqualTo(ExitCode.DONE);
        assertThat(screen.out()).startsWith("no cluster is running in ");
    }

    @Test
    void startsNothingWhereTheFolderCanNotBe() throws IOException {
        Files.writeString(folder.resolve("file"), "not a folder");

        assertThat(run("cluster", "start", "--data", "file/cluster")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run("cluster", "start", "--data", "file")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err())
                .contains("starling: %s/file/cluster can't hold a cluster".formatted(folder))
                .contains("starling: %s/file can't hold a cluster".formatted(folder));
    }

    @Test
    void startsNothingOnTheFolderOfAClusterWithOtherSuperpeers() throws IOException {
        Path data = Files.createDirectories(folder.resolve("d"));
        Files.writeString(
                data.resolve("cluster.json"),
                """
                {"superpeers": 3, "peers": 4, "threadsPerPeer": 0, "memoryBytesPerPeer": 0,
                 "basePort": 7400, "restPort": 7500, "replication": 3, "durability": "POWER",
                 "zoneBytes": 268435456, "checkpointMillis": 5000, "transport": "ETHERNET",
                 "ucxTls": ""}
                """);

        assertThat(run("cluster", "start", "--data", "d", "--superpeers", "1"))
                .isEqualTo(ExitCode.BAD_INPUT);
        Files.writeString(data.resolve("cluster.json"), "{\"superpeers\": 3}");
        assertThat(run("cluster", "start", "--data", "d")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err())
                .contains("holds a cluster of 3 superpeers, which can't be started with 1")
                .contains(
                        "does not say what cluster it holds: peers: expected a whole number, found nothing");
    }

    @Test
    void startsNothingOverTheLoopback() throws IOException {
        config(FreePorts.base(), ", \"transport\": \"loopback\"");

        assertThat(run("cluster", "start")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(screen.err()).contains("separate processes can't use loopback");
    }

    @Test
    void showsWhoIsWhoAndWhatHasItsCopies() {
        List<ClusterProcess> processes =
                List.of(
                        new ClusterProcess("superpeer-0", true, 0, 7400, 100),
                        new ClusterProcess("peer-0", false, 0, 7420, 101),
                        new ClusterProcess("peer-1", false, 1, 7421, 0));
        List<ClusterView.Node> nodes = service.status().nodes();
        ClusterView good =
                new ClusterView("abc", 0, 3, nodes, List.of(), 12, 0, 0, 0, List.of(), "a promise");
        ClusterView bad =
                new ClusterView(
                        "abc",
                        0,
                        3,
                        nodes,
                        List.of(
                                new ClusterView.Absent(1, "beta:7400", true),
                                new ClusterView.Absent(2, "", true),
                                new ClusterView.Absent(9, "gamma:7400", false)),
                        12,
                        2,
                        1,
                        3,
                        List.of(
                                new ClusterView.Exposure("rack7/host3", true, 2),
                                new ClusterView.Exposure("rack7", false, 5)),
                        "a promise");

        String page = StatusText.of(folder, 0, processes, good);

        assertThat(page)
                .isEqualTo(
                        """
                        cluster abc in %s: 2 of 3 processes run

                          process      pid  node  role                            address
                          superpeer-0  100  0     superpeer, leads the directory  127.0.0.1:7400
                          peer-0       101  3     peer, master of jobs            127.0.0.1:7420
                          peer-1       -    -     not running                     -

                        Everything has 0 backups (zones: 12).
                        a promise
                        """
                                .formatted(folder));
        assertThat(StatusText.of(folder, 3, processes, good))
                .contains("Everything has 0 of 3 wanted backups, as many as 1 peer allows");
        assertThat(StatusText.of(folder, 3, processes, bad))
                .contains(
                        "Of 3 superpeers 1 is up, and 2 have to be. Down: superpeer 1 (beta:7400) and superpeer 2. Start what is down again, or remove it for good (starling cluster remove NODE).")
                .contains("Superpeer 9 (gamma:7400) was taken in and has not started yet.")
                .contains("Of 12 zones 2 have fewer than")
                .contains(
                        "3 are being recovered, 1 is lost until nodes that have it on their disks come back.")
                .contains(
                        "All copies of some data are in one place: losing host rack7/host3 (zones: 2) or rack rack7 (zones: 5) could lose it.");
        ClusterView hung =
                new ClusterView(
                        "abc",
                        0,
                        3,
                        List.of(
                                new ClusterView.Node(
                                        3, "peer", "127.0.0.1:7420", 2, true, null, false, null)),
                        List.of(),
                        12,
                        0,
                        0,
                        0,
                        List.of(),
                        "a promise");
        assertThat(StatusText.of(folder, 3, processes, hung))
                .contains("peer, master of jobs, its disk hangs");
    }

    @Test
    void showsWhatEachNodeSentAndWhoDoesNotAnswer() {
        String page = NetworkText.of(service.status(), service.networks());

        assertThat(page)
                .isEqualTo(
                        """
                        Messages since each node's start:

                        node 0 does not answer

                        node 3, ethernet
                          7 round trips: p50 82 µs, p99 0 µs, p99.9 0 µs, longest 0 µs
                          connections: 1 nodes lost, 0 retired, 0 refused, 0 malformed; messages: 0 unhandled, 0 unanswered, 0 failed handlers, 0 failed receiving threads
                          now: 0 requests and 0 tasks wait, 0 workers, 0 bytes overflow, 0 buffers lent, 0 kept, 0 bytes native
                          store: 0 chunks of 0 bytes, in 0 bytes of native memory
                            with node  sent  bytes  per write  stalls  stalled ms  unconfirmed bytes  received  bytes
                                    0   120   4096        1.5       0         2.5                  0         0      0
                        """);
    }

    private void config(int port, String more) throws IOException {
        Files.writeString(
                folder.resolve("starling.json"),
                "{\"basePort\": %d, \"restPort\": %d%s}".formatted(port, port + 90, more));
    }

    private Terminal terminal() {
        return screen.terminal(folder);
    }

    private ExitCode run(String... words) {
        return commands().run(words, terminal(), new Interruption());
    }

    private Commands commands() {
        ClusterLine.Finder finder = (line, terminal) -> service;
        return new Commands(
                List.of(
                        new ClusterCommand(finder),
                        new SubmitCommand(finder),
                        new JobsCommand(finder),
                        new ReportCommand(finder),
                        new CancelCommand(finder)));
    }
}
