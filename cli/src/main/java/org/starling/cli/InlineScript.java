package org.starling.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.starling.compute.inputs.OtherInputs;
import org.starling.compute.inputs.WebHosts;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.Script;
import org.starling.compute.script.ScriptFiles;
import org.starling.compute.script.TaskCatalog;

/** Scripts of one task that commands make of their options. */
final class InlineScript {
    private InlineScript() {}

    /**
     * A checked script.
     *
     * @param name the command
     * @param task the task with its arguments, as in a script
     * @param named files that the user named on the command line: they may lie anywhere
     */
    static Script of(String name, Map<String, Object> task, Terminal terminal, Path... named) {
        return of(name, task, terminal, List.of(), List.of(named));
    }

    /**
     * The same for a task that reads what may be no file.
     *
     * @param hosts web servers that it may read from
     */
    static Script of(
            String name,
            Map<String, Object> task,
            Terminal terminal,
            List<String> hosts,
            List<Path> named) {
        List<Path> roots = new ArrayList<>(List.of(terminal.workingDirectory()));
        for (Path file : named) {
            Path parent = file.getParent();
            if (parent != null) {
                roots.add(parent);
            }
        }
        ScriptFiles files =
                new ScriptFiles(terminal.workingDirectory(), roots)
                        .with(
                                new OtherInputs(
                                        terminal.in(), new WebHosts(hosts), "--allow-url HOST"));
        String text = JsonText.write(Map.of("name", name, "tasks", List.of(task)));
        return Script.parse(name, text, files, Map.of(), TaskCatalog.onClassPath());
    }
}
