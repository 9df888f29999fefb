package org.starling.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;
import org.starling.cli.rest.PackagedText;
import org.starling.compute.script.NearestName;

/**
 * The commands of {@code ./starling}: finds the one that is meant, parses its options, and turns
 * whatever goes wrong into an exit code and one sentence. Immutable; runs on the main thread.
 */
final class Commands {
    static final String JSON = "json";
    static final String VERBOSE = "verbose";
    private static final String HELP = "help";

    private final Map<String, Command> commands = new LinkedHashMap<>();

    Commands(List<Command> commands) {
        commands.forEach(command -> this.commands.put(command.name(), command));
    }

    /** All there are. */
    static Commands all() {
        List<Command> all = new ArrayList<>(alone());
        all.add(new DemoCommand(new Commands(alone())));
        return new Commands(all);
    }

    /** Those that need no others. */
    private static List<Command> alone() {
        return List.of(
                new RunCommand(EmbeddedCluster::start),
                new Graph500Command(EmbeddedCluster::start),
                new GraphalyticsCommand(EmbeddedCluster::start),
                new ClusterCommand(ClusterLine::find),
                new NodeCommand(),
                new KeysCommand(),
                new TokensCommand(ClusterLine::find),
                new SubmitCommand(ClusterLine::find),
                new JobsCommand(ClusterLine::find),
                new ReportCommand(ClusterLine::find),
                new CancelCommand(ClusterLine::find),
                new JarsCommand(ClusterLine::find),
                new GraphsCommand(ClusterLine::find),
                new QueryCommand(ClusterLine::find),
                new BenchCommand(),
                new GenerateCommand(),
                new InspectCommand(),
                new ConvertCommand(),
                new PlotCommand(),
                new ConfigCommand(),
                new TasksCommand(),
                new NewCommand(),
                new InstallCommand());
    }

    /** Runs what the arguments say. */
    ExitCode run(String[] arguments, Terminal terminal, Interruption interruption) {
        List<String> words = Arrays.asList(arguments);
        try {
            return dispatch(words, terminal, interruption);
        } catch (RuntimeException | Error failure) {
            return Failure.of(failure)
                    .print(terminal, words.contains("--" + VERBOSE), words.contains("--" + JSON));
        }
    }

    private ExitCode dispatch(List<String> words, Terminal terminal, Interruption interruption) {
        if (words.isEmpty()) {
            terminal.err().print(HelpText.overview(commands.values()));
            return ExitCode.WRONG_USAGE;
        }
        String word = words.getFirst();
        if (word.equals("--version")) {
            terminal.out().println("starling " + version());
            return ExitCode.DONE;
        }
        if (word.equals("--help") || word.equals("-h") || word.equals(HELP)) {
            return help(words, terminal.out());
        }
        Command command = find(word);
        Options options = withCommon(command.options());
        CommandLine line = parse(command, options, words.subList(1, words.size()));
        if (line.hasOption(HELP)) {
            terminal.out().print(HelpText.of(command, options));
            return ExitCode.DONE;
        }
        return command.run(line, terminal, interruption);
    }

    private ExitCode help(List<String> words, PrintStream out) {
        if (words.size() > 1) {
            Command command = find(words.get(1));
            out.print(HelpText.of(command, withCommon(command.options())));
        } else {
            out.print(HelpText.overview(commands.values()));
        }
        return ExitCode.DONE;
    }

    private Command find(String word) {
        Command command = commands.get(word);
        if (command == null) {
            String kind = word.startsWith("-") ? "option" : "command";
            throw new UsageException(
                    "unknown %s \"%s\"%s"
                            .formatted(kind, word, NearestName.hint(word, commands.keySet())));
        }
        return command;
    }

    private static CommandLine parse(Command command, Options options, List<String> words) {
        DefaultParser parser = DefaultParser.builder().setAllowPartialMatching(false).get();
        try {
            return parser.parse(options, words.toArray(String[]::new));
        } catch (UnrecognizedOptionException unknown) {
            List<String> names =
                    options.getOptions().stream().map(HelpText::dashed).sorted().toList();
            throw new UsageException(
                    "\"%s\" has no option \"%s\"%s; see starling %s --help"
                            .formatted(
                                    command.name(),
                                    unknown.getOption(),
                                    NearestName.of(unknown.getOption(), names)
                                            .map(name -> " (did you mean " + name + "?)")
                                            .orElse(""),
                                    command.name()));
        } catch (ParseException wrong) {
            throw new UsageException(
                    "%s: %s; see starling %s --help"
                            .formatted(command.name(), sentence(wrong), command.name()));
        }
    }

    private static String sentence(ParseException wrong) {
        String message = String.valueOf(wrong.getMessage());
        return Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }

    private static Options withCommon(Options own) {
        Options options = new Options();
        options.addOptions(own);
        return Command.with(
                options,
                Command.flag(
                        JSON,
                        "print one JSON object on standard output, all else on standard error"),
                Command.flag(
                        VERBOSE,
                        "say more: every superstep, what each node's messages do, stack traces of errors"),
                Command.flag(HELP, "print this"));
    }

    /** The version of Starling. */
    static String version() {
        Properties properties = new Properties();
        try {
            properties.load(
                    new StringReader(PackagedText.of(Commands.class, "version.properties")));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return properties.getProperty("version", "unknown");
    }
}
