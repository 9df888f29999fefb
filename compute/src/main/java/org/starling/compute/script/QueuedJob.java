package org.starling.compute.script;

import java.nio.file.Path;
import java.util.List;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.inputs.WebHosts;
import org.starling.graph.InvalidInputException;

/**
 * A job as it lies in the directory while it waits, and as every master reads it that takes it up:
 * what was asked for, and what the cluster's configuration allowed when it was asked for.
 *
 * @param request what was asked for
 * @param roots folders that its files must lie under; absolute
 * @param hosts web servers that it may read from, as {@link WebHosts} has them
 */
public record QueuedJob(JobRequest request, List<Path> roots, List<String> hosts) {
    /** Copies the lists. */
    public QueuedJob {
        roots = List.copyOf(roots);
        hosts = List.copyOf(hosts);
    }

    /**
     * Reads and checks the script.
     *
     * @param brought files that were sent along, perhaps to other hosts
     * @param existing graphs that are there before its first task
     * @throws InvalidScriptException if anything is wrong with it
     * @throws InvalidInputException if a folder does not exist, or the script's lies elsewhere
     */
    public Script script(TaskCatalog tasks, BroughtFiles brought, ExistingGraphs existing) {
        return script(tasks, brought, existing, ScriptFiles.NOWHERE);
    }

    /**
     * The same for a script that is to run.
     *
     * @param results folder for what it writes, if that is to be fetched
     */
    public Script script(
            TaskCatalog tasks, BroughtFiles brought, ExistingGraphs existing, Path results) {
        return request.parse(tasks, roots, new WebHosts(hosts), brought, existing, results);
    }

    /** As JSON. */
    public String json() {
        return JsonText.write(JobRequest.JSON.tree(this));
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws InvalidInputException if it is something else
     */
    public static QueuedJob parse(String json) {
        try {
            return JobRequest.JSON.of(QueuedJob.class, JsonText.parse(json));
        } catch (InvalidJsonException | IllegalArgumentException wrong) {
            throw new InvalidInputException(
                    "what the directory holds is no job of this version: " + wrong.getMessage(),
                    wrong);
        }
    }
}
