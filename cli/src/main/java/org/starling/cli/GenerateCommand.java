package org.starling.cli;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.script.NearestName;
import org.starling.compute.script.Script;

/**
 * {@code generate}: a script of one task, {@code generate.kronecker} and its kin. It needs no
 * cluster.
 */
final class GenerateCommand extends Command {
    private static final String GRID = "grid";
    private static final List<String> GENERATORS = List.of("kronecker", "uniform", GRID);
    private static final List<String> FORMATS = List.of("graph500-packed", "graph500", "tsv");
    private static final String SCALE = "scale";
    private static final String EDGE_FACTOR = "edgefactor";
    private static final String SEEDS = "seeds";
    private static final String HASH = "hash";
    private static final String FILE = "file";
    private static final String FORMAT = "format";
    private static final String WEIGHTS = "weights";

    GenerateCommand() {
        super(
                "generate",
                String.join("|", GENERATORS),
                "Generates the edges of a graph: into a file, or only their hash.");
    }

    @Override
    Options options() {
        return optionsOf(
                valued(SCALE, "S", "the graph has 2^S vertices"),
                valued(EDGE_FACTOR, "E", "edges per vertex (default 16; a grid has its own)"),
                valued(
                        SEEDS,
                        "A,B",
                        "two numbers, decimal or with 0x (default 2,3; a grid needs none)"),
                flag(HASH, "write no file, only print sums and hashes"),
                valued(FILE, "F", "file to write"),
                valued(
                        FORMAT,
                        "FORMAT",
                        String.join(", ", FORMATS) + " (default tsv; binary for kronecker only)"),
                flag(WEIGHTS, "edges with weights (a grid has none)"));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        Map<String, Object> task = new LinkedHashMap<>();
        String generator = generator(line);
        task.put("task", "generate." + generator);
        task.put(SCALE, Numbers.required(line, SCALE, 1, Integer.MAX_VALUE));
        if (!generator.equals(GRID)) {
            putRandomness(line, task);
        }
        if (line.hasOption(HASH) == line.hasOption(FILE)) {
            throw new UsageException("generate needs either --hash or --file F");
        }
        Script script;
        if (line.hasOption(FILE)) {
            Path file = terminal.file(line.getOptionValue(FILE));
            task.put(FILE, file.toString());
            task.put(FORMAT, format(line));
            script = InlineScript.of(name(), task, terminal, file);
        } else {
            script = InlineScript.of(name(), task, terminal);
        }
        return new LocalTask(script).run(line, terminal, interruption);
    }

    /** What makes one graph of a scale different from another; there is only one grid. */
    private static void putRandomness(CommandLine line, Map<String, Object> task) {
        Numbers.putIfGiven(line, EDGE_FACTOR, task);
        if (line.hasOption(SEEDS)) {
            task.put(SEEDS, Arrays.asList(line.getOptionValue(SEEDS).split(",", -1)));
        }
        if (line.hasOption(WEIGHTS)) {
            task.put(WEIGHTS, true);
        }
    }

    private String generator(CommandLine line) {
        String generator = verb(line);
        if (!GENERATORS.contains(generator)) {
            throw unknown(generator, GENERATORS);
        }
        return generator;
    }

    private static String format(CommandLine line) {
        String format = line.getOptionValue(FORMAT, "tsv");
        if (!FORMATS.contains(format)) {
            throw new UsageException(
                    "--format must be one of %s, found \"%s\"%s"
                            .formatted(
                                    String.join(", ", FORMATS),
                                    format,
                                    NearestName.guess(format, FORMATS)));
        }
        return format;
    }
}
