package org.starling.compute.internal.run;

import org.starling.graph.VertexProgram;

/** Calls a vertex program for the vertices of a word. */
interface VertexKernel {
    /** Calls {@link VertexProgram#start} for each set bit. */
    void start(VertexProgram program, VertexCursor cursor, long word, long bits);

    /** Calls {@link VertexProgram#compute} for each set bit. */
    void compute(VertexProgram program, VertexCursor cursor, long word, long bits);
}
