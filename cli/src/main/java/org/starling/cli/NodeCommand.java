package org.starling.cli;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.security.Security;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.GroupName;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.KeyFolder;
import org.starling.compute.cluster.MonitorSettings;
import org.starling.compute.cluster.NodeProcess;
import org.starling.compute.cluster.NodeSettings;
import org.starling.compute.cluster.NodeTls;
import org.starling.compute.cluster.RestSettings;
import org.starling.graph.InvalidInputException;

/**
 * {@code node}: one superpeer or peer in the foreground, for whatever starts processes on many
 * machines. What an option says goes before a variable of the environment, which goes before the
 * configuration.
 */
final class NodeCommand extends Command {
    /** Behind it the name of an option in capitals, {@code _} for {@code -}. */
    private static final String VARIABLE = "STARLING_";

    private static final String DATA = "data";

    private static final String REST_PORT = "rest-port";

    /** How far the port for health of a peer is above that between nodes. */
    private static final int APART = ClusterPlan.USUAL_REST_PORT - ClusterPlan.USUAL_BASE_PORT;

    private static final String LOG = "log";
    private static final String REST_MUTUAL_TLS = "rest-mutual-tls";
    private static final List<String> LOG_FORMATS = List.of("text", "json");

    /** Hosts come back under their names at other addresses. */
    private static final String NAMES_KEPT_SECONDS = "5";

    /**
     * Ending in order takes a few seconds: jobs are told, the others hear that the node leaves.
     * What a peer has to hand over takes its own time before that.
     */
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

    /** An option that is a key of the configuration, too. */
    private record Choice(String option, Setting<?> setting, String value, String meaning) {
        String variable() {
            return VARIABLE + option.toUpperCase(Locale.ROOT).replace('-', '_');
        }
    }

    private static final List<Choice> CHOICES =
            List.of(
                    new Choice(
                            "role",
                            Settings.ROLE,
                            "peer|superpeer",
                            "what the node is (default peer)"),
                    new Choice(
                            "seeds",
                            Settings.SEEDS,
                            "HOST:PORT,…|file:PATH|dns:NAME:PORT",
                            "where superpeers listen: those that found the cluster name all of them, in the same order; a superpeer that is not among them is taken in by them, and peers need one that answers, or one name with all their addresses"),
                    new Choice(
                            "superpeers",
                            Settings.SUPERPEERS,
                            "1|3",
                            "number of superpeers, to be checked against the seeds"),
                    new Choice(
                            "listen",
                            Settings.LISTEN,
                            "ADDRESS",
                            "address to listen at (default 127.0.0.1; 0.0.0.0: all)"),
                    new Choice(
                            "advertise",
                            Settings.ADVERTISE,
                            "NAME",
                            "host name or address by which the others reach this node (default: that of --listen)"),
                    new Choice(
                            "zone",
                            Settings.ZONE,
                            "RACK/HOST",
                            "where a peer stands: copies of a graph are spread over hosts, then over racks, and what else is named here, the widest first (default: the host that it advertises)"),
                    new Choice(
                            "port",
                            Settings.PORT,
                            "N|FIRST-LAST",
                            "port between nodes (default 7400); a peer may take the first free one of a range, or any (0)"),
                    new Choice(
                            REST_PORT,
                            Settings.REST_PORT,
                            "N",
                            "port of a superpeer's REST interface (default 7500), and of a peer's"
                                    + " health and metrics (default: 100 above --port)"),
                    new Choice(
                            DATA,
                            Settings.DATA_DIRECTORY,
                            "DIR",
                            "folder of this node's data, its own alone (default .starling/cluster)"),
                    new Choice(
                            "keys",
                            Settings.KEYS,
                            "DIR",
                            "folder that \"starling keys init\" or \"keys issue\" made for this host (default .starling/keys)"),
                    new Choice("group", Settings.GROUP, "NAME", "compute group of a peer"),
                    new Choice(
                            "threads",
                            Settings.THREADS,
                            "N",
                            "worker threads of a peer (default: as many as cores)"),
                    new Choice(
                            "memory",
                            Settings.MEMORY,
                            "SIZE",
                            "memory for a peer's graphs (default: half of the machine's, or of the container's limit)"),
                    new Choice(
                            "leave-timeout",
                            Settings.LEAVE_TIMEOUT,
                            "TIME",
                            "how long a peer that is asked to end may take to give its work and data to others first (default 20s; 0s: not at all)"));

    private final Map<String, String> environment;

    NodeCommand() {
        this(System.getenv());
    }

    NodeCommand(Map<String, String> environment) {
        super(
                "node",
                "",
                "Runs one superpeer or peer in the foreground, until it is asked to end (SIGTERM).");
        this.environment = Map.copyOf(environment);
    }

    @Override
    Options options() {
        Options options = new Options();
        for (Choice choice : CHOICES) {
            options.addOption(
                    valued(
                            choice.option(),
                            choice.value(),
                            choice.meaning() + " [" + choice.variable() + "]"));
        }
        return with(
                options,
                ScriptLine.allowOption(
                        "a folder that submitted scripts may use, the same on every host"),
                ScriptLine.allowUrlOption("a web server that submitted scripts may read from"),
                flag(
                        "insecure",
                        "listen beyond 127.0.0.1 without TLS: who can see the network can read along [STARLING_INSECURE]"),
                flag(
                        REST_MUTUAL_TLS,
                        "those who ask a superpeer have to show a certificate of the authority, too [STARLING_REST_MUTUAL_TLS]"),
                valued(LOG, "text|json", "how lines of the log look (default text) [STARLING_LOG]"),
                ClusterOptionsLine.configOption());
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        requireNoOperands(line);
        chooseLog(line);
        Security.setProperty("networkaddress.cache.ttl", NAMES_KEPT_SECONDS);
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        Settings said = settings(line, terminal);
        KeyFolder keys = new KeyFolder(terminal.file(said.get(Settings.KEYS)), environment);
        Settings settings = withKeys(said, keys);
        NodeSettings node = node(settings, line, terminal, keys);
        NodeProcess process = new NodeProcess(node, keys.secret());
        interruption.onRequest(
                process::stop, STOP_TIMEOUT.plus(settings.get(Settings.LEAVE_TIMEOUT)));
        Logger log = LogManager.getLogger(NodeCommand.class);
        process.live(id -> log.info(sentence(node, id)));
        log.info("{} has left the cluster", node.name());
        return ExitCode.DONE;
    }

    private static String sentence(NodeSettings node, int id) {
        RestSettings rest = node.rest();
        return "%s is node %d, at %s:%d%s"
                .formatted(
                        node.name(),
                        id,
                        Seeds.bracketed(node.reachedBy()),
                        node.bind().getPort(),
                        rest == null
                                ? ""
                                : ", REST at %s://%s:%d%s"
                                        .formatted(
                                                rest.tls() ? "https" : "http",
                                                Seeds.bracketed(node.reachedBy()),
                                                rest.port(),
                                                ClusterClient.PATH));
    }

    /** Before anything is logged. */
    private void chooseLog(CommandLine line) {
        String format =
                line.getOptionValue(LOG, environment.getOrDefault(VARIABLE + "LOG", "text"));
        if (!LOG_FORMATS.contains(format)) {
            throw new UsageException("--log must be text or json, found \"" + format + "\"");
        }
        System.setProperty("log4j2.configurationFile", "classpath:log4j2-node.xml");
        System.setProperty("starling.log.format", format);
    }

    private Settings settings(CommandLine line, Terminal terminal) {
        Settings settings =
                ClusterOptionsLine.configured(line, terminal)
                        .with(Settings.PROCESSES, true)
                        .withHosts(ScriptLine.allowedHosts(line));
        for (Choice choice : CHOICES) {
            String text = line.getOptionValue(choice.option());
            String source = "--" + choice.option();
            if (text == null) {
                text = environment.get(choice.variable());
                source = "the variable " + choice.variable();
            }
            if (text != null) {
                settings = with(settings, choice.setting(), text, source);
            }
        }
        settings = isSaid(line, "insecure") ? settings.with(Settings.INSECURE, true) : settings;
        return isSaid(line, REST_MUTUAL_TLS)
                ? settings.with(Settings.REST_MUTUAL_TLS, true)
                : settings;
    }

    private boolean isSaid(CommandLine line, String flag) {
        String variable = VARIABLE + flag.toUpperCase(Locale.ROOT).replace('-', '_');
        return line.hasOption(flag) || "true".equals(environment.get(variable));
    }

    /** A certificate in the folder of keys is used, unless the configuration names another one. */
    private static Settings withKeys(Settings settings, KeyFolder keys) {
        Settings all =
                settings.get(Settings.TLS) == NodeTls.Word.OFF
                        ? keys.tls().map(tls -> settings.with(Settings.TLS, tls)).orElse(settings)
                        : settings;
        all.checkTransport();
        if (all.get(Settings.REST_MUTUAL_TLS) && all.get(Settings.TLS) == NodeTls.Word.OFF) {
            throw new InvalidInputException(
                    "restMutualTls: there is no TLS without a certificate of the node's own (starling keys issue)");
        }
        return all;
    }

    private static <T> Settings with(
            Settings settings, Setting<T> setting, String text, String source) {
        try {
            return settings.with(setting, setting.read().apply(value(text)));
        } catch (InvalidInputException wrong) {
            throw new UsageException(source + ": " + wrong.getMessage());
        }
    }

    /** As the configuration would have it. */
    private static Object value(String text) {
        return text.matches("\\d{1,18}") ? (Object) Long.parseLong(text) : text;
    }

    private NodeSettings node(
            Settings settings, CommandLine line, Terminal terminal, KeyFolder keys) {
        boolean superpeer = settings.get(Settings.ROLE) == Settings.Role.SUPERPEER;
        int apart = superpeer || isRestPortSaid(settings, line) ? 0 : APART;
        InetSocketAddress bind = bind(settings, superpeer, apart);
        String zone = settings.get(Settings.ZONE);
        String advertised = advertised(settings);
        if (superpeer && Seeds.isOneName(settings.get(Settings.SEEDS))) {
            throw new UsageException(
                    "a superpeer finds its place in the order of --seeds, and dns: has none; name all superpeers, and leave dns: to peers");
        }
        List<InetSocketAddress> seeds =
                Seeds.read(
                        settings.get(Settings.SEEDS), settings.get(Settings.SUPERPEERS), terminal);
        requireSafe(bind, settings);
        requireReachable(bind, advertised);
        String own = advertised.isEmpty() ? bind.getAddress().getHostAddress() : advertised;
        List<InetSocketAddress> superpeers =
                seeds.isEmpty() && superpeer
                        ? List.of(InetSocketAddress.createUnresolved(own, bind.getPort()))
                        : seeds;
        requireSeeds(superpeers, settings, line);
        int index = superpeer ? Seeds.index(superpeers, own, bind.getPort()) : 0;
        return NodeSettings.inForeground(
                superpeer ? index < 0 ? "superpeer" : "superpeer-" + index : "peer",
                index,
                bind,
                advertised.isEmpty() ? null : advertised,
                zone.isEmpty() ? null : zone,
                superpeers,
                terminal.file(settings.get(Settings.DATA_DIRECTORY)),
                settings.get(Settings.THREADS),
                settings.get(Settings.MEMORY),
                superpeer
                        ? new RestSettings(
                                settings.get(Settings.REST_PORT),
                                keys.token(),
                                settings.get(Settings.INSECURE),
                                ClusterCommand.real(ScriptLine.allowed(line, settings, terminal)),
                                settings.get(Settings.TLS) != NodeTls.Word.OFF,
                                settings.get(Settings.REST_MUTUAL_TLS))
                        : null,
                superpeer ? null : monitor(settings, line, bind, keys),
                settings.tuning(),
                new GroupName(settings.get(Settings.GROUP)));
    }

    /**
     * Where a peer tells how it is: as far above its port as a superpeer's usual ones are apart.
     */
    private MonitorSettings monitor(
            Settings settings, CommandLine line, InetSocketAddress bind, KeyFolder keys) {
        int port =
                isRestPortSaid(settings, line)
                        ? settings.get(Settings.REST_PORT)
                        : bind.getPort() + APART;
        if (port > Settings.MAX_PORT) {
            throw new UsageException(
                    "there is no port %d for the health of this peer; name one with --rest-port"
                            .formatted(port));
        }
        return new MonitorSettings(
                port,
                Files.exists(keys.token()) ? keys.token() : null,
                settings.get(Settings.TLS) != NodeTls.Word.OFF);
    }

    private boolean isRestPortSaid(Settings settings, CommandLine line) {
        return line.hasOption(REST_PORT)
                || environment.containsKey(VARIABLE + "REST_PORT")
                || settings.said().containsKey(Settings.REST_PORT);
    }

    /** Empty for the address that it listens at. */
    private static String advertised(Settings settings) {
        String said = settings.get(Settings.ADVERTISE);
        String host = Seeds.literal(said);
        if (host.isEmpty() && !said.isEmpty()) {
            throw new UsageException(
                    "--advertise wants a host name or an address, without a port, found \"%s\""
                            .formatted(said));
        }
        return host;
    }

    private static InetSocketAddress bind(Settings settings, boolean superpeer, int apart) {
        String listen = settings.get(Settings.LISTEN);
        PortRange ports = settings.get(Settings.PORT);
        if (superpeer && !ports.isFixed()) {
            throw new UsageException(
                    "a superpeer has one port, which --seeds names on every node; found --port %s"
                            .formatted(ports.written()));
        }
        try {
            InetAddress address = InetAddress.getByName(listen);
            return new InetSocketAddress(address, ports.choose(address, apart));
        } catch (UnknownHostException unknown) {
            throw new InvalidInputException(
                    "--listen: there is no address \"" + listen + "\" here", unknown);
        }
    }

    /** Beyond this machine only with proofs, unless somebody takes it on themselves. */
    private static void requireSafe(InetSocketAddress bind, Settings settings) {
        if (settings.get(Settings.TLS) == NodeTls.Word.GENERATED) {
            throw new InvalidInputException(
                    "tls: \"generated\" keys are made for processes of one machine; name files instead, or take \"off\"");
        }
        if (!bind.getAddress().isLoopbackAddress()
                && settings.get(Settings.TLS) == NodeTls.Word.OFF
                && !settings.get(Settings.INSECURE)) {
            throw new InvalidInputException(
                    "listening at %s without TLS lets who can see the network read along and join in; put a certificate into the folder of keys (starling keys issue), or say --insecure if nobody can"
                            .formatted(bind.getAddress().getHostAddress()));
        }
    }

    private static void requireReachable(InetSocketAddress bind, String advertised) {
        if (bind.getAddress().isAnyLocalAddress() && advertised.isEmpty()) {
            throw new UsageException(
                    "--listen %s names no host; say with --advertise by which name or address the others reach this one"
                            .formatted(bind.getAddress().getHostAddress()));
        }
    }

    private static void requireSeeds(
            List<InetSocketAddress> seeds, Settings settings, CommandLine line) {
        if (seeds.isEmpty()) {
            throw new UsageException(
                    "a peer needs --seeds: where the superpeers listen, like 10.0.0.1:7400");
        }
        boolean said =
                line.hasOption(ClusterOptionsLine.SUPERPEERS)
                        || settings.said().containsKey(Settings.SUPERPEERS);
        int count = settings.get(Settings.SUPERPEERS);
        boolean possible = seeds.size() <= NodeSettings.MAX_SUPERPEERS;
        if (!possible || (said && count != seeds.size())) {
            throw new UsageException(
                    "--seeds must name superpeers, %s; found %d: %s"
                            .formatted(
                                    said
                                            ? count + " of them"
                                            : "at most " + NodeSettings.MAX_SUPERPEERS,
                                    seeds.size(),
                                    Seeds.text(seeds)));
        }
    }
}
