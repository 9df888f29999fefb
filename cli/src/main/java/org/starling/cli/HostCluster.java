package org.starling.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.cli.HostsFile.Host;
import org.starling.cli.rest.PackagedText;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterTrust;
import org.starling.compute.cluster.KeyFolder;
import org.starling.compute.cluster.KeyIssuer;
import org.starling.compute.script.JsonText;
import org.starling.graph.FileTrouble;

/**
 * {@code cluster} with {@code --hosts}: one node on each host of a file, started, looked at and
 * stopped by {@code ssh}, on all of them at once. With each start hosts get the cluster's secret
 * and token and, unless the network between them is said to be safe, a certificate each; nothing
 * else of them is needed but Starling and bash. Used by one thread.
 */
final class HostCluster {
    /** For a node to become a member, or to end in order. */
    private static final Duration NODE_PATIENCE = Duration.ofMinutes(2);

    private static final int LAST_NODE = 65_535;

    /** For ssh besides. */
    private static final Duration SSH_PATIENCE = Duration.ofMinutes(1);

    private final List<Host> hosts;
    private final Settings settings;
    private final Path keys;

    /** The launcher on every host. */
    private final String launcher;

    /** What a host has said, or what went wrong with it. */
    private record Answer(Host host, String said, @Nullable ClusterException failure) {
        /** Process id of its node; empty if none runs. */
        String pid() {
            return said.startsWith("runs ") ? said.substring("runs ".length()) : "";
        }
    }

    HostCluster(List<Host> hosts, Settings settings, Path keys, String launcher) {
        this.hosts = hosts;
        this.settings = settings;
        this.keys = keys;
        this.launcher = launcher;
    }

    /** Starts what does not run, and waits until all are members. */
    void start(List<Path> roots, Terminal terminal, boolean json) {
        boolean isInsecure = settings.get(Settings.INSECURE);
        if (isInsecure && hasTls()) {
            throw new UsageException(
                    "%s holds certificates, with which nodes speak TLS; leave --insecure out, or take another folder with --keys for another cluster"
                            .formatted(keys));
        }
        if (!Files.exists(keys)) {
            KeyFolder.make(keys);
        }
        if (!isInsecure) {
            certify();
        }
        terminal.err().printf("starting %s%n", count());
        List<Answer> answers = onAll(host -> startScript(host, roots));
        refuseFailures(answers, "start again, or stop what runs, with the same file");
        List<URI> urls = urls();
        if (json) {
            Map<String, @Nullable Object> tree = tree(answers);
            tree.put("urls", urls.stream().map(URI::toString).toList());
            tree.put("token", token().toString());
            terminal.out().println(JsonText.write(tree));
        } else {
            terminal.out().print(table(answers));
            terminal.out()
                    .printf(
                            "The cluster is up: %s, REST at %s%s, token in %s.%n",
                            count(), urls.getFirst(), ClusterClient.PATH, token());
        }
    }

    /** Makes the certificates that are missing. A superpeer's is for the one node that it is. */
    private void certify() {
        KeyFolder.makeAuthority(keys);
        KeyIssuer issuer = issuer();
        int superpeers = superpeers(true).size();
        for (int i = 0; i < hosts.size(); i++) {
            String name = hosts.get(i).name();
            if (issuer.folderOf(name).isEmpty()) {
                boolean is = i < superpeers;
                Path _ =
                        issuer.issue(
                                List.of(name),
                                is ? i : superpeers,
                                is ? i : LAST_NODE,
                                KeyIssuer.USUAL_VALIDITY);
            }
        }
    }

    private KeyIssuer issuer() {
        return new KeyIssuer(keys, InstantSource.system());
    }

    private boolean hasTls() {
        return KeyFolder.hasAuthority(keys);
    }

    /** Prints which nodes run, and what their directory says. */
    ExitCode status(Terminal terminal, boolean json, boolean verbose) {
        List<Answer> answers = onAll(host -> script(host, "status", ""));
        if (!json) {
            terminal.out().print(table(answers));
        }
        try (ClusterClient cluster = client()) {
            if (json) {
                Map<String, @Nullable Object> tree = tree(answers);
                tree.putAll(cluster.status().tree());
                terminal.out().println(JsonText.write(tree));
            } else {
                terminal.out().println();
                ClusterReport.printElsewhere(cluster, terminal, false, verbose);
            }
            return ExitCode.DONE;
        } catch (ClusterException silent) {
            return Failure.of(silent).print(terminal, verbose, json);
        }
    }

    /** Stops superpeers first: what they don't see end is not replaced. */
    void stop(Terminal terminal, boolean json) {
        List<Answer> answers =
                new ArrayList<>(onAll(superpeers(true), host -> script(host, "stop", "")));
        answers.addAll(onAll(superpeers(false), host -> script(host, "stop", "")));
        refuseFailures(answers, "stop again with the same file");
        List<String> stopped =
                answers.stream()
                        .filter(answer -> answer.said().startsWith("stopped "))
                        .map(answer -> answer.host().name())
                        .toList();
        terminal.tell(
                json,
                Map.of("stopped", stopped),
                stopped.isEmpty()
                        ? "nothing runs on these hosts"
                        : "stopped the nodes on " + String.join(", ", stopped));
    }

    private List<Answer> onAll(Function<Host, String> script) {
        return onAll(hosts, script);
    }

    private static List<Answer> onAll(List<Host> hosts, Function<Host, String> script) {
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Answer>> answers =
                    hosts.stream()
                            .map(host ->
                                    CompletableFuture.supplyAsync(
                                            () -> ask(host, script.apply(host)), each))
                            .toList();
            return answers.stream().map(CompletableFuture::join).toList();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    private static Answer ask(Host host, String script) {
        try {
            return new Answer(
                    host,
                    HostShell.run(host.target(), script, NODE_PATIENCE.plus(SSH_PATIENCE)),
                    null);
        } catch (ClusterException failure) {
            return new Answer(host, "", failure);
        }
    }

    private String startScript(Host host, List<Path> roots) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "node",
                                "--role",
                                host.role(),
                                "--seeds",
                                superpeers(true).stream()
                                        .map(each -> each.address() + ":" + port())
                                        .collect(Collectors.joining(",")),
                                "--listen",
                                "0.0.0.0",
                                "--advertise",
                                host.name(),
                                "--port",
                                String.valueOf(port()),
                                "--rest-port",
                                String.valueOf(settings.get(Settings.REST_PORT)),
                                "--keys",
                                "keys",
                                "--data",
                                "data"));
        if (settings.get(Settings.INSECURE)) {
            words.add("--insecure");
        }
        for (Path root : host.superpeer() ? roots : List.<Path>of()) {
            words.addAll(List.of("--allow", root.toString()));
        }
        for (String other : settings.get(Settings.ALLOW_URLS).entries()) {
            words.addAll(List.of("--allow-url", other));
        }
        return script(
                host,
                "start",
                "launcher=%s\nwords=(%s)\nkeys=(%s)\n"
                        .formatted(
                                HostShell.quoted(launcher),
                                HostShell.quoted(words),
                                HostShell.quoted(keysOf(host))));
    }

    /** Names and texts of the files that a host gets, in turn. */
    private List<String> keysOf(Host host) {
        List<Path> files =
                hasTls()
                        ? filesIn(issuer().folderOf(host.name()).orElseThrow())
                        : List.of(keys.resolve("secret"), token());
        return files.stream()
                .flatMap(file -> Stream.of(String.valueOf(file.getFileName()), text(file)))
                .toList();
    }

    private static List<Path> filesIn(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(folder, "read", unreadable);
        }
    }

    private static String script(Host host, String verb, String more) {
        return "verb=%s\ndata=%s\npatience=%d\n%s%s"
                .formatted(
                        verb,
                        HostShell.quoted(host.data()),
                        NODE_PATIENCE.toSeconds(),
                        more,
                        PackagedText.of(HostCluster.class, "host.sh"));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "read", unreadable);
        }
    }

    private static void refuseFailures(List<Answer> answers, String remedy) {
        List<String> failures = new ArrayList<>();
        for (Answer answer : answers) {
            ClusterException failure = answer.failure();
            if (failure != null) {
                failures.add(String.valueOf(failure.getMessage()));
            }
        }
        if (!failures.isEmpty()) {
            throw new ClusterException(
                    "%s (%d of %d hosts failed; %s)"
                            .formatted(
                                    String.join("; ", failures),
                                    failures.size(),
                                    answers.size(),
                                    remedy));
        }
    }

    private static String table(List<Answer> answers) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("host", "role", "node"));
        for (Answer answer : answers) {
            rows.add(List.of(answer.host().name(), answer.host().role(), state(answer)));
        }
        return Columns.left(rows);
    }

    private static String state(Answer answer) {
        ClusterException failure = answer.failure();
        if (failure != null) {
            return String.valueOf(failure.getMessage());
        }
        return answer.pid().isEmpty() ? "does not run" : "runs, process " + answer.pid();
    }

    private static Map<String, @Nullable Object> tree(List<Answer> answers) {
        List<Object> nodes = new ArrayList<>();
        for (Answer answer : answers) {
            ClusterException failure = answer.failure();
            Map<String, @Nullable Object> node = new LinkedHashMap<>();
            node.put("host", answer.host().name());
            node.put("role", answer.host().role());
            node.put("pid", answer.pid().isEmpty() ? null : Long.valueOf(answer.pid()));
            node.put("error", failure == null ? null : failure.getMessage());
            nodes.add(node);
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("hosts", nodes);
        return tree;
    }

    private String count() {
        int superpeers = superpeers(true).size();
        return "%s and %s on %d hosts"
                .formatted(
                        ClusterCommand.counted(superpeers, "superpeer"),
                        ClusterCommand.counted(hosts.size() - superpeers, "peer"),
                        hosts.size());
    }

    private List<Host> superpeers(boolean are) {
        return hosts.stream().filter(host -> host.superpeer() == are).toList();
    }

    private List<URI> urls() {
        return superpeers(true).stream()
                .map(host ->
                        URI.create(
                                "%s://%s:%d"
                                        .formatted(
                                                hasTls() ? "https" : "http",
                                                host.address(),
                                                settings.get(Settings.REST_PORT))))
                .toList();
    }

    /** The same on all hosts, as each knows the superpeers' before these have started. */
    private int port() {
        PortRange port = settings.get(Settings.PORT);
        if (!port.isFixed()) {
            throw new UsageException(
                    "cluster start --hosts takes one port for all hosts, found \"%s\""
                            .formatted(port.written()));
        }
        return port.first();
    }

    private ClusterClient client() {
        Path authority = hasTls() ? ClusterTrust.authorityIn(keys) : null;
        return new ClusterClient(
                urls(), AccessToken.read(token()), new ClusterTrust(authority, null));
    }

    private Path token() {
        return keys.resolve("token");
    }
}
