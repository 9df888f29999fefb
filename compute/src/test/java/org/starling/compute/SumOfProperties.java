package org.starling.compute;

import org.starling.compute.ValuedEdges.Person;
import org.starling.compute.ValuedEdges.Tie;
import org.starling.graph.BooleanState;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleState;
import org.starling.graph.EdgeCursor;
import org.starling.graph.EdgeStringProperty;
import org.starling.graph.EdgeValues;
import org.starling.graph.FloatVectorState;
import org.starling.graph.IntState;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.StringProperty;
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
    private StringProperty name;
    private EdgeStringProperty kind;
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
        name = graph.stringProperty("name");
        kind = graph.edgeStringProperty("kind");
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
                        score.get(v),
                        name.get(v));
        if (name.is(v, "Ada") != name.get(v).equals("Ada")) {
            throw new IllegalStateException("a name that is another one");
        }
        for (EdgeCursor edge = v.edges(); edge.next(); ) {
            if (weight.asDouble(edge) != edge.weight()) {
                throw new IllegalStateException("a weight that is another one");
            }
            if (kind.is(edge, "knows") != kind.get(edge).equals("knows")
                    || kind.is(edge, "nothing")) {
                throw new IllegalStateException("a kind that is another one");
            }
            long part =
                    ofEdge(
                            edge.weight(),
                            since.asLong(edge),
                            close.isTrue(edge),
                            trust.asDouble(edge, 0),
                            trust.asDouble(edge, 1),
                            kind.get(edge));
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
    static long ofVertex(Person p) {
        return ofVertex(p.age(), p.alive(), p.worth(), p.x(), p.y(), p.score(), p.name());
    }

    /** What an edge adds. */
    static long ofEdge(Tie tie) {
        return ofEdge(tie.weight(), tie.since(), tie.close(), tie.a(), tie.b(), tie.kind());
    }

    private static long ofVertex(
            int age, boolean alive, long worth, float x, float y, double score, String name) {
        return name.hashCode() * 41L
                + age * 31L
                + (alive ? 1_000_003 : 7)
                + worth
                + Float.floatToIntBits(x) * 3L
                + Float.floatToIntBits(y) * 5L
                + Double.doubleToLongBits(score) * 17;
    }

    private static long ofEdge(
            float weight, long since, boolean close, double a, double b, String kind) {
        return kind.hashCode() * 43L
                + (Double.doubleToLongBits(a) * 13 + Double.doubleToLongBits(b) * 29)
                        * (close ? 3 : 1)
                + since * 101
                + ((long) weight) * 10_007;
    }
}
