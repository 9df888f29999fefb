package org.starling.cli;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/** The option that lets scripts use more folders. */
final class AllowedFolders {
    private static final String ALLOW = "allow";

    private AllowedFolders() {}

    static Option option(String description) {
        return Option.builder().longOpt(ALLOW).hasArg().argName("DIR").desc(description).get();
    }

    /** What was given. */
    static List<Path> of(CommandLine line, Terminal terminal) {
        String[] folders = line.getOptionValues(ALLOW);
        return folders == null ? List.of() : Arrays.stream(folders).map(terminal::file).toList();
    }
}
