package org.starling.compute.script;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * Texts of the scripts that a script includes: read from files where it is written, so that they
 * can travel with it; taken from what travelled with it where it runs. Confined to the thread that
 * checks.
 */
final class Includes {
    /** Texts by absolute path; those that were read are added. */
    private final Map<Path, String> texts = new TreeMap<>();

    /** Folder of the script that travels with them; null if they are read from files. */
    private final @Nullable Path folder;

    private Includes(@Nullable Path folder) {
        this.folder = folder;
    }

    /** Texts of files. */
    static Includes ofFiles() {
        return new Includes(null);
    }

    /**
     * Texts that came with a script.
     *
     * @param folder the script's
     * @param texts by file name, relative to the folder
     */
    static Includes travelling(Path folder, Map<String, String> texts) {
        Includes includes = new Includes(folder);
        texts.forEach((name, text) -> includes.texts.put(folder.resolve(name).normalize(), text));
        return includes;
    }

    /** All texts that were asked for, by file name relative to a folder. */
    Map<String, String> relativeTo(Path base) {
        Map<String, String> relative = new TreeMap<>();
        texts.forEach((file, text) -> relative.put(base.relativize(file).toString(), text));
        return relative;
    }

    /**
     * A text.
     *
     * @param name as the including script says it
     * @param file the same, as a normal path
     * @param files of the including script
     * @throws InvalidInputException if there is none, or it lies where the script may not read
     */
    String text(String name, Path file, ScriptFiles files) {
        String known = texts.get(file);
        if (known != null) {
            return known;
        }
        if (folder != null) {
            throw new InvalidInputException(
                    "\"%s\" did not come with the script; a request names what it includes under \"includes\""
                            .formatted(name));
        }
        if (texts.size() == ScriptBounds.MAX_INCLUDED_FILES) {
            throw new InvalidInputException(
                    "more than %d files are included".formatted(ScriptBounds.MAX_INCLUDED_FILES));
        }
        String text = Script.text(files.input(name));
        texts.put(file, text);
        return text;
    }
}
