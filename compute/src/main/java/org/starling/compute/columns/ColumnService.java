package org.starling.compute.columns;

import java.util.List;

/** Opens columns of kept graphs. Blocking; any thread. */
public interface ColumnService {
    /** The most columns that are read at once. */
    int MAX_COLUMNS = 64;

    /**
     * Opens columns of vertices: properties and published ones.
     *
     * @param columns their names
     * @throws org.starling.compute.script.UnknownNameException if there is no such graph or column
     * @throws org.starling.graph.InvalidInputException if they are too many
     */
    ColumnTable open(String graph, List<String> columns);

    /**
     * Opens all columns of vertices.
     *
     * @throws org.starling.compute.script.UnknownNameException if there is no such graph
     * @throws org.starling.graph.InvalidInputException if they are too many
     */
    ColumnTable openAll(String graph);
}
