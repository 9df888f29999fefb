package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.cli.rest.RestEndpoint;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiEndpoint;
import org.starling.compute.cluster.JobView.Status;
import org.starling.compute.script.JsonText;

/** What docs/guide/monitoring.md and the alerts name, and what a cluster tells. */
final class MonitoringTest {
    private static final Pattern NAME = Pattern.compile("starling_[a-z_]+");
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:]\\w*)(?:\\{(.*)\\})? ([-+.\\dENaIinf]+)");

    /** Ports of peers begin behind those of three superpeers. */
    private static final int PEERS_FROM = 3;

    private static final int MOST_SERIES = 300;

    private static final String SCRIPT =
            """
            {"tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 10, "keep": true},
              {"task": "graph.bfs", "graph": "g", "source": 1}]}
            """;

    @TempDir Path folder;

    @Test
    void alertsAskForFiguresThatTheGuideDescribes() throws IOException {
        String alerts = Files.readString(packaged("alerts.yml"));

        assertThat(names(alerts)).isNotEmpty();
        assertThat(documented()).containsAll(names(alerts));
    }

    @Test
    @SuppressWarnings("NullAway") // what is missing fails the test
    void dashboardAsksForFiguresThatTheGuideDescribes() throws IOException {
        String dashboard =
                Files.readString(Checkout.root().resolve("packages/grafana/starling.json"));
        Map<?, ?> tree = (Map<?, ?>) JsonText.parse(dashboard);
        Set<Object> ids = new HashSet<>();
        for (Object each : (List<?>) tree.get("panels")) {
            Map<?, ?> panel = (Map<?, ?>) each;
            assertThat(ids.add(panel.get("id"))).isTrue();
            if (panel.get("targets") instanceof List<?> targets) {
                assertThat(targets).as("%s", panel.get("title")).isNotEmpty();
                for (Object target : targets) {
                    String query = String.valueOf(((Map<?, ?>) target).get("expr"));
                    assertThat(query).containsPattern("starling_|jvm_|process_");
                    assertThat(query.replaceAll("[^(]", ""))
                            .as(query)
                            .hasSameSizeAs(query.replaceAll("[^)]", ""));
                }
            }
        }

        assertThat(documented()).containsAll(names(dashboard));
        assertThat(names(dashboard)).containsAll(names(Files.readString(packaged("alerts.yml"))));
    }

    @Test
    void dashboardAsksForFiguresOfTheJvmThatThereAre() throws Exception {
        String dashboard =
                Files.readString(Checkout.root().resolve("packages/grafana/starling.json"));
        Set<String> asked =
                Pattern.compile("\\b(?:jvm|process)_[a-z_]+")
                        .matcher(dashboard)
                        .results()
                        .map(MatchResult::group)
                        .collect(Collectors.toSet());
        InetAddress loopback = InetAddress.getLoopbackAddress();
        AccessToken token = AccessToken.fresh();
        InetSocketAddress bind;
        try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
            bind = new InetSocketAddress(loopback, socket.getLocalPort());
        }
        try (ApiEndpoint.Open _ =
                new RestEndpoint()
                        .openMonitor(bind, new FakeMonitor(), FakeTokens.of(token), null)) {
            String told = text(bind.getPort(), token);

            assertThat(asked).contains("jvm_memory_used_bytes").hasSizeGreaterThan(3);
            for (String name : asked) {
                assertThat(told.lines()).as(name).anyMatch(line -> line.matches(name + "[ {].*"));
            }
        }
    }

    @Test
    void alertsAreAcceptedByPromtoolWhereItIsThere() throws Exception {
        assumeTrue(ToolOnPath.find("promtool").isPresent(), "there is no promtool");

        ProcessRun run =
                ProcessRun.of(
                        List.of("promtool", "check", "rules", packaged("alerts.yml").toString()),
                        folder,
                        Map.of("PATH", System.getenv("PATH")));

        assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    }

    @Test
    @Tag("slow")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void everyNodeTellsWhatTheGuideDescribesAndNothingElse() throws Exception {
        try (RealCluster cluster = RealCluster.start(folder, 1, 3)) {
            cluster.awaitEnd(cluster.submit(SCRIPT), Status.SUCCEEDED);
            int port = cluster.processes().plan().restPort();
            Map<String, Double> superpeer = scrape(port);
            List<Map<String, Double>> peers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                peers.add(scrape(port + PEERS_FROM + i));
            }

            Set<String> told = new TreeSet<>();
            superpeer.keySet().forEach(sample -> told.addAll(names(sample)));
            peers.forEach(peer -> peer.keySet().forEach(name -> told.addAll(names(name))));
            assertThat(told).isEqualTo(documented());

            assertThat(superpeer)
                    .containsEntry("starling_node_ready{role=\"superpeer\"}", 1.0)
                    .containsEntry("starling_cluster_leads", 1.0)
                    .containsEntry("starling_cluster_members{role=\"peer\"}", 3.0)
                    .containsEntry("starling_cluster_members{role=\"superpeer\"}", 1.0)
                    .containsEntry("starling_cluster_lost_zones", 0.0)
                    .containsEntry("starling_jobs{state=\"running\"}", 0.0)
                    .doesNotContainKey("starling_store_chunks");
            assertThat(superpeer.get("starling_cluster_zones")).isPositive();
            for (Map<String, Double> peer : peers) {
                assertThat(peer)
                        .containsEntry("starling_node_ready{role=\"peer\"}", 1.0)
                        .containsEntry("starling_net_connections{other=\"superpeer\"}", 1.0)
                        .containsEntry("starling_log_disk_hangs", 0.0)
                        .hasSizeLessThan(MOST_SERIES);
                assertThat(peer.get("starling_net_sent_bytes_total{other=\"peer\"}")).isPositive();
                assertThat(peer.get("starling_store_memory_used_bytes"))
                        .isBetween(1.0, peer.get("starling_store_memory_limit_bytes"));
                assertThat(peer.get("starling_data_free_bytes")).isPositive();
                assertThat(peer.get("starling_log_written_bytes_total")).isPositive();
                assertThat(peer.get("starling_log_bytes")).isPositive();
                assertThat(peer.get("starling_log_forces_total")).isPositive();
            }
            assertThat(sum(peers, "starling_jobs_ended_total{outcome=\"succeeded\"}")).isEqualTo(1);
            assertThat(sum(peers, "starling_job_supersteps_total")).isPositive();
            assertThat(sum(peers, "starling_job_messages_total")).isPositive();
            assertThat(sum(peers, "starling_store_chunks")).isPositive();

            recoversAndCounts(cluster, port);
        }
    }

    /** Two of three peers are left, and one of them brings back what the third had. */
    private void recoversAndCounts(RealCluster cluster, int port) {
        cluster.processes().kill("peer-2");

        cluster.await(() -> {
            String zones = "starling_recovery_zones_total{outcome=\"recovered\"}";
            return value(port, "starling_cluster_members{role=\"peer\"}") == 2
                    && value(port + PEERS_FROM, zones) + value(port + PEERS_FROM + 1, zones) > 0;
        });
    }

    private double value(int port, String name) {
        return scrape(port).getOrDefault(name, 0.0);
    }

    private static double sum(List<Map<String, Double>> peers, String name) {
        return peers.stream().mapToDouble(peer -> peer.getOrDefault(name, 0.0)).sum();
    }

    /** Every sample of a node by its name and labels; what is no line of the format fails. */
    private Map<String, Double> scrape(int port) {
        Map<String, Double> samples = new TreeMap<>();
        for (String line : text(port).lines().toList()) {
            if (!line.startsWith("#")) {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                String labels = sample.group(2) == null ? "" : "{" + sample.group(2) + "}";
                samples.put(sample.group(1) + labels, Double.valueOf(sample.group(3)));
            }
        }
        return samples;
    }

    private String text(int port) {
        return text(port, AccessToken.read(folder.resolve("cluster/token")));
    }

    private static String text(int port, AccessToken token) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(port)))
                        .header(AccessToken.HEADER, token.header())
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        } catch (IOException down) {
            throw new UncheckedIOException(down);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static Set<String> documented() throws IOException {
        return names(Files.readString(Checkout.root().resolve("docs/guide/monitoring.md")));
    }

    private static Set<String> names(String text) {
        return NAME.matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Path packaged(String name) {
        return Checkout.root().resolve("packages/prometheus").resolve(name);
    }
}
