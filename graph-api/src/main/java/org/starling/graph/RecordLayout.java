package org.starling.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * The named fields of a message of a {@link RecordChannel}, in the order in which they are added.
 * Every field has its type's width and nothing stands between them.
 *
 * <pre>{@code
 * RecordLayout offer = new RecordLayout();
 * DoubleField price = offer.doubleField("price");
 * IntField pieces = offer.intField("pieces");
 * RecordChannel offers = graph.recordChannel("offers", offer);
 * }</pre>
 *
 * <p>A layout is made by the program's instance that uses it, before it declares the channel, and
 * is not changed afterwards.
 */
public final class RecordLayout {
    /** Most bytes of all fields together. */
    public static final int MAX_BYTES = 1024;

    private final List<Field> fields = new ArrayList<>();
    private int bytes;
    private boolean complete;

    /** A layout without fields. */
    public RecordLayout() {}

    /** Adds an {@code int}. */
    public IntField intField(String name) {
        return add(new IntField(this, name));
    }

    /** Adds a {@code long}. */
    public LongField longField(String name) {
        return add(new LongField(this, name));
    }

    /** Adds a {@code float}. */
    public FloatField floatField(String name) {
        return add(new FloatField(this, name));
    }

    /** Adds a {@code double}. */
    public DoubleField doubleField(String name) {
        return add(new DoubleField(this, name));
    }

    /** Bytes of all fields together. */
    public int bytes() {
        return bytes;
    }

    /** The fields, in their order. */
    public List<Field> fields() {
        return List.copyOf(fields);
    }

    /** No field may be added any more; said by whoever makes a channel of such messages. */
    public void complete() {
        complete = true;
    }

    private <F extends Field> F add(F field) {
        if (complete) {
            throw new IllegalStateException(
                    "field \"" + field.name() + "\" comes too late: a channel has been declared");
        }
        if (fields.stream().anyMatch(other -> other.name().equals(field.name()))) {
            throw new IllegalArgumentException("a message has two fields \"" + field.name() + '"');
        }
        if (bytes + field.width() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "with field \""
                            + field.name()
                            + "\" a message has more than "
                            + MAX_BYTES
                            + " bytes; send several");
        }
        fields.add(field);
        bytes += field.width();
        return field;
    }

    /** A field of a message. */
    public abstract static sealed class Field {
        private final RecordLayout layout;
        private final String name;
        private final int offset;
        private final int width;

        private Field(RecordLayout layout, String name, int width) {
            this.layout = layout;
            this.name = name;
            this.offset = layout.bytes;
            this.width = width;
        }

        /** The layout that it belongs to. */
        public final RecordLayout layout() {
            return layout;
        }

        /** Its name. */
        public final String name() {
            return name;
        }

        /** Where it begins, in bytes from the first field on. */
        public final int offset() {
            return offset;
        }

        /** How many bytes it has. */
        public final int width() {
            return width;
        }
    }

    /** A field of 32 bits. */
    public static final class IntField extends Field {
        private IntField(RecordLayout layout, String name) {
            super(layout, name, Integer.BYTES);
        }
    }

    /** A field of 64 bits. */
    public static final class LongField extends Field {
        private LongField(RecordLayout layout, String name) {
            super(layout, name, Long.BYTES);
        }
    }

    /** A floating point field of 32 bits. */
    public static final class FloatField extends Field {
        private FloatField(RecordLayout layout, String name) {
            super(layout, name, Float.BYTES);
        }
    }

    /** A floating point field of 64 bits. */
    public static final class DoubleField extends Field {
        private DoubleField(RecordLayout layout, String name) {
            super(layout, name, Double.BYTES);
        }
    }
}
