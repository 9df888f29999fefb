package org.starling.compute.cluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonText;

/**
 * The front doors of a superpeer. Immutable.
 *
 * @param port where they listen
 * @param token file of the token that they ask for
 * @param roots folders that files of submitted scripts must lie under
 */
public record RestSettings(int port, Path token, List<Path> roots) {
    /** Copies the list. */
    public RestSettings {
        roots = List.copyOf(roots);
    }

    /** As one text. */
    String text() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("port", port);
        tree.put("token", token.toString());
        tree.put("roots", roots.stream().map(Path::toString).toList());
        return JsonText.write(tree);
    }

    /**
     * Reads what {@link #text} gives.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static RestSettings of(String text) {
        if (JsonText.parse(text) instanceof Map<?, ?> tree
                && tree.get("port") instanceof Long port
                && tree.get("token") instanceof String token
                && tree.get("roots") instanceof List<?> roots) {
            return new RestSettings(
                    port.intValue(),
                    Path.of(token),
                    roots.stream().map(root -> Path.of(String.valueOf(root))).toList());
        }
        throw new IllegalArgumentException("expected a port, a token and roots, found " + text);
    }
}
