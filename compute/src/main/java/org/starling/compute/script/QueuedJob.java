package org.starling.compute.script;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * A job as it lies in the directory while it waits, and as every master reads it that takes it up:
 * what was asked for, and what the cluster's configuration allowed when it was asked for.
 *
 * @param request what was asked for
 * @param roots folders that its files must lie under; absolute
 */
public record QueuedJob(JobRequest request, List<Path> roots) {
    /** Copies the list. */
    public QueuedJob {
        roots = List.copyOf(roots);
    }

    /**
     * Reads and checks the script.
     *
     * @throws InvalidScriptException if anything is wrong with it
     * @throws InvalidInputException if a folder does not exist, or the script's lies elsewhere
     */
    public Script script(TaskCatalog tasks) {
        return request.parse(tasks, roots);
    }

    /** As JSON. */
    public String json() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("request", request.tree());
        tree.put("roots", roots.stream().map(Path::toString).toList());
        return JsonText.write(tree);
    }

    /**
     * Reads what {@link #json} wrote.
     *
     * @throws InvalidInputException if it is something else
     */
    public static QueuedJob parse(String json) {
        Object tree;
        try {
            tree = JsonText.parse(json);
        } catch (InvalidJsonException wrong) {
            throw new InvalidInputException("the job is not JSON: " + wrong.getMessage(), wrong);
        }
        if (tree instanceof Map<?, ?> members
                && members.get("request") instanceof Map<?, ?> request
                && members.get("roots") instanceof List<?> roots) {
            return new QueuedJob(
                    JobRequest.of(request),
                    roots.stream().map(root -> JobRequest.path("roots", root)).toList());
        }
        throw new InvalidInputException("what the directory holds is no job of this version");
    }
}
