package org.starling.algorithms;

import java.util.List;
import java.util.Map;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleState;
import org.starling.graph.FloatState;
import org.starling.graph.IntState;
import org.starling.graph.LongState;
import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/** Writes columns for checkers to refuse: values come from parameters, in the order of ids. */
public final class ForgedColumn implements ProgramProvider {
    static final String NAME = "test.forge";

    private static final String STATE = "state";
    private static final String VALUES = "values";
    private static final String TYPE = "type";
    private static final String PLACES = "places";

    static Parameters ints(String state, List<Long> values) {
        return parameters("int", state, values);
    }

    static Parameters longs(String state, List<Long> values) {
        return parameters("long", state, values);
    }

    /** Ordinals. */
    static Parameters vertices(String state, List<Long> values) {
        return parameters("vertex", state, values);
    }

    /** Any bits, NaN and infinities included. */
    static Parameters floats(String state, List<Float> values) {
        return parameters(
                "float",
                state,
                values.stream().map(value -> (long) Float.floatToRawIntBits(value)).toList());
    }

    /** Any bits, NaN and infinities included. */
    static Parameters doubles(String state, List<Double> values) {
        return parameters(
                "double", state, values.stream().map(Double::doubleToRawLongBits).toList());
    }

    /**
     * The same values for a graph.
     *
     * @param places of each ordinal, the place of its id among all ids
     */
    static Parameters placed(Parameters column, List<Integer> places) {
        return column.with(PLACES, places.stream().map(Integer::longValue).toList());
    }

    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(NAME, ForgedColumn::create);
    }

    private static Program create(Parameters parameters) {
        List<?> byId = list(parameters, VALUES);
        List<?> values =
                list(parameters, PLACES).stream()
                        .map(place -> byId.get(((Long) place).intValue()))
                        .toList();
        String state = parameters.text(STATE);
        return switch (parameters.text(TYPE)) {
            case "int" -> new Ints(state, values);
            case "long" -> new Longs(state, values, false);
            case "vertex" -> new Longs(state, values, true);
            case "float" -> new Floats(state, values);
            default -> new Doubles(state, values);
        };
    }

    private static List<?> list(Parameters parameters, String name) {
        return (List<?>) parameters.asMap().getOrDefault(name, List.of());
    }

    private static Parameters parameters(String type, String state, List<?> values) {
        return Parameters.of(TYPE, type).with(STATE, state).with(VALUES, values);
    }

    private static final class Ints implements ShardProgram {
        private final String state;
        private final List<?> values;
        private IntState column;

        Ints(String state, List<?> values) {
            this.state = state;
            this.values = values;
        }

        @Override
        public void declare(Declaration graph) {
            column = graph.intState(state, 0);
        }

        @Override
        public void compute(Shard shard) {
            for (long v = shard.first(); v < shard.end(); v++) {
                column.set(v, ((Long) values.get((int) v)).intValue());
            }
        }
    }

    private static final class Longs implements ShardProgram {
        private final String state;
        private final List<?> values;
        private final boolean vertices;
        private LongState column;

        Longs(String state, List<?> values, boolean vertices) {
            this.state = state;
            this.values = values;
            this.vertices = vertices;
        }

        @Override
        public void declare(Declaration graph) {
            column = vertices ? graph.vertexState(state) : graph.longState(state, 0);
        }

        @Override
        public void compute(Shard shard) {
            for (long v = shard.first(); v < shard.end(); v++) {
                column.set(v, (Long) values.get((int) v));
            }
        }
    }

    private static final class Floats implements ShardProgram {
        private final String state;
        private final List<?> values;
        private FloatState column;

        Floats(String state, List<?> values) {
            this.state = state;
            this.values = values;
        }

        @Override
        public void declare(Declaration graph) {
            column = graph.floatState(state, 0);
        }

        @Override
        public void compute(Shard shard) {
            for (long v = shard.first(); v < shard.end(); v++) {
                column.set(v, Float.intBitsToFloat(((Long) values.get((int) v)).intValue()));
            }
        }
    }

    private static final class Doubles implements ShardProgram {
        private final String state;
        private final List<?> values;
        private DoubleState column;

        Doubles(String state, List<?> values) {
            this.state = state;
            this.values = values;
        }

        @Override
        public void declare(Declaration graph) {
            column = graph.doubleState(state, 0);
        }

        @Override
        public void compute(Shard shard) {
            for (long v = shard.first(); v < shard.end(); v++) {
                column.set(v, Double.longBitsToDouble((Long) values.get((int) v)));
            }
        }
    }
}
