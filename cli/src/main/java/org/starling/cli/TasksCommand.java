package org.starling.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.jars.JarRules;
import org.starling.compute.jars.JobCode;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.ScriptSchema;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.TaskSignature;

/** {@code tasks}: what scripts can do. */
final class TasksCommand extends Command {
    private static final String MARKDOWN = "markdown";
    private static final String SCHEMA = "schema";

    TasksCommand() {
        super("tasks", "", "Lists the tasks that scripts can name.");
    }

    @Override
    Options options() {
        return optionsOf(
                flag(MARKDOWN, "print the page docs/TASKS.md, with arguments and results"),
                flag(
                        SCHEMA,
                        "print a JSON Schema of scripts, from which editors complete names of tasks and arguments"),
                JarLine.option("a jar whose tasks are listed, too; may be given several times"),
                ClusterOptionsLine.configOption());
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        requireNoOperands(line);
        if (line.hasOption(MARKDOWN) && line.hasOption(SCHEMA)) {
            throw new UsageException("--markdown and --schema exclude each other; give one");
        }
        JarRules rules = ClusterOptionsLine.configured(line, terminal).jarRules();
        try (JobCode code = JarLine.load(JarLine.read(line, terminal, rules))) {
            print(code.tasks(TaskCatalog.onClassPath()).signatures(), line, terminal);
        }
        return ExitCode.DONE;
    }

    private static void print(
            Collection<TaskSignature> tasks, CommandLine line, Terminal terminal) {
        if (line.hasOption(SCHEMA)) {
            terminal.out().println(JsonText.writeIndented(ScriptSchema.of(tasks)));
        } else if (line.hasOption(MARKDOWN)) {
            terminal.out().print(TaskPage.markdown(tasks));
        } else if (line.hasOption(Commands.JSON)) {
            terminal.out().println(JsonText.writeIndented(Map.of("tasks", TaskPage.tree(tasks))));
        } else {
            List<List<String>> rows = new ArrayList<>();
            tasks.forEach(task -> rows.add(List.of(task.name(), task.summary())));
            terminal.out().print(Columns.left(rows));
        }
    }
}
