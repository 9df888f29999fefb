package org.starling.loaders;

import java.util.List;
import org.starling.graph.Parameters;

/** Parameters that sources of files have in common. */
final class SourceOptions {
    /** Whether the graph that is made has directions: an undirected edge then runs both ways. */
    static final String DIRECTED = "directed";

    /** Which column or attribute is the weight of edges; {@link #NONE} if there shall be none. */
    static final String WEIGHT = "weight";

    /** What says that something is to be left out. */
    static final String NONE = "none";

    private SourceOptions() {}

    /** The names that a list, or one text, gives. */
    static List<String> names(Parameters parameters, String list, String text) {
        return parameters.asMap().get(list) instanceof List<?>
                ? parameters.texts(list)
                : List.of(parameters.text(text));
    }

    /** What one of several files is opened with. */
    static Parameters file(Parameters parameters, String name) {
        Parameters file = Parameters.of("file", name);
        return parameters.has("partBytes")
                ? file.with("partBytes", parameters.integer("partBytes"))
                : file;
    }

    /** Whether ids are texts. */
    static boolean hasTextIds(Parameters parameters) {
        return parameters.text("ids", "number").equals("text");
    }

    /** Whether weights are to be left out, though a file has them. */
    static boolean leavesOutWeights(Parameters parameters) {
        return parameters.text(WEIGHT, "").equals(NONE);
    }
}
