package org.starling.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A terminal whose output a test can read. */
final class Screen {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    Terminal terminal(Path workingDirectory) {
        return terminal(workingDirectory, new byte[0]);
    }

    /** The same with something piped into it. */
    Terminal terminal(Path workingDirectory, byte[] piped) {
        return new Terminal(
                new ByteArrayInputStream(piped),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                workingDirectory);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
