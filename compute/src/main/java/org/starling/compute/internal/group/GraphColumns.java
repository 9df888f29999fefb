package org.starling.compute.internal.group;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.starling.compute.internal.filter.Filter;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.protocol.QueryMessage.AskColumns;
import org.starling.compute.internal.protocol.QueryMessage.ColumnNames;
import org.starling.compute.internal.query.KeptQueries;
import org.starling.compute.internal.run.ColumnJoin;
import org.starling.compute.internal.run.MasterRun;
import org.starling.compute.script.NearestName;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Property;

/**
 * Columns that a job's graphs have, as far as what names them is checked: conditions of
 * projections, and programs that want columns of other graphs. Confined to the job's thread.
 */
final class GraphColumns {
    private final Group group;
    private final long term;

    /** The session's. */
    private final Map<String, KnownGraph> graphs;

    /** A program wants a column of a graph that slaves have not attached. */
    static final class UnattachedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String graph;

        private UnattachedException(String graph) {
            super("graph \"" + graph + "\" is to be attached first");
            this.graph = graph;
        }

        String graph() {
            return graph;
        }
    }

    GraphColumns(Group group, long term, Map<String, KnownGraph> graphs) {
        this.group = group;
        this.term = term;
        this.graphs = graphs;
    }

    /** Columns of a graph's vertices with their types; slaves have attached it. */
    SortedMap<String, StateType> of(String graph) {
        ColumnNames columns = group.one(group.slaves()[0], new AskColumns(term, graph));
        SortedMap<String, StateType> types = new TreeMap<>();
        for (int i = 0; i < columns.names().size(); i++) {
            types.put(columns.names().get(i), columns.types().get(i));
        }
        return types;
    }

    /**
     * Finds the columns that a program wants of other graphs.
     *
     * @param textIds whether the graph that gets them has texts as ids
     * @throws UnattachedException if slaves have to attach one of these first
     * @throws InvalidInputException if there is no such column, or ids can't be compared
     */
    void join(MasterRun master, String program, boolean textIds) {
        for (ColumnJoin join : master.joins()) {
            if (!graphs.containsKey(join.graph())) {
                throw new UnattachedException(join.graph());
            }
            requireSameIds(textIds, join.graph());
            SortedMap<String, StateType> columns = of(join.graph());
            StateType type = columns.get(join.column());
            if (type == null) {
                throw new InvalidInputException(
                        KeptQueries.noColumn(join.graph(), join.column(), columns.keySet()));
            }
            if (textIds && type.element().namesVertices()) {
                throw new InvalidInputException(
                        "column \"%s\" of graph \"%s\" names vertices, whose ids are texts, which no state can have; join columns of numbers or booleans"
                                .formatted(join.column(), join.graph()));
            }
            master.joins(program, join, type);
        }
    }

    private void requireSameIds(boolean textIds, String from) {
        if (textIds != Objects.requireNonNull(graphs.get(from)).descriptor().textIds()) {
            throw new InvalidInputException(
                    "the ids of graph \"%s\" are %s, and those of the graph that is to get its column are %s; load both with the same kind of ids"
                            .formatted(
                                    from,
                                    textIds ? "numbers" : "texts",
                                    textIds ? "texts" : "numbers"));
        }
    }

    /**
     * Checks a condition of a projection.
     *
     * @param which argument that it is
     * @throws InvalidInputException if it has a mistake or names what is not there
     */
    static void check(String which, String filter, List<Property> columns) {
        try {
            Filter.parse(filter).over(columns, NearestName::hint);
        } catch (InvalidInputException mistake) {
            throw new InvalidInputException(
                    "\"%s\": %s".formatted(which, mistake.getMessage()), mistake);
        }
    }
}
