package org.starling.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.ScriptSchema;
import org.starling.compute.script.TaskCatalog;

/** {@code tasks}: what scripts can do. */
final class TasksCommand extends Command {
    private static final String MARKDOWN = "markdown";
    private static final String SCHEMA = "schema";
    private static final int INDENT = 2;
    private static final int GAP = 2;

    TasksCommand() {
        super("tasks", "", "Lists the tasks that scripts can name.");
    }

    @Override
    Options options() {
        return new Options()
                .addOption(
                        flag(MARKDOWN, "print the page docs/TASKS.md, with arguments and results"))
                .addOption(
                        flag(
                                SCHEMA,
                                "print a JSON Schema of scripts, from which editors complete names of tasks and arguments"));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        requireNoOperands(line);
        TaskCatalog tasks = TaskCatalog.onClassPath();
        if (line.hasOption(MARKDOWN) && line.hasOption(SCHEMA)) {
            throw new UsageException("--markdown and --schema exclude each other; give one");
        }
        if (line.hasOption(SCHEMA)) {
            terminal.out().println(JsonText.writeIndented(ScriptSchema.of(tasks.signatures())));
        } else if (line.hasOption(MARKDOWN)) {
            terminal.out().print(TaskPage.markdown(tasks.signatures()));
        } else if (line.hasOption(Commands.JSON)) {
            terminal.out()
                    .println(
                            JsonText.writeIndented(
                                    Map.of("tasks", TaskPage.tree(tasks.signatures()))));
        } else {
            List<List<String>> rows = new ArrayList<>();
            tasks.signatures().forEach(task -> rows.add(List.of(task.name(), task.summary())));
            terminal.out().print(Columns.left(rows, INDENT, GAP));
        }
        return ExitCode.DONE;
    }
}
