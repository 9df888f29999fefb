package org.starling.compute.script;

import java.nio.file.InvalidPathException;
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

    /** Copies the parameters. */
    public JobRequest {
        parameters = Map.copyOf(parameters);
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
        return JsonText.write(tree());
    }

    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("label", label);
        tree.put("script", script);
        tree.put("parameters", parameters);
        if (explain) {
            tree.put("explain", true);
        }
        tree.put("folder", folder.toString());
        return tree;
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

    static JobRequest of(Map<?, ?> members) {
        for (Object member : members.keySet()) {
            if (!MEMBERS.contains(member.toString())) {
                throw new InvalidInputException(
                        member + ": unknown name; a request has " + String.join(", ", MEMBERS));
            }
        }
        Object label = members.containsKey("label") ? members.get("label") : "script";
        return new JobRequest(
                text("label", label),
                text("script", members.get("script")),
                parameters(members.get("parameters")),
                flag("explain", members.get("explain")),
                path("folder", members.get("folder")));
    }

    private static Map<String, String> parameters(@Nullable Object tree) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (tree instanceof Map<?, ?> members) {
            members.forEach((name, value) ->
                    parameters.put(name.toString(), text("parameters." + name, value)));
        } else if (tree != null) {
            throw new InvalidInputException("parameters: expected an object of texts");
        }
        return parameters;
    }

    private static boolean flag(String name, @Nullable Object value) {
        if (value == null || value instanceof Boolean) {
            return Boolean.TRUE.equals(value);
        }
        throw new InvalidInputException(name + ": expected true or false");
    }

    static Path path(String name, @Nullable Object value) {
        try {
            return Path.of(text(name, value)).normalize();
        } catch (InvalidPathException wrong) {
            throw new InvalidInputException(name + ": no folder can have that name", wrong);
        }
    }

    private static String text(String name, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new InvalidInputException(name + ": expected a text");
    }
}
