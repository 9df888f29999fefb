package org.starling.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.script.JsonText;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/** {@code config}: writes, checks and shows {@code starling.json}. */
final class ConfigCommand extends Command {
    private static final List<String> VERBS = List.of("init", "check", "show");

    ConfigCommand() {
        super(
                "config",
                String.join("|", VERBS),
                "Writes a configuration with all defaults, checks one, or shows what holds.");
    }

    @Override
    Options options() {
        return new Options().addOption(ClusterOptionsLine.configOption());
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        String verb = verb(line);
        switch (verb) {
            case "init" -> init(line, terminal);
            case "check" -> check(line, terminal);
            case "show" -> show(line, terminal);
            default -> throw unknown(verb, VERBS);
        }
        return ExitCode.DONE;
    }

    private static void init(CommandLine line, Terminal terminal) {
        Path file = named(line, terminal);
        String text = JsonText.writeIndented(Settings.DEFAULT.tree()) + "\n";
        try {
            Files.writeString(file, text, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException there) {
            throw new InvalidInputException(
                    file + " exists; remove it first, or name another file with --config", there);
        } catch (IOException broken) {
            throw FileTrouble.refusal(file, "written", broken);
        }
        say(line, terminal, file, "wrote " + file);
    }

    private static void check(CommandLine line, Terminal terminal) {
        Path file = named(line, terminal);
        SettingsFile.read(file).checkTransport();
        say(line, terminal, file, file + " is right");
    }

    private static void show(CommandLine line, Terminal terminal) {
        Settings settings = ClusterOptionsLine.settings(line, terminal);
        terminal.out().println(JsonText.writeIndented(settings.tree()));
    }

    private static void say(CommandLine line, Terminal terminal, Path file, String sentence) {
        terminal.tell(line.hasOption(Commands.JSON), Map.of("file", file.toString()), sentence);
    }

    private static Path named(CommandLine line, Terminal terminal) {
        Path file = ClusterOptionsLine.configuration(line, terminal);
        return file == null ? terminal.file(SettingsFile.USUAL_NAME) : file;
    }
}
