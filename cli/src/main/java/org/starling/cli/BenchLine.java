package org.starling.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.starling.compute.bench.BenchChoices;
import org.starling.compute.bench.BenchOption;
import org.starling.compute.script.NearestName;

/** Options of benches on the command line; several benches may have one of the same name. */
final class BenchLine {
    private static final Set<String> COMMON = Set.of(Commands.JSON, Commands.VERBOSE);

    private BenchLine() {}

    /** Adds the options of a bench to those that are there. */
    static void addTo(Options options, String bench, List<BenchOption> added) {
        for (BenchOption option : added) {
            add(options, parsed(bench, option));
        }
    }

    /** Adds an option, or its meaning to the option of that name. */
    static void add(Options options, Option added) {
        Option present = options.getOption(added.getLongOpt());
        if (present == null) {
            options.addOption(added);
        } else if (present.hasArg() == added.hasArg()) {
            present.setDescription(present.getDescription() + "; " + added.getDescription());
        } else {
            throw new IllegalStateException(
                    "--%s takes a value for one bench and none for another"
                            .formatted(added.getLongOpt()));
        }
    }

    /**
     * What was chosen.
     *
     * @throws UsageException if it is not what the options allow
     */
    static BenchChoices choices(
            String bench, List<BenchOption> options, CommandLine line, Terminal terminal) {
        refuseOthers(
                bench, options.stream().map(BenchOption::name).collect(Collectors.toSet()), line);
        Map<String, Object> given = new HashMap<>();
        for (BenchOption option : options) {
            if (line.hasOption(option.name())) {
                given.put(option.name(), value(option, line, terminal));
            }
        }
        return new BenchChoices(options, given);
    }

    /** Refuses options that belong to other benches. */
    static void refuseOthers(String bench, Set<String> known, CommandLine line) {
        for (Option option : line.getOptions()) {
            String name = option.getLongOpt() == null ? option.getOpt() : option.getLongOpt();
            if (!known.contains(name) && !COMMON.contains(name)) {
                throw new UsageException(
                        "bench %s has no option \"%s\"; see starling bench --help"
                                .formatted(bench, HelpText.dashed(option)));
            }
        }
    }

    private static Object value(BenchOption option, CommandLine line, Terminal terminal) {
        return switch (option) {
            case BenchOption.Whole whole ->
                    Numbers.integer(
                            line, whole.name(), whole.otherwise(), whole.min(), whole.max());
            case BenchOption.Word word -> word(word, line.getOptionValue(word.name()));
            case BenchOption.Folder folder -> terminal.file(line.getOptionValue(folder.name()));
            case BenchOption.Flag flag -> true;
        };
    }

    private static String word(BenchOption.Word option, String text) {
        if (!option.words().contains(text)) {
            throw new UsageException(
                    "--%s can't be \"%s\"%s"
                            .formatted(
                                    option.name(), text, NearestName.hint(text, option.words())));
        }
        return text;
    }

    private static Option parsed(String bench, BenchOption option) {
        Option.Builder builder = Option.builder().longOpt(option.name());
        String meaning = bench + ": " + option.meaning();
        return switch (option) {
            case BenchOption.Whole whole ->
                    builder.hasArg()
                            .argName("N")
                            .desc("%s (default %d)".formatted(meaning, whole.otherwise()))
                            .get();
            case BenchOption.Word word ->
                    builder.hasArg()
                            .argName(String.join("|", word.words()))
                            .desc("%s (default %s)".formatted(meaning, word.words().getFirst()))
                            .get();
            case BenchOption.Folder folder ->
                    builder.hasArg()
                            .argName("DIR")
                            .desc("%s (default %s)".formatted(meaning, folder.otherwise()))
                            .get();
            case BenchOption.Flag flag -> builder.desc(meaning).get();
        };
    }
}
