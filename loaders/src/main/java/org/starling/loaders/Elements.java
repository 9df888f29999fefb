package org.starling.loaders;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes the vertices and edges of a file, one by one, with their attributes as texts. */
interface Elements {
    /**
     * A vertex.
     *
     * @param id as the file has it
     * @param attributes by name; may be used again afterwards
     */
    void node(String id, Map<String, String> attributes) throws IOException;

    /**
     * An edge.
     *
     * @param directed what the edge itself says; null if nothing
     * @param attributes by name; may be used again afterwards
     */
    void edge(
            String source,
            String target,
            @Nullable Boolean directed,
            Map<String, String> attributes)
            throws IOException;
}
