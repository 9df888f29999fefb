package org.starling.benchmarks.graph500;

import org.starling.graph.BuildOptions;

/** Names by which the benchmark knows the kernels that it measures, and what they leave. */
final class Kernels {

    /** Edge source of the benchmark's graphs. */
    static final String KRONECKER = "kronecker";

    /** Program: breadth-first search; parameter {@link #SOURCE}. */
    static final String BFS = "algorithms.bfs";

    /** Program: shortest paths; parameters {@link #SOURCE} and {@link #PARENTS}. */
    static final String SSSP = "algorithms.sssp";

    /** Parameter of {@link #SSSP}: name of the state of parents that it shall leave. */
    static final String PARENTS = "parents";

    /** {@code float} state that {@link #SSSP} leaves: distance, infinite if not reached. */
    static final String DISTANCE = "distance";

    /** Parameter of {@link #BFS} and {@link #SSSP}: original id of the root. */
    static final String SOURCE = "source";

    /** {@code int} state that {@link #BFS} leaves: depth, −1 if not reached. */
    static final String LEVEL = "level";

    /** {@code long} state that both kernels leave: ordinal of the parent, −1 if not reached. */
    static final String PARENT = "parent";

    /** {@code int} state that construction leaves: edges of the input at a vertex. */
    static final String INPUT_DEGREE = BuildOptions.INPUT_DEGREE;

    private Kernels() {}
}
