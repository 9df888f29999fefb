package org.starling.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.starling.compute.inputs.WebHosts;
import org.starling.graph.InvalidInputException;

/** Options about a script: its parameters, what it may use, and how much the report tells. */
final class ScriptLine {
    static final String PARAMETER = "P";
    private static final String ALLOW = "allow";
    private static final String ALLOW_URL = "allow-url";
    private static final String EXPLAIN = "explain";

    private ScriptLine() {}

    static Option parameterOption() {
        return Option.builder(PARAMETER)
                .hasArg()
                .argName("KEY=VALUE")
                .desc("a parameter of the script; may be given several times")
                .get();
    }

    static Option allowOption(String meaning) {
        return Command.valued(ALLOW, "DIR", meaning + "; may be given several times");
    }

    static Option allowUrlOption(String meaning) {
        return Command.valued(
                ALLOW_URL,
                "HOST",
                meaning
                        + ", or s3://BUCKET/FOLDER of an object store (s3+write://… to write there, too)"
                        + "; may be given several times (HOST:PORT for other ports than the usual)");
    }

    /** Web servers that scripts may read from, too. */
    static List<String> allowedHosts(CommandLine line) {
        List<String> hosts = values(line, ALLOW_URL);
        try {
            hosts.forEach(WebHosts::checked);
        } catch (InvalidInputException wrong) {
            throw new UsageException("--allow-url: " + wrong.getMessage());
        }
        return hosts;
    }

    static Option explainOption() {
        return Command.flag(EXPLAIN, "tell what every program's run took, superstep by superstep");
    }

    /** Texts by name. */
    static Map<String, String> parameters(CommandLine line) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : values(line, PARAMETER)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new UsageException("-P wants key=value, found \"" + pair + "\"");
            }
            if (parameters.put(pair.substring(0, equals), pair.substring(equals + 1)) != null) {
                throw new UsageException(
                        "-P " + pair.substring(0, equals) + " was given more than once");
            }
        }
        return parameters;
    }

    /** Folders that scripts may use, too. */
    static List<Path> allowed(CommandLine line, Terminal terminal) {
        return values(line, ALLOW).stream().map(terminal::file).toList();
    }

    /** These, and what the configuration names. */
    static List<Path> allowed(CommandLine line, Settings settings, Terminal terminal) {
        List<Path> all = new ArrayList<>(allowed(line, terminal));
        settings.get(Settings.ALLOW).forEach(name -> all.add(terminal.file(name)));
        return all;
    }

    static boolean isExplained(CommandLine line) {
        return line.hasOption(EXPLAIN);
    }

    /** All values of an option that may be given several times. */
    static List<String> values(CommandLine line, String option) {
        String[] values = line.getOptionValues(option);
        return values == null ? List.of() : Arrays.asList(values);
    }
}
