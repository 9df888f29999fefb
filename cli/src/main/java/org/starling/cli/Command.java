package org.starling.cli;

import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** One word after {@code ./starling}. Stateless; runs on the main thread. */
interface Command {
    /** The word. */
    String name();

    /** What follows the word, for the first line of its help; without options. */
    String operands();

    /** One sentence. */
    String summary();

    /** Its own options; those that every command has are added. */
    Options options();

    /**
     * Does the work. Problems are exceptions: {@link UsageException} for wrong words, and those of
     * {@code org.starling.graph} for the rest.
     */
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption);
}
