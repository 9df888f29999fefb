package org.starling.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.LocalCluster;
import org.starling.compute.cluster.NetworkView;
import org.starling.compute.cluster.NodeTuning;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.NearestName;

/** {@code cluster}: starts, shows and stops a cluster of processes on this machine. */
final class ClusterCommand implements Command {
    private static final List<String> VERBS = List.of("start", "status", "stop");
    private static final String SUPERPEERS = "superpeers";

    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public String operands() {
        return String.join("|", VERBS);
    }

    @Override
    public String summary() {
        return "Starts a cluster of processes on this machine, shows how it is, or stops it.";
    }

    @Override
    public Options options() {
        Options options = new Options();
        options.addOption(
                Option.builder()
                        .longOpt(SUPERPEERS)
                        .hasArg()
                        .argName("1|3")
                        .desc("number of superpeers (default 1); three survive the loss of one")
                        .get());
        options.addOption(ClusterOptionsLine.peersOption());
        options.addOption(ClusterLine.dataOption());
        return options.addOption(ClusterOptionsLine.configOption());
    }

    @Override
    public ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        String verb = line.getArgList().size() == 1 ? line.getArgList().getFirst() : "";
        Settings settings = ClusterOptionsLine.configured(line, terminal).withProcesses();
        Path folder = ClusterLine.folder(line, terminal, settings);
        boolean json = line.hasOption(Commands.JSON);
        switch (verb) {
            case "start" -> start(line, settings, folder, terminal, interruption);
            case "status" ->
                    status(running(folder), terminal, json, line.hasOption(Commands.VERBOSE));
            case "stop" -> stop(folder, terminal, json);
            default ->
                    throw new UsageException(
                            "cluster needs one of start, status and stop"
                                    + (verb.isEmpty() ? "" : ", found \"" + verb + "\"")
                                    + (verb.isEmpty() ? "" : NearestName.hint(verb, VERBS)));
        }
        return ExitCode.DONE;
    }

    private static void start(
            CommandLine line,
            Settings settings,
            Path folder,
            Terminal terminal,
            Interruption interruption) {
        SettingsFile.checkTransport(settings);
        ClusterPlan plan = sized(line, settings, folder).plan(folder);
        terminal.err()
                .printf(
                        "starting %s and %s in %s%n",
                        counted(plan.superpeers(), "superpeer"),
                        counted(plan.peers(), "peer"),
                        folder);
        Thread starter = Thread.currentThread();
        interruption.onRequest(starter::interrupt, settings.cancelTimeout());
        LocalCluster cluster = LocalCluster.start(plan);
        interruption.onRequest(() -> {}, settings.cancelTimeout());
        if (plan.tuning().transport() == NodeTuning.Transport.INFINIBAND) {
            ask(cluster, ClusterClient::networks).stream()
                    .limit(1)
                    .forEach(network -> terminal.err().println(network.transport()));
        }
        ClusterView view = ask(cluster, ClusterClient::status);
        if (line.hasOption(Commands.JSON)) {
            terminal.out().println(JsonText.write(tree(cluster, view)));
        } else {
            terminal.out()
                    .printf(
                            "The cluster is up: %s, %s, REST at %s%s%n%s%n",
                            counted(plan.superpeers(), "superpeer"),
                            counted(plan.peers(), "peer"),
                            cluster.urls().getFirst(),
                            ClusterClient.PATH,
                            view.promise());
        }
    }

    /**
     * Numbers of the command line; else those of the cluster that lived here; else the settings'.
     */
    private static Settings sized(CommandLine line, Settings settings, Path folder) {
        Optional<ClusterPlan> earlier = LocalCluster.find(folder).map(LocalCluster::plan);
        int peers =
                (int)
                        Numbers.integer(
                                line,
                                ClusterOptionsLine.PEERS,
                                earlier.map(ClusterPlan::peers).orElse(settings.peers()),
                                1,
                                ClusterPlan.MAX_PEERS);
        int superpeers =
                (int)
                        Numbers.integer(
                                line,
                                SUPERPEERS,
                                earlier.map(ClusterPlan::superpeers)
                                        .orElse(settings.cluster().superpeers()),
                                1,
                                3);
        if (superpeers == 2) {
            throw new UsageException("--superpeers must be 1 or 3, found \"2\"");
        }
        return settings.withPeers(peers).withSuperpeers(superpeers);
    }

    private static void status(
            LocalCluster cluster, Terminal terminal, boolean json, boolean verbose) {
        ClusterView view = ask(cluster, ClusterClient::status);
        List<NetworkView> networks = verbose ? ask(cluster, ClusterClient::networks) : List.of();
        if (json) {
            Map<String, @Nullable Object> tree = tree(cluster, view);
            if (verbose) {
                tree.put("networks", networks.stream().map(NetworkView::tree).toList());
            }
            terminal.out().println(JsonText.write(tree));
        } else {
            terminal.out().print(StatusText.of(cluster, view));
            if (verbose) {
                terminal.out().printf("%n%s", NetworkText.of(view, networks));
            }
        }
    }

    private static void stop(Path folder, Terminal terminal, boolean json) {
        List<ClusterProcess> processes =
                LocalCluster.find(folder).map(LocalCluster::processes).orElse(List.of()).stream()
                        .filter(ClusterProcess::isRunning)
                        .toList();
        LocalCluster.find(folder).ifPresent(LocalCluster::stop);
        String sentence =
                processes.isEmpty()
                        ? "no cluster is running in " + folder
                        : "stopped " + counted(processes.size(), "process", "processes");
        terminal.out()
                .println(
                        json
                                ? JsonText.write(
                                        Map.of(
                                                "stopped",
                                                processes.stream()
                                                        .map(ClusterProcess::name)
                                                        .toList()))
                                : sentence);
    }

    private static LocalCluster running(Path folder) {
        return LocalCluster.find(folder)
                .filter(LocalCluster::isRunning)
                .orElseThrow(() -> ClusterLine.noCluster(folder));
    }

    private static <T> T ask(LocalCluster cluster, Function<ClusterClient, T> question) {
        try (ClusterClient client = new ClusterClient(cluster.urls())) {
            return question.apply(client);
        }
    }

    private static Map<String, @Nullable Object> tree(LocalCluster cluster, ClusterView view) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>(view.tree());
        tree.put("folder", cluster.plan().folder().toString());
        tree.put("replication", cluster.plan().tuning().replication());
        tree.put("urls", cluster.urls().stream().map(Object::toString).toList());
        List<Object> processes = new ArrayList<>();
        for (ClusterProcess process : cluster.processes()) {
            Map<String, @Nullable Object> member = new LinkedHashMap<>();
            member.put("process", process.name());
            member.put("pid", process.isRunning() ? process.pid() : null);
            member.put(
                    "node",
                    StatusText.node(process, view).map(ClusterView.Node::node).orElse(null));
            processes.add(member);
        }
        tree.put("processes", processes);
        return tree;
    }

    private static String counted(int count, String noun) {
        return counted(count, noun, noun + "s");
    }

    private static String counted(int count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }
}
