package org.starling.examples;

import org.starling.graph.ElementType;
import org.starling.graph.PartProgram;
import org.starling.graph.StructurePart;

/** Emits the vertices of a tally that have had many neighbours. */
public final class Hubs implements PartProgram {
    private final long many;

    Hubs(long many) {
        this.many = many;
    }

    @Override
    public void part(StructurePart part) {
        while (part.next()) {
            long degree = part.value(ElementType.LONG);
            if (degree > many) {
                part.emit(part.key(ElementType.LONG), degree);
            }
        }
    }
}
