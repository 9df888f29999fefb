package org.starling.cli;

import java.nio.file.Path;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code new}: a project for a job of one's own. */
final class NewCommand extends Command {
    NewCommand() {
        super(
                "new",
                "DIR",
                "Writes a Maven project for a job of your own: a program, a task, a test and a script.");
    }

    @Override
    Options options() {
        return new Options();
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        Path folder = terminal.file(operand(line, "folder")).toAbsolutePath().normalize();
        JobProject project = JobProject.in(folder, Commands.version());
        project.write();
        terminal.tell(
                line.hasOption(Commands.JSON),
                Map.of(
                        "folder", folder.toString(),
                        "name", project.name(),
                        "files", project.files()),
                "wrote %d files to %s%n  next: cd %s && mvn package (its README.md says what it needs)"
                        .formatted(project.files().size(), folder, line.getArgList().getFirst()));
        return ExitCode.DONE;
    }
}
