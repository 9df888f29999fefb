package org.starling.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/** The option that gives a script's parameters. */
final class ScriptParametersLine {
    static final String PARAMETER = "P";

    private ScriptParametersLine() {}

    static Option option() {
        return Option.builder(PARAMETER)
                .hasArg()
                .argName("KEY=VALUE")
                .desc("a parameter of the script; may be given several times")
                .get();
    }

    /** Texts by name. */
    static Map<String, String> parameters(CommandLine line) {
        Map<String, String> parameters = new LinkedHashMap<>();
        String[] pairs = line.getOptionValues(PARAMETER);
        for (String pair : pairs == null ? new String[0] : pairs) {
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
}
