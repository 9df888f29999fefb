package org.starling.compute.internal.group;

import org.starling.compute.internal.graph.ColumnType;
import org.starling.graph.PropertyType;
import org.starling.graph.StateCursor;

/** Tells values by the type and the bits of their elements. */
abstract class ElementCursor implements StateCursor {
    /** Type of an element. */
    abstract ColumnType element();

    /**
     * Bits of an element of the value here.
     *
     * @throws IndexOutOfBoundsException if it has no such element
     */
    abstract long bits(int index);

    /** The value here, if it is a string. */
    abstract String string();

    /** Id of the vertex that the value here names, as text; -1 for none. */
    abstract String named();

    @Override
    public abstract int length();

    @Override
    public final long asLong() {
        return asLong(0);
    }

    @Override
    public final double asDouble() {
        return asDouble(0);
    }

    @Override
    public final long asLong(int index) {
        return element().asLong(bits(index));
    }

    @Override
    public final double asDouble(int index) {
        return element().asDouble(bits(index));
    }

    @Override
    public final PropertyType type() {
        return element().shown();
    }

    @Override
    public final boolean namesVertices() {
        return element() == ColumnType.VERTEX;
    }

    @Override
    public final boolean showsIds() {
        return element().namesVertices();
    }

    @Override
    public final String text() {
        ColumnType element = element();
        if (element == ColumnType.STRING) {
            return string();
        }
        if (element.namesVertices()) {
            return named();
        }
        if (length() == 1) {
            return element.format(bits(0));
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length(); i++) {
            text.append(i == 0 ? "" : " ").append(element.format(bits(i)));
        }
        return text.toString();
    }
}
