package org.starling.algorithms;

import org.starling.graph.Declaration;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.ProgramFactory;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Brings a column of another graph over, as a state: what {@link Declaration#join} does. */
public final class JoinColumn {
    static final String NAME = "algorithms.join";
    private static final String FROM = "from";
    private static final String COLUMN = "column";
    private static final String STATE = "state";
    private static final String OTHERWISE = "otherwise";

    private JoinColumn() {}

    /**
     * Joins a column by ids.
     *
     * @param graph gets the state
     * @param from has the column
     * @param state name of the state
     * @param otherwise for vertices that {@code from} does not have
     */
    public static void run(
            GraphSession session,
            String graph,
            String from,
            String column,
            String state,
            double otherwise) {
        session.run(
                graph,
                NAME,
                Parameters.of(FROM, from)
                        .with(COLUMN, column)
                        .with(STATE, state)
                        .with(OTHERWISE, otherwise));
    }

    static ProgramFactory factory() {
        return parameters ->
                new Program(
                        parameters.text(STATE),
                        parameters.text(FROM),
                        parameters.text(COLUMN),
                        parameters.number(OTHERWISE));
    }

    /** All is done before it starts. */
    private record Program(String state, String from, String column, double otherwise)
            implements VertexProgram {
        @Override
        public void declare(Declaration graph) {
            graph.join(state, from, column, otherwise);
        }

        @Override
        public void start(Vertex v) {}

        @Override
        public void compute(Vertex v) {}
    }
}
