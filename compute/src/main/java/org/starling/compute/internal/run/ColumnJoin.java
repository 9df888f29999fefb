package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StateType;
import org.starling.graph.InvalidInputException;

/**
 * A column of another graph that a program wants of its own vertices, by their ids.
 *
 * @param state the state that gets the values
 * @param graph the other graph
 * @param column its column
 * @param otherwise for vertices that it does not have
 */
public record ColumnJoin(String state, String graph, String column, Number otherwise) {
    /**
     * Type of the state.
     *
     * @param of type of the column
     * @throws InvalidInputException if no state can have its values
     */
    public StateType stateType(StateType of) {
        return switch (of.element()) {
            case STRING ->
                    throw new InvalidInputException(
                            "column \"%s\" of graph \"%s\" is string, which no state can have; join columns of numbers or booleans"
                                    .formatted(column, graph));
            case VERTEX, ID -> new StateType(ColumnType.LONG, of.length());
            case BOOLEAN, INT, LONG, FLOAT, DOUBLE -> of;
        };
    }

    /**
     * The bits of what vertices get that the other graph does not have.
     *
     * @param type of the state
     * @throws InvalidInputException if the type has no such value
     */
    public long otherwiseBits(StateType type) {
        double number = otherwise.doubleValue();
        long whole = otherwise.longValue();
        boolean isWhole = number == Math.rint(number) && (double) whole == number;
        boolean fits =
                switch (type.element()) {
                    case BOOLEAN -> number == 0 || number == 1;
                    case INT -> isWhole && whole == (int) whole;
                    case LONG, VERTEX, ID -> isWhole;
                    case FLOAT, DOUBLE -> true;
                    case STRING -> false;
                };
        if (!fits) {
            throw new InvalidInputException(
                    "column \"%s\" of graph \"%s\" is %s, and %s, for vertices that it does not have, is no such value"
                            .formatted(column, graph, type, otherwise));
        }
        return switch (type.element()) {
            case FLOAT -> Float.floatToRawIntBits((float) number);
            case DOUBLE -> Double.doubleToRawLongBits(number);
            case BOOLEAN, INT, LONG, VERTEX, ID, STRING -> whole;
        };
    }
}
