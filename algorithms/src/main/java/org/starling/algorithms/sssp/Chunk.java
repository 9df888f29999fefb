package org.starling.algorithms.sssp;

/** A few vertices that go from worker to worker together. Confined to whoever has it. */
final class Chunk {
    /** Most vertices of a chunk: many enough that taking one costs nothing per vertex. */
    static final int CAPACITY = 128;

    final int[] vertices = new int[CAPACITY];
    int size;

    /** Adds a vertex to a chunk that is not full. */
    void add(int vertex) {
        vertices[size++] = vertex;
    }

    /** Takes half of the vertices out. */
    Chunk split() {
        Chunk half = new Chunk();
        int rest = size / 2;
        half.size = size - rest;
        System.arraycopy(vertices, rest, half.vertices, 0, half.size);
        size = rest;
        return half;
    }

    boolean isFull() {
        return size == CAPACITY;
    }
}
