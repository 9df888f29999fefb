package org.starling.compute.internal.run;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.StringColumn;
import org.starling.compute.internal.graph.StringsLayout;
import org.starling.graph.StringProperty;
import org.starling.net.NativeMemory;

/** Strings of vertices as programs see them. Confined to the worker's thread. */
final class StringPropertyHandle implements StringProperty {
    private final @Nullable StringColumn column;
    private final StringCodes codes = new StringCodes();

    /**
     * A handle over a column.
     *
     * @param column null where nothing is computed
     */
    StringPropertyHandle(@Nullable StringColumn column) {
        this.column = column;
    }

    @Override
    public String get(long ordinal) {
        return column().get(ordinal);
    }

    @Override
    public boolean is(long ordinal, String value) {
        StringColumn of = column();
        int code = codes.of(of.chunk(ordinal), value);
        return code != StringsLayout.NONE && NativeMemory.getInt(of.codeAddress(ordinal)) == code;
    }

    private StringColumn column() {
        return Objects.requireNonNull(column, "strings of vertices where none are");
    }
}
