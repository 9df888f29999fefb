package org.starling.compute;

import org.starling.graph.Declaration;
import org.starling.graph.DoubleVectorState;
import org.starling.graph.FloatVectorState;
import org.starling.graph.IntVectorState;
import org.starling.graph.LongVectorState;
import org.starling.graph.Master;
import org.starling.graph.RecordChannel;
import org.starling.graph.RecordCursor;
import org.starling.graph.RecordLayout;
import org.starling.graph.RecordLayout.DoubleField;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Vectors of all types; those of doubles become more like those of neighbours, step by step. */
public final class Averages implements VertexProgram {
    /** State of doubles. */
    public static final String PLACE = "place";

    /** State of longs: id, and number of messages read. */
    public static final String NUMBERS = "numbers";

    /** State of ints: superstep, and degree. */
    public static final String STEPS = "steps";

    /** State of floats: halves of the superstep. */
    public static final String HALVES = "halves";

    /** Length of vectors of doubles. */
    public static final int LENGTH = 3;

    /** The last superstep. */
    public static final int LAST = 4;

    private DoubleVectorState place;
    private LongVectorState numbers;
    private IntVectorState steps;
    private FloatVectorState halves;
    private RecordChannel places;
    private final DoubleField[] fields = new DoubleField[LENGTH];

    @Override
    public void declare(Declaration graph) {
        place = graph.doubleVectorState(PLACE, LENGTH);
        numbers = graph.longVectorState(NUMBERS, 2);
        steps = graph.intVectorState(STEPS, 2);
        halves = graph.floatVectorState(HALVES, 5);
        RecordLayout layout = new RecordLayout();
        for (int i = 0; i < LENGTH; i++) {
            fields[i] = layout.doubleField("place" + i);
        }
        places = graph.recordChannel("places", layout);
        graph.alwaysActive();
    }

    @Override
    public void start(Vertex v) {
        for (int i = 0; i < place.length(); i++) {
            place.set(v, i, v.id() * (i + 0.5));
        }
        numbers.set(v, 0, v.id());
        steps.set(v, 1, v.degree());
        tell(v);
    }

    @Override
    public void compute(Vertex v) {
        RecordCursor read = places.received(v);
        numbers.set(v, 1, numbers.get(v, 1) + read.count());
        while (read.next()) {
            for (int i = 0; i < LENGTH; i++) {
                place.set(v, i, next(place.get(v, i), read.get(fields[i])));
            }
        }
        steps.set(v, 0, v.superstep());
        halves.set(v, 4, v.superstep() / 2f);
        tell(v);
    }

    /** A sum that depends on its order. */
    static double next(double own, double other) {
        return 0.7 * own + 0.2 * other;
    }

    private void tell(Vertex v) {
        var message = places.message(v);
        for (int i = 0; i < LENGTH; i++) {
            message.set(fields[i], place.get(v, i));
        }
        message.sendToNeighbours();
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() == LAST) {
            master.halt();
        }
    }
}
