package org.starling.compute.script;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * A script to run on a cluster, with all it needs: this is what lies in the directory while the job
 * waits, and what every master reads that takes it up.
 *
 * @param label what messages call it: the script's file name
 * @param script its text
 * @param parameters texts by name, instead of the script's defaults
 * @param explain whether the report tells what every program's run took, whatever the script says
 * @param folder that relative names of files start from; absolute
 * @param roots folders that its files must lie under; absolute
 */
public record JobRequest(
        String label,
        String script,
        Map<String, String> parameters,
        boolean explain,
        Path folder,
        List<Path> roots) {
    /** Most bytes of a request as JSON. */
    public static final int MAX_BYTES = 1 << 20;

    private static final int MAX_ROOTS = 16;
    private static final List<String> MEMBERS =
            List.of("label", "script", "parameters", "explain", "folder", "roots");

    /** Copies the collections. */
    public JobRequest {
        parameters = Map.copyOf(parameters);
        roots = List.copyOf(roots);
        if (roots.size() > MAX_ROOTS) {
            throw new InvalidInputException("roots: more than " + MAX_ROOTS + " folders");
        }
        requireAbsolute("folder", folder);
        for (Path path : roots) {
            requireAbsolute("roots", path);
        }
    }

    /**
     * A script's file with its parameters. Relative names in it start from the file's folder, and
     * it may use files there and in the working directory.
     *
     * @throws InvalidInputException if the file can't be read
     */
    public static JobRequest read(
            Path file, Path workingDirectory, Map<String, String> parameters) {
        String text = Script.text(file);
        Path parent = file.toAbsolutePath().normalize().getParent();
        Path folder = parent == null ? workingDirectory : parent;
        return new JobRequest(
                String.valueOf(file.getFileName()),
                text,
                parameters,
                false,
                folder,
                List.of(workingDirectory, folder));
    }

    /** The same request, with what its programs' runs took in the report. */
    public JobRequest withExplanation() {
        return new JobRequest(label, script, parameters, true, folder, roots);
    }

    /**
     * Reads and checks the script.
     *
     * @throws InvalidScriptException if anything is wrong with it
     * @throws InvalidInputException if a folder does not exist
     */
    public Script parse(TaskCatalog tasks) {
        ScriptFiles files = new ScriptFiles(folder, roots);
        Script parsed = Script.parse(label, script, files, parameters, tasks);
        return explain ? parsed.withExplanation() : parsed;
    }

    /** As JSON. */
    public String json() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("label", label);
        tree.put("script", script);
        tree.put("parameters", parameters);
        if (explain) {
            tree.put("explain", true);
        }
        tree.put("folder", folder.toString());
        tree.put("roots", roots.stream().map(Path::toString).toList());
        return JsonText.write(tree);
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
        for (Object member : members.keySet()) {
            if (!MEMBERS.contains(member.toString())) {
                throw new InvalidInputException(
                        member + ": unknown name; a request has " + String.join(", ", MEMBERS));
            }
        }
        Path folder = path("folder", members.get("folder"));
        List<Path> roots = new ArrayList<>();
        if (members.get("roots") instanceof List<?> named) {
            named.forEach(root -> roots.add(path("roots", root)));
        } else if (members.containsKey("roots")) {
            throw new InvalidInputException("roots: expected a list of folders");
        } else {
            roots.add(folder);
        }
        Object label = members.containsKey("label") ? members.get("label") : "script";
        return new JobRequest(
                text("label", label),
                text("script", members.get("script")),
                parameters(members.get("parameters")),
                flag("explain", members.get("explain")),
                folder,
                roots);
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

    private static Path path(String name, @Nullable Object value) {
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

    private static void requireAbsolute(String name, Path path) {
        if (!path.isAbsolute()) {
            throw new InvalidInputException(name + ": expected an absolute path, found " + path);
        }
    }
}
