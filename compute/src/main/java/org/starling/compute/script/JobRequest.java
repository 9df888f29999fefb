package org.starling.compute.script;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * A script to run on a cluster, as whoever submits it asks for it. Which folders its files may lie
 * under is not its to say: the cluster's configuration does, see {@link QueuedJob}.
 *
 * @param label what messages call it: the script's file name
 * @param script its text
 * @param parameters texts by name, instead of the script's defaults
 * @param explain whether the report tells what every program's run took, whatever the script says
 * @param folder that relative names of files start from; absolute
 */
public record JobRequest(
        String label, String script, Map<String, String> parameters, boolean explain, Path folder) {
    /** Most bytes of a request as JSON. */
    public static final int MAX_BYTES = 1 << 20;

    private static final List<String> MEMBERS =
            List.of("label", "script", "parameters", "explain", "folder");

    /** Copies the parameters; the folder without steps up. */
    public JobRequest {
        parameters = Map.copyOf(parameters);
        folder = folder.normalize();
        if (!folder.isAbsolute()) {
            throw new InvalidInputException("folder: expected an absolute path, found " + folder);
        }
    }

    /**
     * A script's file with its parameters. Relative names in it start from the file's folder.
     *
     * @throws InvalidInputException if the file can't be read
     */
    public static JobRequest read(Path file, Map<String, String> parameters) {
        String text = Script.text(file);
        Path folder =
                Objects.requireNonNull(
                        file.toAbsolutePath().normalize().getParent(), "a file has one");
        return new JobRequest(String.valueOf(file.getFileName()), text, parameters, false, folder);
    }

    /** The same request, with what its programs' runs took in the report. */
    public JobRequest withExplanation() {
        return new JobRequest(label, script, parameters, true, folder);
    }

    /**
     * Reads and checks the script.
     *
     * @param roots folders that its files must lie under
     * @throws InvalidScriptException if anything is wrong with it
     * @throws InvalidInputException if a folder does not exist, or its own lies elsewhere
     */
    public Script parse(TaskCatalog tasks, List<Path> roots) {
        ScriptFiles files = ScriptFiles.ofCluster(folder, roots);
        Script parsed = Script.parse(label, script, files, parameters, tasks);
        return explain ? parsed.withExplanation() : parsed;
    }

    /** As JSON. */
    public String json() {
        return JsonText.write(RecordJson.PLAIN.tree(this));
    }

    /**
     * Reads what {@link #json} wrote, or somebody else.
     *
     * @throws InvalidInputException with one sentence if it is no request
     */
    public static JobRequest parse(String json) {
        try {
            if (JsonText.parse(json) instanceof Map<?, ?> members) {
                return of(members);
            }
        } catch (InvalidJsonException wrong) {
            throw new InvalidInputException(
                    "the request is not JSON: " + wrong.getMessage(), wrong);
        }
        throw new InvalidInputException(
                "a request is a JSON object with \"script\" and \"folder\"");
    }

    private static JobRequest of(Map<?, ?> members) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("label", "script");
        all.put("explain", false);
        members.forEach((name, value) -> all.put(name.toString(), value));
        for (String name : all.keySet()) {
            if (!MEMBERS.contains(name)) {
                throw new InvalidInputException(
                        name + ": unknown name; a request has " + String.join(", ", MEMBERS));
            }
        }
        try {
            return RecordJson.PLAIN.of(JobRequest.class, all);
        } catch (IllegalArgumentException wrong) {
            throw new InvalidInputException(String.valueOf(wrong.getMessage()), wrong);
        }
    }
}
