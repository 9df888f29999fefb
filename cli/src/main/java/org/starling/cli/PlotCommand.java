package org.starling.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;
import org.starling.cli.plot.Panel;
import org.starling.cli.plot.Picture;
import org.starling.compute.script.InvalidJsonException;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.ScriptReport;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.WholeFile;

/** {@code plot}: a report as a picture. It needs no cluster and no display. */
final class PlotCommand extends Command {
    /** Charts of a picture; further ones are left out. */
    static final int MAX_PANELS = 64;

    private static final long MAX_REPORT_BYTES = 64L << 20;
    private static final String OUT = "out";
    private static final String TASK = "task";
    private static final String TABLE = "table";
    private static final String COLUMN = "column";
    private static final String ENDING = ".svg";

    PlotCommand() {
        super(
                "plot",
                "REPORT",
                "Draws a job's report as SVG: frontier and messages by superstep, distributions, ranks.");
    }

    @Override
    Options options() {
        return optionsOf(
                valued(
                        OUT,
                        "FILE.svg",
                        "where to; replaced if there (default: the report's name, here)"),
                valued(TASK, "NAME", "draw one task only, by its name or that of its results"),
                valued(
                        TABLE,
                        "FILE",
                        "draw a column of a .csv or .tsv table that graph.write has written, too, or of lines \"id value\" (.txt): its values by rank"),
                valued(
                        COLUMN,
                        "NAME",
                        "which column of the table (default: the first behind the ids)"));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        if (line.hasOption(COLUMN) && !line.hasOption(TABLE)) {
            throw new UsageException("--column names a column of a table; give --table FILE, too");
        }
        Path file = terminal.file(operand(line, "report"));
        Path target = target(line, file, terminal);
        ScriptReport report = read(file);
        ReportPanels found = ReportPanels.of(report, line.getOptionValue(TASK));
        List<Panel> panels = new ArrayList<>(found.panels());
        if (line.hasOption(TABLE)) {
            panels.addAll(
                    ValueTable.panels(
                            terminal.file(line.getOptionValue(TABLE)),
                            line.getOptionValue(COLUMN)));
        }
        if (panels.isEmpty()) {
            throw new InvalidInputException(nothing(file, line.getOptionValue(TASK), report));
        }
        int drawn = Math.min(MAX_PANELS, panels.size());
        write(target, Picture.of(report.script(), panels.subList(0, drawn)));
        if (found.stillRuns() > 0) {
            terminal.err()
                    .printf(
                            Locale.ROOT,
                            "left out: %,d runs without frontier and messages%n",
                            found.stillRuns());
        }
        if (panels.size() > drawn) {
            terminal.err()
                    .printf(
                            Locale.ROOT,
                            "left out: %,d charts behind the first %d; --task NAME draws one task%n",
                            panels.size() - drawn,
                            drawn);
        }
        Map<String, @Nullable Object> told = new LinkedHashMap<>();
        told.put("file", target.toString());
        told.put("charts", (long) drawn);
        terminal.tell(
                line.hasOption(Commands.JSON),
                told,
                "%s: %d %s".formatted(target, drawn, drawn == 1 ? "chart" : "charts"));
        return ExitCode.DONE;
    }

    private static String nothing(Path file, @Nullable String task, ScriptReport report) {
        boolean unknown =
                task != null
                        && report.tasks().stream()
                                .noneMatch(
                                        each -> task.equals(each.task()) || task.equals(each.as()));
        return unknown
                ? "the report %s has no task \"%s\"".formatted(file, task)
                : "the report %s tells of no superstep, distribution or ranks; run the script with --explain --json"
                        .formatted(file);
    }

    private static Path target(CommandLine line, Path report, Terminal terminal) {
        String name = String.valueOf(report.getFileName());
        int dot = name.lastIndexOf('.');
        Path file =
                terminal.file(
                        line.getOptionValue(
                                OUT, (dot > 0 ? name.substring(0, dot) : name) + ENDING));
        Path folder = file.getParent();
        if (!file.toString().toLowerCase(Locale.ROOT).endsWith(ENDING)) {
            throw new InvalidInputException("%s: a picture's name ends in .svg".formatted(file));
        }
        if (file.equals(report)) {
            throw new InvalidInputException(
                    "%s is the report itself; name another file with --out".formatted(file));
        }
        if (Files.isDirectory(file)) {
            throw new InvalidInputException("%s is a folder; name a file in it".formatted(file));
        }
        if (folder == null || !Files.isDirectory(folder)) {
            throw new InvalidInputException("there is no folder %s to write to".formatted(folder));
        }
        return file;
    }

    private static ScriptReport read(Path file) {
        String remedy = "; run writes one with --explain --json, and report with --json";
        try {
            if (!Files.isRegularFile(file)) {
                throw new InvalidInputException("there is no report " + file);
            }
            if (Files.size(file) > MAX_REPORT_BYTES) {
                throw new InvalidInputException(
                        "%s is larger than %,d bytes, too large for a report"
                                .formatted(file, MAX_REPORT_BYTES));
            }
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            if (JsonText.parse(text) instanceof Map<?, ?> tree) {
                return report(file, tree, remedy);
            }
            throw new InvalidInputException(
                    "%s is no report: it is no JSON object%s".formatted(file, remedy));
        } catch (CharacterCodingException binary) {
            throw new InvalidInputException(
                    "%s is no report: it is no text in UTF-8%s".formatted(file, remedy), binary);
        } catch (InvalidJsonException wrong) {
            throw new InvalidInputException(
                    "%s is no report: %s%s".formatted(file, wrong.getMessage(), remedy), wrong);
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "read", unreadable);
        }
    }

    private static ScriptReport report(Path file, Map<?, ?> tree, String remedy) {
        if (tree.containsKey("bfs") && tree.containsKey("constructionSeconds")) {
            throw new InvalidInputException(
                    "%s has the figures of graph500, which tell of no superstep; run a script with the task benchmark.graph500 and --explain --json"
                            .formatted(file));
        }
        if (!tree.containsKey("tasks")) {
            throw new InvalidInputException(
                    "%s is no report: it has no \"tasks\"%s".formatted(file, remedy));
        }
        try {
            return ScriptReport.of(tree);
        } catch (IllegalArgumentException wrong) {
            throw new InvalidInputException(
                    "%s is no report: %s%s".formatted(file, wrong.getMessage(), remedy), wrong);
        }
    }

    private static void write(Path target, String document) {
        try {
            Path folder = target.getParent();
            Path real = folder == null ? target : folder.toRealPath().resolve(target.getFileName());
            try (WholeFile whole = WholeFile.create(real)) {
                ByteBuffer bytes = ByteBuffer.wrap(document.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    whole.channel().write(bytes);
                }
                whole.commit();
            }
        } catch (IOException refused) {
            throw FileTrouble.refusal(target, "written", refused);
        }
    }
}
