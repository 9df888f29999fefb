package org.starling.compute.internal.structure;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.starling.compute.internal.structure.Page.Entry;
import org.starling.graph.ElementType;
import org.starling.graph.JobFailedException;
import org.starling.graph.PartProgram;
import org.starling.graph.StructurePart;

/**
 * One part of a structure on its way through a program, and the rows that come out. Confined to the
 * worker's thread.
 */
public final class PartReader implements StructurePart {
    /** Most bytes of rows of one part. */
    public static final int MAX_ROW_BYTES = 4 << 20;

    private final StructureType type;
    private final List<ElementType<?>> elements;
    private final List<ElementType<?>> into;
    private final List<Entry> entries;
    private final List<byte[]> rows = new ArrayList<>();
    private long rowBytes;
    private int at = -1;

    private PartReader(StructureType type, StructureType into, Page page) {
        this.type = type;
        this.entries = page.entries();
        this.elements = type.elements();
        this.into = into.elements();
    }

    /**
     * Runs a program over a page.
     *
     * @param chunk the page
     * @param token that it bears
     * @return the rows, each with its length before it
     */
    public static byte[] run(
            PartProgram program, StructureType type, StructureType into, byte[] chunk, long token) {
        PartReader part = new PartReader(type, into, Page.read(chunk, token));
        program.part(part);
        ByteBuffer bytes = ByteBuffer.allocate((int) part.rowBytes);
        part.rows.forEach(row -> bytes.putInt(row.length).put(row));
        return bytes.array();
    }

    @Override
    public boolean next() {
        at++;
        return at < entries.size();
    }

    @Override
    public long index() {
        return here().position();
    }

    @Override
    public <T> T key(ElementType<T> asked) {
        if (type.kind() != StructureType.Kind.MAP) {
            throw new IllegalArgumentException(type.text() + " has no keys");
        }
        return Elements.cast(asked, elements.get(0), Elements.value(elements, here().key(), 0));
    }

    @Override
    public <T> T value(ElementType<T> asked) {
        if (type.kind() == StructureType.Kind.TABLE) {
            return value(0, asked);
        }
        ElementType<?> there = elements.getLast();
        return Elements.cast(asked, there, Elements.value(List.of(there), here().value(), 0));
    }

    @Override
    public <T> T value(int column, ElementType<T> asked) {
        if (type.kind() != StructureType.Kind.TABLE) {
            throw new IllegalArgumentException(type.text() + " has no columns");
        }
        return Elements.cast(
                asked, elements.get(column), Elements.value(elements, here().value(), column));
    }

    @Override
    public void emit(Object... values) {
        byte[] row = Elements.bytes(into, values);
        rowBytes += Integer.BYTES + row.length;
        if (rowBytes > MAX_ROW_BYTES) {
            throw new JobFailedException(
                    "a part emits rows of more than %d MiB".formatted(MAX_ROW_BYTES >> 20));
        }
        rows.add(row);
    }

    private Entry here() {
        if (at < 0 || at >= entries.size()) {
            throw new IllegalStateException("the cursor stands on no entry");
        }
        return entries.get(at);
    }
}
