package org.starling.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import org.starling.compute.script.JsonText;

/**
 * Where a command prints and which files it means.
 *
 * @param in what is piped into the command
 * @param out results
 * @param err everything else
 * @param interactive whether {@code err} is a screen that somebody looks at
 * @param workingDirectory what relative names on the command line start from
 */
record Terminal(
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean interactive,
        Path workingDirectory) {
    /** Set by the launcher, which can see it without loading a terminal library. */
    private static final String INTERACTIVE_PROPERTY = "starling.terminal";

    /** The terminal of this process. */
    static Terminal ofProcess() {
        return new Terminal(
                System.in,
                System.out,
                System.err,
                Boolean.getBoolean(INTERACTIVE_PROPERTY),
                Path.of("").toAbsolutePath());
    }

    /** What came of a command: for programs an object, for people a sentence. */
    void tell(boolean json, Map<String, ?> tree, String sentence) {
        out.println(json ? JsonText.write(tree) : sentence);
    }

    /** Likewise with whole lines for people. */
    void print(boolean json, Map<String, ?> tree, String lines) {
        out.print(json ? JsonText.write(tree) + System.lineSeparator() : lines);
    }

    /** A file named on the command line. */
    Path file(String name) {
        return workingDirectory.resolve(name).normalize();
    }
}
