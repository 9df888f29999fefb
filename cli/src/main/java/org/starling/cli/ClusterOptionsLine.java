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
        if (line.hasOption(PEERS)) {
            settings =
                    settings.with(
                            Settings.PEERS,
                            (int) Numbers.integer(line, PEERS, 0, 1, Settings.MAX_PEERS));
        }
        if (line.hasOption(PROCESSES)) {
            settings = settings.with(Settings.PROCESSES, true);
        }
        settings.checkTransport();
        return settings;
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
