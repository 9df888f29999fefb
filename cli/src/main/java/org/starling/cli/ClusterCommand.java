package org.starling.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.LocalCluster;
import org.starling.compute.cluster.LogLine;
import org.starling.compute.cluster.NodeLogView;
import org.starling.compute.cluster.NodeTuning;
import org.starling.compute.cluster.ZoneMoveView;
import org.starling.compute.script.JsonText;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * {@code cluster}: starts, shows, mends and stops a cluster of processes on this machine, or on
 * hosts of a file.
 */
final class ClusterCommand extends Command {
    private static final List<String> VERBS =
            List.of("start", "status", "stop", "restart", "drain", "rebalance", "remove", "logs");

    /** Verbs that the cluster carries out itself, wherever its processes are. */
    private static final List<String> ANYWHERE =
            List.of("status", "drain", "rebalance", "remove", "logs");

    /** Verbs behind which a node is named. */
    private static final List<String> OF_ONE_NODE = List.of("restart", "drain", "remove", "logs");

    /** So long a peer of elsewhere may take to leave before the command ends without it. */
    private static final Duration LEAVE_PATIENCE = Duration.ofMinutes(10);

    private static final long LOOK_AGAIN_NANOS = Duration.ofMillis(200).toNanos();
    private static final String NO_SUPERVISOR = "no-supervisor";
    private static final String GROUPS = "groups";
    private static final String HOSTS = "hosts";
    private static final String KEYS = "keys";
    private static final String LAUNCHER = "launcher";
    private static final String INSECURE = "insecure";
    private static final String LINES = "lines";
    private static final String LEVEL = "level";
    private static final int USUAL_LINES = 100;

    /** A cluster that others fill meanwhile is never even. */
    private static final int MOST_MOVES = 10_000;

    /** System property in which the launcher names itself. */
    private static final String LAUNCHER_PROPERTY = "starling.launcher";

    private final ClusterLine.Finder finder;

    /** Finds clusters in a way of its own. */
    ClusterCommand(ClusterLine.Finder finder) {
        super(
                "cluster",
                "start|status|stop|restart NODE|drain NODE|rebalance|remove NODE|logs NODE",
                "Starts a cluster of processes on this machine, or on hosts by ssh, shows how it is, restarts one of them, lets a peer leave, evens out memory, forgets a peer that is gone for good, shows what a node has logged, or stops it.");
        this.finder = finder;
    }

    @Override
    Options options() {
        return ClusterLine.addTo(
                optionsOf(
                        valued(
                                ClusterOptionsLine.SUPERPEERS,
                                "1|3",
                                "number of superpeers (default 1); three survive the loss of one"),
                        ClusterOptionsLine.peersOption(),
                        valued(
                                GROUPS,
                                "NAME=N,…",
                                "start: compute groups that jobs can be sent to, with their numbers of peers"),
                        ScriptLine.allowOption(
                                "start: a folder that submitted scripts may use beside the working directory"),
                        ScriptLine.allowUrlOption(
                                "start: a web server that submitted scripts may read from"),
                        flag(NO_SUPERVISOR, "start: leave processes down that die"),
                        flag(
                                ClusterRemoval.ACCEPT_LOSS,
                                "remove: data without a live copy that can't become whole without the node's disk may lose changes for good"),
                        valued(
                                HOSTS,
                                "FILE",
                                "start, status, stop: one node on each host of this file, by ssh; a line names a host, superpeer or peer, and perhaps a folder for its data"),
                        valued(
                                KEYS,
                                "DIR",
                                "--hosts: folder of the secret and the token, made if it is not there (default %s)"
                                        .formatted(Settings.KEYS.otherwise())),
                        valued(
                                LAUNCHER,
                                "PATH",
                                "--hosts: where the launcher is on every host (default: where it is here)"),
                        flag(
                                INSECURE,
                                "--hosts: nobody can read along on the network between the hosts"),
                        valued(
                                LINES,
                                "N",
                                "logs: the last N lines, up to %d (default %d)"
                                        .formatted(LogLine.MAX_LINES, USUAL_LINES)),
                        valued(
                                LEVEL,
                                "error|warn|info|debug",
                                "logs: lines at least so urgent (default info)")));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        List<String> words = line.getArgList();
        String verb = words.isEmpty() ? "" : words.getFirst();
        int operands = OF_ONE_NODE.contains(verb) ? 2 : 1;
        if (words.size() > operands) {
            throw new UsageException(
                    "cluster %s does not know what \"%s\" is; see starling cluster --help"
                            .formatted(verb, words.get(operands)));
        }
        if (line.hasOption(ClusterLine.CLUSTER) && !ANYWHERE.contains(verb)) {
            throw new UsageException(
                    "cluster %s is for the cluster of a folder on this machine (--data); --cluster goes with %s"
                            .formatted(verb, listed(ANYWHERE)));
        }
        Settings settings =
                ClusterOptionsLine.configured(line, terminal)
                        .with(Settings.PROCESSES, true)
                        .withHosts(ScriptLine.allowedHosts(line));
        boolean json = line.hasOption(Commands.JSON);
        boolean isElsewhere = line.hasOption(ClusterLine.CLUSTER);
        String name = words.size() == 2 ? words.getLast() : "";
        if (line.hasOption(HOSTS)) {
            return runOnHosts(verb, line, settings, terminal, json);
        }
        Path folder = ClusterLine.folder(line, terminal, settings);
        switch (verb) {
            case "start" -> start(line, settings, folder, terminal, interruption);
            case "status" -> {
                if (isElsewhere) {
                    ClusterReport.printElsewhere(
                            finder.find(line, terminal),
                            terminal,
                            json,
                            line.hasOption(Commands.VERBOSE));
                    return ExitCode.DONE;
                }
                return ClusterReport.print(
                        running(folder), terminal, json, line.hasOption(Commands.VERBOSE));
            }
            case "stop" -> stop(folder, terminal, json);
            case "restart" -> restart(name, folder, terminal, json);
            case "drain" -> {
                if (isElsewhere) {
                    drainElsewhere(name, finder.find(line, terminal), terminal, json);
                } else {
                    drain(name, folder, terminal, json);
                }
            }
            case "remove" -> {
                ClusterRemoval removal =
                        new ClusterRemoval(
                                line.hasOption(ClusterRemoval.ACCEPT_LOSS), terminal, json);
                if (isElsewhere) {
                    removal.elsewhere(name, finder.find(line, terminal));
                } else {
                    removal.here(name, running(folder));
                }
            }
            case "rebalance" -> rebalance(finder.find(line, terminal), terminal, json);
            case "logs" -> showLog(name, folder, line, terminal);
            default -> throw unknown(verb, VERBS);
        }
        return ExitCode.DONE;
    }

    private ExitCode runOnHosts(
            String verb, CommandLine line, Settings settings, Terminal terminal, boolean json) {
        for (String other :
                List.of(
                        ClusterOptionsLine.SUPERPEERS,
                        ClusterOptionsLine.PEERS,
                        GROUPS,
                        NO_SUPERVISOR,
                        ClusterLine.CLUSTER,
                        ClusterLine.DATA)) {
            if (line.hasOption(other)) {
                throw new UsageException(
                        "--%s says what the file of --hosts says; leave it out".formatted(other));
            }
        }
        String launcher = line.getOptionValue(LAUNCHER, System.getProperty(LAUNCHER_PROPERTY, ""));
        if (launcher.isEmpty() && verb.equals("start")) {
            throw new UsageException("--hosts needs --launcher: where Starling is on every host");
        }
        HostCluster cluster =
                new HostCluster(
                        HostsFile.read(terminal.file(line.getOptionValue(HOSTS))),
                        line.hasOption(INSECURE)
                                ? settings.with(Settings.INSECURE, true)
                                : settings,
                        terminal.file(line.getOptionValue(KEYS, settings.get(Settings.KEYS))),
                        launcher);
        switch (verb) {
            case "start" -> {
                cluster.start(ScriptLine.allowed(line, settings, terminal), terminal, json);
            }
            case "status" -> {
                return cluster.status(terminal, json, line.hasOption(Commands.VERBOSE));
            }
            case "stop" -> cluster.stop(terminal, json);
            default -> throw unknown(verb, List.of("start", "status", "stop"));
        }
        return ExitCode.DONE;
    }

    private static void start(
            CommandLine line,
            Settings settings,
            Path folder,
            Terminal terminal,
            Interruption interruption) {
        settings.checkTransport();
        ClusterPlan plan =
                sized(line, settings, folder)
                        .plan(
                                folder,
                                roots(line, settings, terminal),
                                !line.hasOption(NO_SUPERVISOR))
                        .withRemoved(removed(line, folder));
        terminal.err()
                .printf(
                        "starting %s and %s in %s%n",
                        counted(plan.superpeers(), "superpeer"),
                        counted(plan.presentPeers(), "peer"),
                        folder);
        Thread starter = Thread.currentThread();
        interruption.onRequest(starter::interrupt, settings.get(Settings.CANCEL_TIMEOUT));
        LocalCluster cluster = LocalCluster.start(plan);
        interruption.onRequest(() -> {}, settings.get(Settings.CANCEL_TIMEOUT));
        if (plan.tuning().transport() == NodeTuning.Transport.INFINIBAND) {
            ask(cluster, ClusterClient::networks).stream()
                    .limit(1)
                    .forEach(network -> terminal.err().println(network.transport()));
        }
        ClusterView view = ask(cluster, ClusterClient::status);
        if (line.hasOption(Commands.JSON)) {
            terminal.out().println(JsonText.write(ClusterReport.tree(cluster, view)));
        } else {
            terminal.out()
                    .printf(
                            "The cluster is up: %s, %s, REST at %s%s%n%s%nScripts may use files in %s.%n",
                            counted(plan.superpeers(), "superpeer"),
                            counted(plan.presentPeers(), "peer"),
                            cluster.urls().getFirst(),
                            ClusterClient.PATH,
                            view.promise(),
                            String.join(", ", plan.roots().stream().map(Path::toString).toList()));
        }
    }

    /**
     * Numbers of the command line; else those of the cluster that lived here; else the settings'.
     */
    private static Settings sized(CommandLine line, Settings settings, Path folder) {
        Settings usual =
                LocalCluster.find(folder)
                        .map(LocalCluster::plan)
                        .map(plan ->
                                settings.with(Settings.PEERS, plan.peers())
                                        .with(Settings.SUPERPEERS, plan.superpeers())
                                        .with(Settings.GROUPS, plan.groups()))
                        .orElse(settings);
        String groups = line.getOptionValue(GROUPS);
        return ClusterOptionsLine.withNodes(
                line,
                groups == null ? usual : usual.with(Settings.GROUPS, PeerGroups.parse(groups)));
    }

    /** Peers that were removed stay away until somebody says how many peers there are to be. */
    private static List<Integer> removed(CommandLine line, Path folder) {
        return line.hasOption(ClusterOptionsLine.PEERS)
                ? List.of()
                : LocalCluster.find(folder)
                        .map(cluster -> cluster.plan().removed())
                        .orElse(List.of());
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
        terminal.tell(
                json,
                Map.of("stopped", processes.stream().map(ClusterProcess::name).toList()),
                sentence);
    }

    private static void restart(String name, Path folder, Terminal terminal, boolean json) {
        LocalCluster cluster = running(folder);
        ClusterProcess process = named(name, "restart", cluster.processes());
        if (process.isRunning()) {
            cluster.stop(name);
        }
        List<String> restarted = cluster.restart(name);
        terminal.tell(
                json, Map.of("restarted", restarted), "restarted " + String.join(", ", restarted));
    }

    /** Asks a peer to leave, and waits until it has. */
    private static void drain(String name, Path folder, Terminal terminal, boolean json) {
        LocalCluster cluster = running(folder);
        List<ClusterProcess> peers =
                cluster.processes().stream().filter(process -> !process.superpeer()).toList();
        ClusterProcess process = named(name, "drain", peers);
        int node = memberOf(process, cluster);
        ask(
                cluster,
                client -> {
                    client.drain(node);
                    return true;
                });
        terminal.err().printf("%s leaves when no job needs it%n", name);
        if (!cluster.awaitEnd(name)) {
            throw new ClusterException(
                    name + " has not left yet; it will, see starling cluster status");
        }
        terminal.tell(
                json,
                Map.of("drained", List.of(name)),
                name + " has left; \"starling cluster restart " + name + "\" brings it back");
    }

    /** The same where processes have no names here: a peer is known by its id. */
    private static void drainElsewhere(
            String text, ClusterService cluster, Terminal terminal, boolean json) {
        int node = nodeId(text).orElseThrow(() -> noId("drain", text));
        cluster.drain(node);
        terminal.err().printf("node %d leaves when no job needs it%n", node);
        long deadline = System.nanoTime() + LEAVE_PATIENCE.toNanos();
        while (cluster.status().nodes().stream().anyMatch(each -> each.node() == node)) {
            if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
                throw new ClusterException(
                        "node %d has not left yet; it will, see starling cluster status"
                                .formatted(node));
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        terminal.tell(json, Map.of("drained", List.of(node)), "node %d has left".formatted(node));
    }

    /** A node is named as {@code cluster status} names it: by its id, or its name here. */
    private void showLog(String text, Path folder, CommandLine line, Terminal terminal) {
        int lines = (int) Numbers.integer(line, LINES, USUAL_LINES, 1, LogLine.MAX_LINES);
        LogLine.Level least = level(line.getOptionValue(LEVEL, "info"));
        int node =
                nodeId(text)
                        .orElseGet(() -> {
                            if (line.hasOption(ClusterLine.CLUSTER)) {
                                throw noId("logs", text);
                            }
                            LocalCluster cluster = running(folder);
                            return memberOf(named(text, "logs", cluster.processes()), cluster);
                        });
        List<LogLine> told = finder.find(line, terminal).log(node, lines, least);
        if (line.hasOption(Commands.JSON)) {
            terminal.out().println(JsonText.write(new NodeLogView(node, told).tree()));
            return;
        }
        told.forEach(each ->
                terminal.out()
                        .printf(
                                "%s %-5s %s: %s%n",
                                each.time(), each.level().name(), each.logger(), each.message()));
    }

    private static LogLine.Level level(String text) {
        try {
            return LogLine.Level.of(text);
        } catch (InvalidInputException wrong) {
            throw new UsageException("--level: " + wrong.getMessage());
        }
    }

    private static int memberOf(ClusterProcess process, LocalCluster cluster) {
        if (!process.isRunning()) {
            throw new InvalidInputException(process.name() + " is not running");
        }
        return StatusText.node(process, ask(cluster, ClusterClient::status))
                .orElseThrow(() ->
                        new ClusterException(
                                process.name() + " runs, but is no member of the cluster"))
                .node();
    }

    private static UsageException noId(String verb, String text) {
        return new UsageException(
                "cluster %s --cluster needs the id of a node, as cluster status shows it%s"
                        .formatted(verb, found(text, List.of())));
    }

    static OptionalInt nodeId(String text) {
        try {
            return OptionalInt.of(Integer.parseInt(text));
        } catch (NumberFormatException wrong) {
            return OptionalInt.empty();
        }
    }

    private static void rebalance(ClusterService cluster, Terminal terminal, boolean json) {
        List<ZoneMoveView> moves = new ArrayList<>();
        Optional<ZoneMoveView> move = cluster.rebalance();
        while (move.isPresent() && moves.size() < MOST_MOVES) {
            ZoneMoveView now = move.get();
            moves.add(now);
            terminal.err()
                    .printf(
                            "zone %s (%s) has gone from node %d to node %d%n",
                            now.zone(), ByteSize.mebibytes(now.bytes()), now.from(), now.to());
            move = cluster.rebalance();
        }
        long bytes = moves.stream().mapToLong(ZoneMoveView::bytes).sum();
        terminal.tell(
                json,
                Map.of("moved", moves.stream().map(ZoneMoveView::tree).toList()),
                moves.isEmpty()
                        ? "nothing to move: memory is even, or zones are too large to make it more so"
                        : "moved %s, %s"
                                .formatted(
                                        counted(moves.size(), "zone"), ByteSize.mebibytes(bytes)));
    }

    private static ClusterProcess named(String name, String verb, List<ClusterProcess> processes) {
        List<String> names = processes.stream().map(ClusterProcess::name).toList();
        return processes.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new UsageException(
                                "cluster %s needs the name of a process%s"
                                        .formatted(
                                                verb,
                                                name.isEmpty()
                                                        ? ": " + String.join(", ", names)
                                                        : found(name, names))));
    }

    private static LocalCluster running(Path folder) {
        return LocalCluster.find(folder)
                .filter(LocalCluster::isRunning)
                .orElseThrow(() -> ClusterLine.noCluster(folder, "--data"));
    }

    static <T> T ask(LocalCluster cluster, Function<ClusterClient, T> question) {
        try (ClusterClient client = cluster.client()) {
            return question.apply(client);
        }
    }

    /** Folders that scripts may use, too: they must be there, and stay if links change. */
    private static List<Path> roots(CommandLine line, Settings settings, Terminal terminal) {
        List<Path> roots = new ArrayList<>(List.of(terminal.workingDirectory()));
        settings.get(Settings.ALLOW).forEach(name -> roots.add(terminal.file(name)));
        roots.addAll(ScriptLine.allowed(line, terminal));
        return real(roots);
    }

    static List<Path> real(List<Path> folders) {
        return folders.stream().map(ClusterCommand::real).distinct().toList();
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException missing) {
            throw new InvalidInputException(
                    "scripts can't be allowed to use %s: %s"
                            .formatted(folder, FileTrouble.reason(missing)),
                    missing);
        }
    }

    static String counted(int count, String noun) {
        return counted(count, noun, noun + "s");
    }

    private static String counted(int count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }
}
