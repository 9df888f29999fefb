package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.Bitmap;
import org.starling.graph.VertexProgram;

/**
 * Template of the loops that call vertex programs (see {@link KernelCompiler}); each program class
 * has a copy of its own.
 */
final class VertexLoop implements VertexKernel {
    @Override
    public void start(VertexProgram program, VertexCursor cursor, long word, long bits) {
        long first = word << Bitmap.WORD_SHIFT;
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            cursor.moveTo(first + Long.numberOfTrailingZeros(rest));
            program.start(cursor);
        }
    }

    @Override
    public void compute(VertexProgram program, VertexCursor cursor, long word, long bits) {
        long first = word << Bitmap.WORD_SHIFT;
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            cursor.moveTo(first + Long.numberOfTrailingZeros(rest));
            program.compute(cursor);
        }
    }
}
