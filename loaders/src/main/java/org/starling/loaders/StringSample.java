package org.starling.loaders;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Estimates how many bytes the different strings of a file's columns take from those of some of its
 * lines. A string that was seen once in a sample of a share q stands for 1/q others, one that was
 * seen more often for itself: so columns of names, whose values do not repeat, are not estimated
 * too small, and those of a few kinds hardly too large. Confined to one thread.
 */
final class StringSample {
    private final PropertyColumns columns;
    private final Separator separator;
    private final FieldReader fields;
    private final Map<Seen, Boolean> seen = new HashMap<>();

    private record Seen(int field, String value) {}

    StringSample(PropertyColumns columns, Separator separator) {
        this.columns = columns;
        this.separator = separator;
        this.fields = new FieldReader(separator);
    }

    /**
     * Looks at the fields of a line.
     *
     * @param cursor behind the ids; afterwards somewhere on the line
     */
    void look(ByteCursor cursor) throws IOException {
        if (!columns.hasStrings()) {
            return;
        }
        for (int i = 0; i < columns.fields() && separator.pass(cursor); i++) {
            String field = fields.read(cursor);
            if (field == null) {
                return; // whoever reads the file complains
            }
            if (columns.isString(i)) {
                seen.merge(new Seen(i, field), false, (_, _) -> true);
            }
        }
    }

    /** Looks at the value of a property. */
    void see(int property, String value) {
        if (columns.isString(property)) {
            seen.merge(new Seen(property, value), false, (_, _) -> true);
        }
    }

    /**
     * Bytes of all different strings.
     *
     * @param scale how much larger the file is than the sample
     */
    long bytes(double scale) {
        double bytes = 0;
        for (Map.Entry<Seen, Boolean> one : seen.entrySet()) {
            int length = one.getKey().value.getBytes(StandardCharsets.UTF_8).length;
            bytes += one.getValue() ? length : length * scale;
        }
        return Math.round(bytes);
    }
}
