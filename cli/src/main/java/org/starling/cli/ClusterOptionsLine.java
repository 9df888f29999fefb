package org.starling.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;

/** Options of commands that start a cluster: what the configuration says, overridden. */
final class ClusterOptionsLine {
    static final String PEERS = "peers";
    static final String SUPERPEERS = "superpeers";
    static final String CONFIG = "config";
    private static final String PROCESSES = "processes";

    private ClusterOptionsLine() {}

    /** Adds the options. */
    static Options addTo(Options options) {
        options.addOption(peersOption());
        options.addOption(Command.flag(PROCESSES, "run each peer as a process of its own"));
        return options.addOption(configOption());
    }

    /** The option that names a configuration. */
    static Option configOption() {
        return Command.valued(
                CONFIG, "FILE", "configuration (default: starling.json here, if there is one)");
    }

    /** What the options and the configuration say. */
    static Settings settings(CommandLine line, Terminal terminal) {
        Settings settings = configured(line, terminal);
        settings = withNodes(line, settings);
        if (line.hasOption(PROCESSES)) {
            settings = settings.with(Settings.PROCESSES, true);
        }
        settings.checkTransport();
        return settings;
    }

    /** Settings with the numbers of nodes that the command line gives. */
    static Settings withNodes(CommandLine line, Settings settings) {
        long peers =
                Numbers.integer(line, PEERS, settings.get(Settings.PEERS), 1, Settings.MAX_PEERS);
        long superpeers =
                Numbers.integer(line, SUPERPEERS, settings.get(Settings.SUPERPEERS), 1, 3);
        if (superpeers == 2) {
            throw new UsageException("--superpeers must be 1 or 3, found \"2\"");
        }
        return settings.with(Settings.PEERS, (int) peers)
                .with(Settings.SUPERPEERS, (int) superpeers);
    }

    /** What the configuration says. */
    static Settings configured(CommandLine line, Terminal terminal) {
        Path file = configuration(line, terminal);
        return file == null ? Settings.DEFAULT : SettingsFile.read(file);
    }

    /** The option that says how many peers. */
    static Option peersOption() {
        return Command.valued(PEERS, "N", "number of peers that compute (default 1)");
    }

    /** The configuration that holds: the one named, or the usual one if it is there. */
    static @Nullable Path configuration(CommandLine line, Terminal terminal) {
        String named = line.getOptionValue(CONFIG);
        if (named != null) {
            return terminal.file(named);
        }
        Path usual = terminal.file(SettingsFile.USUAL_NAME);
        return Files.exists(usual) ? usual : null;
    }
}
