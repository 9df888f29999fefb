package org.starling.compute;

import org.starling.graph.BooleanState;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleState;
import org.starling.graph.EdgeCursor;
import org.starling.graph.EdgeValues;
import org.starling.graph.FloatVectorState;
import org.starling.graph.IntState;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Reads every property of {@link ValuedEdges} and makes one number of them, twice over. */
public final class SumOfProperties implements VertexProgram {
    /** Of what a vertex and its edges have. */
    public static final String SUM = "sum";

    /** Of what came along edges. */
    public static final String HEARD = "heard";

    private IntState age;
    private BooleanState alive;
    private LongState worth;
    private FloatVectorState place;
    private DoubleState score;
    private EdgeValues since;
    private EdgeValues close;
    private EdgeValues trust;
    private EdgeValues weight;
    private LongState sum;
    private LongState heard;
    private LongChannel told;

    @Override
    public void declare(Declaration graph) {
        age = graph.existingIntState("age");
        alive = graph.existingBooleanState("alive");
        worth = graph.existingLongState("worth");
        place = graph.existingFloatVectorState("place", 2);
        score = graph.existingDoubleState("score");
        since = graph.edgeValues("since");
        close = graph.edgeValues("close");
        trust = graph.edgeValues("trust");
        weight = graph.edgeValues("weight");
        sum = graph.longState(SUM, 0);
        heard = graph.longState(HEARD, 0);
        told = graph.longChannel("told", LongCombiner.SUM);
    }

    @Override
    public void start(Vertex v) {
        long total =
                ofVertex(
                        age.get(v),
                        alive.get(v),
                        worth.get(v),
                        place.get(v, 0),
                        place.get(v, 1),
                        score.get(v));
        for (EdgeCursor edge = v.edges(); edge.next(); ) {
            if (weight.asDouble(edge) != edge.weight()) {
                throw new IllegalStateException("a weight that is another one");
            }
            long part =
                    ofEdge(
                            edge.weight(),
                            since.asLong(edge),
                            close.isTrue(edge),
                            trust.asDouble(edge, 0),
                            trust.asDouble(edge, 1));
            total += part;
            told.send(edge.target(), part);
        }
        sum.set(v, total);
    }

    @Override
    public void compute(Vertex v) {
        heard.set(v, told.received(v));
    }

    /** What a vertex adds. */
    static long ofVertex(int age, boolean alive, long worth, float x, float y, double score) {
        return age * 31L
                + (alive ? 1_000_003 : 7)
                + worth
                + Float.floatToIntBits(x) * 3L
                + Float.floatToIntBits(y) * 5L
                + Double.doubleToLongBits(score) * 17;
    }

    /** What an edge adds. */
    static long ofEdge(float weight, long since, boolean close, double a, double b) {
        return (Double.doubleToLongBits(a) * 13 + Double.doubleToLongBits(b) * 29) * (close ? 3 : 1)
                + since * 101
                + ((long) weight) * 10_007;
    }
}
