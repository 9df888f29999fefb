package org.starling.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code convert}: a script of one task, {@code file.convert}. It needs no cluster. */
final class ConvertCommand extends Command {
    private static final String FROM = "from";
    private static final String TO = "to";
    private static final String DIRECTED = "directed";
    private static final String UNDIRECTED = "undirected";

    ConvertCommand() {
        super(
                "convert",
                "IN OUT",
                "Writes a graph's file (or a URL, s3:// too, or what is piped in: -) in another format.");
    }

    @Override
    Options options() {
        return optionsOf(
                valued(FROM, "FORMAT", "format of IN, if it does not tell itself"),
                valued(TO, "FORMAT", "format of OUT, if its ending does not tell it"),
                flag(DIRECTED, "edges have directions, whatever IN says"),
                flag(UNDIRECTED, "edges have none, whatever IN says"),
                valued("source", "COLUMN", "the column of sources of a table"),
                valued("target", "COLUMN", "the column of targets of a table"),
                valued(
                        "weight",
                        "COLUMN",
                        "the column or attribute of weights; none leaves weights out"),
                valued("ids", "KIND", "what ids of a table are: number or text"),
                InputLine.allowUrlOption());
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        List<String> files = line.getArgList();
        if (files.size() != 2) {
            throw new UsageException(
                    "convert needs two files, IN and OUT, found %d; see starling convert --help"
                            .formatted(files.size()));
        }
        if (line.hasOption(DIRECTED) && line.hasOption(UNDIRECTED)) {
            throw new UsageException("--directed and --undirected exclude each other; give one");
        }
        InputLine in = InputLine.of(files.get(0), line, terminal);
        OutputLine out = OutputLine.of(files.get(1), terminal);
        Map<String, Object> task = new LinkedHashMap<>();
        task.put("task", "file.convert");
        task.put("file", in.name());
        task.put("output", out.name());
        if (line.hasOption(FROM)) {
            task.put("format", line.getOptionValue(FROM));
        }
        if (line.hasOption(DIRECTED) || line.hasOption(UNDIRECTED)) {
            task.put(DIRECTED, line.hasOption(DIRECTED));
        }
        for (String option : List.of(TO, "source", "target", "weight", "ids")) {
            if (line.hasOption(option)) {
                task.put(option, line.getOptionValue(option));
            }
        }
        List<Path> named = new ArrayList<>(in.files());
        named.addAll(out.files());
        List<String> hosts = new ArrayList<>(in.hosts());
        hosts.addAll(out.hosts());
        return new LocalTask(InlineScript.of(name(), task, terminal, hosts, named))
                .run(line, terminal, interruption);
    }
}
