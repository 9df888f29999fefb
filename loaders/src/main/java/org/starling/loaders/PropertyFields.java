package org.starling.loaders;

import java.io.IOException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.starling.graph.PropertyValues;

/** The fields behind a line's ids. */
final class PropertyFields {
    private PropertyFields() {}

    /**
     * Reads all of them.
     *
     * @param cursor behind the ids
     * @param weight takes the weight; false if it is none. Not asked if there is no such column
     * @return what is wrong with them; null if nothing is
     */
    static @Nullable String read(
            ByteCursor cursor,
            Separator separator,
            FieldReader fields,
            PropertyColumns columns,
            PropertyValues values,
            @Nullable Predicate<String> weight)
            throws IOException {
        for (int i = 0; i < columns.fields(); i++) {
            String field = separator.pass(cursor) ? fields.read(cursor) : "";
            if (field == null) {
                return "a field is longer than %d bytes, or lacks its second quotation mark"
                        .formatted(FieldReader.MAX_BYTES);
            }
            String wrong = null;
            if (i != columns.weight()) {
                wrong = columns.read(i, field, values);
            } else if (weight != null && !weight.test(field)) {
                wrong =
                        "expected a weight that is a finite number and not negative, found "
                                + Quote.of(field);
            }
            if (wrong != null) {
                return wrong;
            }
        }
        cursor.skipBlanks();
        return cursor.atLineEnd()
                ? null
                : "expected %d fields behind the ids, as the header says, found more"
                        .formatted(columns.fields());
    }
}
