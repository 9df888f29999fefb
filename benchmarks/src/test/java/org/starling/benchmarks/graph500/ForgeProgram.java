package org.starling.benchmarks.graph500;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Declaration;
import org.starling.graph.FloatState;
import org.starling.graph.IntState;
import org.starling.graph.LongState;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/** Changes parent and level, or parent and distance, of one vertex in what a search has left. */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
final class ForgeProgram implements ShardProgram {

    static final String NAME = "test.forge";
    static final String VERTEX = "vertex";

    private final long vertex;
    private final long forgedParent;
    private final int forgedLevel;
    private final float forgedDistance;
    private LongState parent;
    private @Nullable IntState level;
    private @Nullable FloatState distance;

    private ForgeProgram(long vertex, long forgedParent, int forgedLevel, float forgedDistance) {
        this.vertex = vertex;
        this.forgedParent = forgedParent;
        this.forgedLevel = forgedLevel;
        this.forgedDistance = forgedDistance;
    }

    @Override
    public void declare(Declaration graph) {
        parent = graph.existingVertexState(Kernels.PARENT);
        if (Float.isNaN(forgedDistance)) {
            level = graph.existingIntState(Kernels.LEVEL);
        } else {
            distance = graph.existingFloatState(Kernels.DISTANCE);
        }
    }

    @Override
    public void compute(Shard shard) {
        if (vertex >= shard.first() && vertex < shard.end()) {
            parent.set(vertex, forgedParent);
            if (level != null) {
                level.set(vertex, forgedLevel);
            }
            if (distance != null) {
                distance.set(vertex, forgedDistance);
            }
        }
    }

    /** Makes the program. */
    public static final class Provider implements ProgramProvider {

        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of(
                    NAME,
                    parameters ->
                            new ForgeProgram(
                                    parameters.integer(VERTEX),
                                    parameters.integer(Kernels.PARENT),
                                    (int) parameters.integer(Kernels.LEVEL, 0),
                                    (float) parameters.number(Kernels.DISTANCE, Double.NaN)));
        }
    }
}
