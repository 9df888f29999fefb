package org.starling.graph;

/** A vertex that has nothing but its ordinal, for tests. Its id differs, to tell the two apart. */
record FakeVertex(long ordinal) implements Vertex {

    @Override
    public long id() {
        return ordinal + 1_000;
    }

    @Override
    public int degree() {
        return 0;
    }

    @Override
    public int inDegree() {
        return 0;
    }

    @Override
    public EdgeCursor edges() {
        throw new UnsupportedOperationException("a fake vertex has no edges");
    }

    @Override
    public void settle() {
        throw new UnsupportedOperationException("a fake vertex cannot settle");
    }

    @Override
    public int superstep() {
        return 0;
    }
}
