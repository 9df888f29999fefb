package org.starling.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.cluster.KeyFolder;
import org.starling.compute.script.JsonText;

/** {@code keys}: what the nodes of a cluster know each other by, and people show to it. */
final class KeysCommand extends Command {
    KeysCommand() {
        super(
                "keys",
                "init DIR",
                "Makes the secret of a cluster's nodes and the token of those who use it.");
    }

    @Override
    Options options() {
        return new Options();
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        List<String> words = line.getArgList();
        if (words.isEmpty() || !words.getFirst().equals("init")) {
            throw new UsageException(
                    "keys needs the word init"
                            + (words.isEmpty() ? "" : ", found \"" + words.getFirst() + "\""));
        }
        if (words.size() != 2) {
            throw new UsageException("keys init needs one folder; see starling keys --help");
        }
        Path folder = terminal.file(words.getLast());
        KeyFolder.make(folder);
        terminal.out()
                .println(
                        line.hasOption(Commands.JSON)
                                ? JsonText.write(Map.of("folder", folder.toString()))
                                : "made secret and token in %s; copy the folder to every host, and let nobody else read it"
                                        .formatted(folder));
        return ExitCode.DONE;
    }
}
