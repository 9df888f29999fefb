package org.starling.loaders.table;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Values of a column that has each of them once, in a dictionary, and in its rows the place there.
 * A dictionary is in one piece or several, one behind the other. Confined to one thread.
 */
final class ArrowDictionary {
    private final String name;
    private final ArrowColumn places;
    private final List<ArrowColumn> pieces = new ArrayList<>();

    /** Of each piece: the place behind its last. */
    private final List<Long> ends = new ArrayList<>();

    private long size;

    private ArrowDictionary(String name, ArrowColumn places) {
        this.name = name;
        this.places = places;
    }

    /**
     * A column of a record batch, as what gives its rows.
     *
     * @param body of the batch
     * @param dictionaries pieces by number of the dictionary, as they are for this batch
     */
    static ArrowFile.Rows of(
            String name,
            ArrowSchema.Layout layout,
            ArrowBody body,
            Map<Long, List<ArrowFile.Batch>> dictionaries,
            MappedBytes bytes,
            UnpackedBytes unpacked) {
        if (layout.index() == null) {
            return ArrowColumn.of(name, layout, body)::put;
        }
        ArrowDictionary column =
                new ArrowDictionary(name, ArrowColumn.of(name, layout.indexes(), body));
        for (ArrowFile.Batch piece : dictionaries.getOrDefault(layout.dictionary(), List.of())) {
            ArrowBody values = ArrowBody.of(bytes, piece, unpacked);
            column.pieces.add(ArrowColumn.of(name, layout.values(), values));
            column.size = Math.addExact(column.size, values.rows());
            column.ends.add(column.size);
        }
        return column::put;
    }

    private void put(long row, TableBatch batch, int index) {
        long place = places.place(row);
        if (place < 0) {
            batch.putNothing(index);
            return;
        }
        if (place >= size) {
            throw new MalformedTableException(
                    "column \"%s\" has a value at a place that its dictionary of %d does not have"
                            .formatted(name, size));
        }
        int found = Collections.binarySearch(ends, place);
        int piece = found < 0 ? -found - 1 : found + 1;
        while (ends.get(piece) <= place) {
            piece++; // past those without values
        }
        long before = piece == 0 ? 0 : ends.get(piece - 1);
        pieces.get(piece).put(place - before, batch, index);
    }
}
