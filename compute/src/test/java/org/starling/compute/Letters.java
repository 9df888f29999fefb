package org.starling.compute;

import org.starling.graph.Declaration;
import org.starling.graph.LongState;
import org.starling.graph.RecordChannel;
import org.starling.graph.RecordCursor;
import org.starling.graph.RecordLayout;
import org.starling.graph.RecordLayout.DoubleField;
import org.starling.graph.RecordLayout.FloatField;
import org.starling.graph.RecordLayout.IntField;
import org.starling.graph.RecordLayout.LongField;
import org.starling.graph.RecordMessage;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Vertices write to their neighbours, to others and all to the first one, more than once; what they
 * read goes into a hash that depends on its order.
 */
public final class Letters implements VertexProgram {
    /** The state with the hash. */
    public static final String HASH = "hash";

    /** The last superstep in which somebody writes. */
    public static final int LAST = 6;

    private long vertices;
    private LongState hash;
    private RecordChannel letters;
    private RecordChannel notes;
    private IntField step;
    private LongField value;
    private FloatField half;
    private DoubleField quarter;
    private IntField note;

    /** What a message says, for whoever does the same in another way. */
    record Letter(long sender, int step, long value, float half, double quarter) {
        long into(long hash) {
            long next = 31 * hash + sender;
            next = 31 * next + step;
            next = 31 * next + value;
            next = 31 * next + Float.floatToRawIntBits(half);
            return 31 * next + Double.doubleToRawLongBits(quarter);
        }
    }

    @Override
    public void declare(Declaration graph) {
        vertices = graph.graph().vertices();
        hash = graph.longState(HASH, 1);
        RecordLayout letter = new RecordLayout();
        step = letter.intField("step");
        value = letter.longField("value");
        half = letter.floatField("half");
        quarter = letter.doubleField("quarter");
        letters = graph.recordChannel("letters", letter);
        RecordLayout short4 = new RecordLayout();
        note = short4.intField("note");
        notes = graph.recordChannel("notes", short4, vertices);
    }

    @Override
    public void start(Vertex v) {
        write(v);
    }

    @Override
    public void compute(Vertex v) {
        long all = hash.get(v);
        RecordCursor read = letters.received(v);
        all = 31 * all + read.count();
        while (read.next()) {
            all =
                    new Letter(
                                    read.sender(),
                                    read.get(step),
                                    read.get(value),
                                    read.get(half),
                                    read.get(quarter))
                            .into(all);
        }
        for (RecordCursor short4 = notes.received(v); short4.next(); ) {
            all = 31 * all + 7 * short4.sender() + short4.get(note);
        }
        hash.set(v, all);
        if (v.superstep() <= LAST) {
            write(v);
        }
    }

    private void write(Vertex v) {
        if (speaks(v.ordinal(), v.superstep())) {
            letters.message(v)
                    .set(step, v.superstep())
                    .set(value, hash.get(v))
                    .set(half, v.ordinal() * 0.5f)
                    .set(quarter, hash.get(v) * 0.25)
                    .sendToNeighbours();
        }
        if (writes(v.ordinal(), v.superstep())) {
            RecordMessage message = letters.message(v).set(value, hash.get(v) + 1);
            message.send(0);
            message.set(step, -v.superstep()).send(0);
            message.send(other(v.ordinal(), v.superstep(), vertices));
            notes.message(v).set(note, v.superstep() + 5).send(vertices - 1);
        }
    }

    static boolean speaks(long ordinal, int superstep) {
        return ordinal % 3 != superstep % 3;
    }

    static boolean writes(long ordinal, int superstep) {
        return ordinal % 2 == superstep % 2;
    }

    static long other(long ordinal, int superstep, long vertices) {
        return (ordinal * 31 + 7 + superstep) % vertices;
    }
}
