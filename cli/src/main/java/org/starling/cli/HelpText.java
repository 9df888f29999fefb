package org.starling.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** Help pages. */
final class HelpText {

    private HelpText() {}

    /** All commands. */
    static String overview(Collection<Command> commands) {
        List<List<String>> rows = new ArrayList<>();
        commands.forEach(command -> rows.add(List.of(command.name(), command.summary())));
        return "Usage: starling COMMAND [OPTIONS]\n\n"
                + Columns.left(rows)
                + "\n\"starling COMMAND --help\" explains a command, \"starling --version\" names"
                + " the version.\n"
                + "Exit codes: 0 done, 1 internal error, 2 wrong usage, 3 bad input, 4 no cluster,"
                + " 5 job failed or cancelled.\n";
    }

    /** One command. */
    static String of(Command command, Options options) {
        List<List<String>> rows = new ArrayList<>();
        for (Option option : options.getOptions()) {
            String value = option.hasArg() ? " " + option.getArgName() : "";
            rows.add(List.of(dashed(option) + value, option.getDescription()));
        }
        String operands = command.operands().isEmpty() ? "" : " " + command.operands();
        return "Usage: starling %s%s [OPTIONS]\n\n%s\n\n%s"
                .formatted(command.name(), operands, command.summary(), Columns.left(rows));
    }

    /** The option as it is written. */
    static String dashed(Option option) {
        return option.getLongOpt() == null ? "-" + option.getOpt() : "--" + option.getLongOpt();
    }
}
