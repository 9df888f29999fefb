package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.commons.cli.Option;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.starling.cli.rest.RestEndpoint;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiEndpoint;

/** What the manifests for Kubernetes name is there: options of a node, ports, paths of health. */
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
final class KubernetesTest {
    private static final Pattern VARIABLE = Pattern.compile("STARLING_[A-Z_]+");
    private static final String MANIFEST = "starling.yaml";

    /** Names that are looked for in maps of maps. */
    private static final String SPEC = "spec";

    @TempDir Path folder;

    @Test
    void saysOnlyVariablesAndOptionsThatANodeKnows() throws IOException {
        Set<String> known = new TreeSet<>();
        for (Option option : new NodeCommand(Map.of()).options().getOptions()) {
            VARIABLE.matcher(String.valueOf(option.getDescription()))
                    .results()
                    .map(MatchResult::group)
                    .forEach(known::add);
        }

        try (Stream<Path> files = Files.walk(kubernetes())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Set<String> said =
                        VARIABLE.matcher(Files.readString(file))
                                .results()
                                .map(MatchResult::group)
                                .collect(Collectors.toSet());
                assertThat(known).as(file.toString()).containsAll(said);
            }
        }
        assertThat(new NodeCommand(Map.of()).options().hasOption("allow")).isTrue();
        assertThat(words(container("peer"), "args")).containsExactly("node");
    }

    @ParameterizedTest
    @ValueSource(strings = {"superpeer", "peer"})
    void asksForHealthWhereANodeTellsIt(String role) throws Exception {
        Map<?, ?> container = container(role);

        Map<String, Integer> ports = new TreeMap<>();
        for (Map<?, ?> port : list(container, "ports")) {
            ports.put(text(port, "name"), (Integer) port.get("containerPort"));
        }
        assertThat(ports)
                .containsEntry("messages", Settings.DEFAULT.get(Settings.PORT).first())
                .containsEntry("rest", Settings.DEFAULT.get(Settings.REST_PORT));
        assertThat(variables(container))
                .containsEntry("STARLING_PORT", ports.get("messages").toString())
                .containsEntry("STARLING_REST_PORT", ports.get("rest").toString())
                .containsEntry("STARLING_ROLE", role);
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            Map<?, ?> asked = map(container, probe, "httpGet");
            assertThat(status(text(asked, "path"))).as(probe).isEqualTo(200);
            assertThat(text(asked, "port")).isEqualTo("rest");
        }
        assertThat(text(map(container, "livenessProbe", "httpGet"), "path")).endsWith("/live");
        assertThat(text(map(container, "readinessProbe", "httpGet"), "path")).endsWith("/ready");
    }

    @Test
    void seedsAreTheNamesByWhichSuperpeersAreReached() throws IOException {
        Map<?, ?> superpeers = set("superpeer");
        int replicas = (Integer) map(superpeers, SPEC).get("replicas");
        Map<String, String> said = variables(container("superpeer"));

        List<String> seeds = List.of(said.get("STARLING_SEEDS").split(",", -1));
        List<String> reached =
                IntStream.range(0, replicas)
                        .mapToObj(index -> text(map(superpeers, "metadata"), "name") + "-" + index)
                        .map(pod -> said.get("STARLING_ADVERTISE").replace("$(POD_NAME)", pod))
                        .map(host -> host + ":" + said.get("STARLING_PORT"))
                        .toList();

        assertThat(seeds).isEqualTo(reached);
        assertThat(variables(container("peer")))
                .containsEntry("STARLING_SEEDS", said.get("STARLING_SEEDS"));
        assertThat(reached.getFirst())
                .contains("." + text(map(superpeers, SPEC), "serviceName") + ".");
        assertThat(variables(container("peer"))).containsEntry("STARLING_ZONE", "$(NODE_NAME)");
    }

    @Test
    void findsPodsBeforeTheyAreReadyAndEndsOneAtATime() throws IOException {
        for (String role : List.of("superpeer", "peer")) {
            Map<?, ?> set = set(role);
            Map<?, ?> service = named("Service", text(map(set, SPEC), "serviceName"));
            assertThat(map(service, SPEC).get("clusterIP")).isEqualTo("None");
            assertThat(map(service, SPEC).get("publishNotReadyAddresses")).isEqualTo(true);
            Map<?, ?> budget = named("PodDisruptionBudget", role(role) + "s");
            assertThat(map(budget, SPEC).get("maxUnavailable")).isEqualTo(1);
            for (Map<?, ?> selects :
                    List.of(
                            map(service, SPEC, "selector"),
                            map(budget, SPEC, "selector", "matchLabels"),
                            map(set, SPEC, "selector", "matchLabels"))) {
                assertThat(selects).isEqualTo(map(set, SPEC, "template", "metadata", "labels"));
            }
            assertThat(map(set, SPEC).get("podManagementPolicy")).isEqualTo("Parallel");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"superpeer", "peer"})
    void runsWithoutRightsAndWritesNowhereButWhereItMay(String role) throws IOException {
        Map<?, ?> pod = map(set(role), SPEC, "template", SPEC);
        Map<?, ?> container = container(role);

        assertThat(map(pod, "securityContext"))
                .isEqualTo(
                        Map.of(
                                "runAsNonRoot",
                                true,
                                "runAsUser",
                                65_532,
                                "runAsGroup",
                                65_532,
                                "fsGroup",
                                65_532,
                                "fsGroupChangePolicy",
                                "OnRootMismatch",
                                "seccompProfile",
                                Map.of("type", "RuntimeDefault")));
        assertThat(map(container, "securityContext").get("readOnlyRootFilesystem")).isEqualTo(true);
        assertThat(pod.get("enableServiceLinks"))
                .as("else a service makes variables like STARLING_PORT")
                .isEqualTo(false);
        Map<String, String> said = variables(container);
        List<String> mounts =
                list(container, "volumeMounts").stream()
                        .map(mount -> text(mount, "mountPath"))
                        .toList();
        assertThat(mounts).contains("/tmp", said.get("STARLING_KEYS"));
        assertThat(mounts).anyMatch(mount -> said.get("STARLING_DATA").startsWith(mount + "/"));
        assertThat(map(container, "resources", "limits").get("memory")).isNotNull();
        assertThat((Integer) pod.get("terminationGracePeriodSeconds")).isGreaterThan(20);
    }

    @Test
    void chartIsWellFormed() throws IOException {
        Map<?, ?> values = map(yaml(kubernetes().resolve("chart/values.yaml")).getFirst());
        Map<?, ?> chart = map(yaml(kubernetes().resolve("chart/Chart.yaml")).getFirst());

        assertThat(text(chart, "name")).isEqualTo("starling");
        assertThat(map(values, "superpeers").get("replicas"))
                .isEqualTo(map(set("superpeer"), SPEC).get("replicas"));
        assertThat(map(values, "peers").get("replicas"))
                .isEqualTo(map(set("peer"), SPEC).get("replicas"));
        assertThat(map(values, "peers").get("resources"))
                .isEqualTo(container("peer").get("resources"));
    }

    /** The plain manifests are what the chart makes when nothing is said. */
    @Test
    void chartMakesThePlainManifestsWhereHelmIsThere() throws Exception {
        assumeTrue(ToolOnPath.find("helm").isPresent(), "there is no helm");

        ProcessRun run =
                ProcessRun.of(
                        List.of(
                                "helm",
                                "template",
                                "starling",
                                kubernetes().resolve("chart").toString(),
                                "--namespace",
                                "starling",
                                "--kube-version",
                                "1.30.0"),
                        folder,
                        Map.of("PATH", System.getenv("PATH"), "HOME", folder.toString()));

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(parse(run.out())).isEqualTo(manifests());
    }

    /** What a node answers at a path, to somebody without a token. */
    private static int status(String path) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        InetSocketAddress bind;
        try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
            bind = new InetSocketAddress(loopback, socket.getLocalPort());
        }
        try (ApiEndpoint.Open _ =
                        new RestEndpoint()
                                .openMonitor(
                                        bind,
                                        new FakeMonitor(),
                                        FakeTokens.of(AccessToken.fresh()),
                                        null);
                HttpClient client = HttpClient.newHttpClient()) {
            URI url = URI.create("http://127.0.0.1:%d%s".formatted(bind.getPort(), path));
            return client.send(
                            HttpRequest.newBuilder(url).build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    // reading

    private static Path kubernetes() {
        return Checkout.root().resolve("packages/kubernetes");
    }

    private static List<Object> manifests() throws IOException {
        return yaml(kubernetes().resolve(MANIFEST));
    }

    private static List<Object> yaml(Path file) throws IOException {
        return parse(Files.readString(file));
    }

    private static List<Object> parse(String text) {
        Iterable<Object> documents =
                new Load(LoadSettings.builder().build()).loadAllFromString(text);
        return new ArrayList<>(StreamSupport.stream(documents.spliterator(), false).toList());
    }

    private static String role(String role) {
        return "starling-" + role;
    }

    private static Map<?, ?> set(String role) throws IOException {
        return named("StatefulSet", role(role));
    }

    private static Map<?, ?> container(String role) throws IOException {
        return list(map(set(role), SPEC, "template", SPEC), "containers").getFirst();
    }

    private static Map<?, ?> named(String kind, String name) throws IOException {
        return manifests().stream()
                .map(KubernetesTest::map)
                .filter(each -> text(each, "kind").equals(kind))
                .filter(each -> text(map(each, "metadata"), "name").equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
    }

    private static Map<String, String> variables(Map<?, ?> container) {
        Map<String, String> said = new TreeMap<>();
        for (Map<?, ?> variable : list(container, "env")) {
            if (variable.containsKey("value")) {
                said.put(text(variable, "name"), text(variable, "value"));
            }
        }
        return said;
    }

    private static Map<?, ?> map(Object tree, String... names) {
        Object at = tree;
        for (String name : names) {
            at = ((Map<?, ?>) at).get(name);
            assertThat(at).as(name + " of " + Arrays.toString(names)).isNotNull();
        }
        return (Map<?, ?>) at;
    }

    private static List<Map<?, ?>> list(Map<?, ?> tree, String name) {
        List<Map<?, ?>> maps = new ArrayList<>();
        for (Object each : (List<?>) tree.get(name)) {
            maps.add((Map<?, ?>) each);
        }
        return maps;
    }

    private static List<String> words(Map<?, ?> tree, String name) {
        return ((List<?>) tree.get(name)).stream().map(Object::toString).toList();
    }

    private static String text(Map<?, ?> tree, String name) {
        return String.valueOf(tree.get(name));
    }
}
