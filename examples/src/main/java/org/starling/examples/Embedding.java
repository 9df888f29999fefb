package org.starling.examples;

import org.starling.graph.Declaration;
import org.starling.graph.FloatVectorState;
import org.starling.graph.Master;
import org.starling.graph.RecordChannel;
import org.starling.graph.RecordCursor;
import org.starling.graph.RecordLayout;
import org.starling.graph.RecordLayout.FloatField;
import org.starling.graph.RecordMessage;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * A vector for each vertex, close to those of its neighbours: it begins with signs drawn from the
 * id, and becomes the mean of itself and its neighbours', round by round.
 */
final class Embedding implements VertexProgram {
    private static final int LENGTH = 16;
    private static final int ROUNDS = 3;

    private final FloatField[] elements = new FloatField[LENGTH];
    private FloatVectorState embedding;
    private RecordChannel vectors;

    @Override
    public void declare(Declaration graph) {
        embedding = graph.floatVectorState("embedding", LENGTH);
        RecordLayout vector = new RecordLayout();
        for (int i = 0; i < LENGTH; i++) {
            elements[i] = vector.floatField("element" + i);
        }
        vectors = graph.recordChannel("vectors", vector);
    }

    @Override
    public void start(Vertex v) {
        long drawn = v.id() * 0x9E37_79B9_7F4A_7C15L;
        for (int i = 0; i < LENGTH; i++) {
            embedding.set(v, i, (drawn >>> (Long.SIZE - 1 - i) & 1) == 0 ? -1 : 1);
        }
        tell(v);
    }

    @Override
    public void compute(Vertex v) {
        RecordCursor read = vectors.received(v);
        while (read.next()) {
            for (int i = 0; i < LENGTH; i++) {
                embedding.set(v, i, embedding.get(v, i) + read.get(elements[i]));
            }
        }
        for (int i = 0; i < LENGTH; i++) {
            embedding.set(v, i, embedding.get(v, i) / (read.count() + 1));
        }
        tell(v);
    }

    private void tell(Vertex v) {
        RecordMessage message = vectors.message(v);
        for (int i = 0; i < LENGTH; i++) {
            message.set(elements[i], embedding.get(v, i));
        }
        message.sendToNeighbours();
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() == ROUNDS) {
            master.halt();
        }
    }
}
