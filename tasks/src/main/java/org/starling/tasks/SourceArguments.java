package org.starling.tasks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.loaders.FileFormat;

/** Arguments of tasks that read a graph's file. */
final class SourceArguments {
    static final String FORMAT = "format";
    static final String SOURCE = "source";
    static final String TARGET = "target";
    static final String SEPARATOR = "separator";
    static final String IDS = "ids";
    static final String TEXTS = "text";
    static final String NUMBERS = "number";
    static final String AUTO = "auto";

    private SourceArguments() {}

    static Argument format() {
        return Argument.choice(
                FORMAT,
                "its format; auto goes by the first bytes and by the ending (.graph, .mtx, .gr, .sg"
                        + " and so on)",
                Stream.concat(
                                Stream.of(AUTO),
                                Arrays.stream(FileFormat.values())
                                        .filter(FileFormat::isRead)
                                        .map(FileFormat::title))
                        .toArray(String[]::new));
    }

    static Argument source() {
        return Argument.optional(
                SOURCE, Argument.Type.TEXT, "the column of sources, if it is not source");
    }

    static Argument target() {
        return Argument.optional(
                TARGET, Argument.Type.TEXT, "the column of targets, if it is not target");
    }

    static Argument ids() {
        return Argument.choice(
                IDS,
                "what the ids of an edge list or a table are: whole numbers from 0 to 2^64 - 1, or"
                        + " texts; those of triples are texts",
                NUMBERS,
                TEXTS);
    }

    static Argument separator() {
        return Argument.optional(
                SEPARATOR,
                Argument.Type.TEXT,
                "what separates the ids of an edge list; otherwise taken from its first edge");
    }

    /** The format that is meant. */
    static FileFormat format(Parameters arguments, Path file) throws IOException {
        String named = arguments.text(FORMAT);
        return named.equals(AUTO) ? GraphFileProbe.format(file) : FileFormat.named(named);
    }

    /** Whether the ids of a file are texts. */
    static boolean hasTextIds(Parameters arguments) {
        return arguments.text(IDS, NUMBERS).equals(TEXTS);
    }

    /**
     * The format that is meant by a task that takes {@link #ids}: texts tell it where nothing does.
     *
     * @throws InvalidInputException if ids are texts, and those of the format are numbers
     */
    static FileFormat formatOfIds(Parameters arguments, Path file) throws IOException {
        FileFormat format = format(arguments, file);
        if (!hasTextIds(arguments) || format.isByColumns() || format.hasTextIds()) {
            return format;
        }
        if (arguments.text(FORMAT).equals(AUTO) && format != FileFormat.GRAPHALYTICS) {
            return FileFormat.EDGE_LIST;
        }
        if (!format.isTable()) {
            throw new InvalidInputException(
                    "ids are texts in tables, edge lists and triples alone, and %s is %s, whose ids are numbers; leave \"ids\" out"
                            .formatted(file.getFileName(), format.title()));
        }
        return format;
    }

    /** What a source of one file is told. */
    static Parameters parameters(Parameters arguments, Path file) {
        Parameters parameters = Parameters.of("file", file.toString());
        for (String argument : List.of(SOURCE, TARGET, SEPARATOR, IDS, "weight")) {
            if (arguments.has(argument)) {
                parameters = parameters.with(argument, arguments.text(argument));
            }
        }
        return parameters;
    }
}
