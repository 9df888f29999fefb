package org.starling.loaders;

import java.nio.charset.StandardCharsets;
import org.starling.graph.EdgeSink;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Property;
import org.starling.graph.PropertyValues;
import org.starling.loaders.table.TableBatch;
import org.starling.loaders.table.TableColumn;

/** Gives the rows of batches to a sink, as edges or as vertices. Confined to one thread. */
final class ColumnRows {
    private final ColumnRoles roles;
    private final EdgeSink sink;
    private final boolean textIds;
    private final PropertyValues values;

    /**
     * Rows of a file.
     *
     * @param textIds whether ids are texts in the graph
     */
    ColumnRows(ColumnRoles roles, EdgeSink sink, boolean textIds) {
        this.roles = roles;
        this.sink = sink;
        this.textIds = textIds;
        this.values = new PropertyValues(roles.properties());
    }

    /** Gives a batch. */
    void give(TableBatch batch, long firstRow) {
        boolean isEdge = roles.ends().size() > 1;
        boolean hasProperties = !roles.properties().isEmpty();
        for (int row = 0; row < batch.rows(); row++) {
            long place = firstRow + row;
            long first = id(batch, 0, row, place);
            if (hasProperties) {
                fill(batch, row, place);
            }
            if (isEdge) {
                long second = id(batch, 1, row, place);
                float weight = roles.weight() < 0 ? 1f : weight(batch, row, place);
                if (hasProperties) {
                    sink.edge(first, second, weight, values);
                } else {
                    sink.edge(first, second, weight);
                }
            } else if (hasProperties) {
                sink.vertex(first, values);
            } else {
                sink.vertex(first);
            }
        }
    }

    private long id(TableBatch batch, int column, int row, long place) {
        if (!batch.isPresent(column, row)) {
            throw complaint(batch, column, place, "there is no id (leave the row out)");
        }
        if (roles.isText(column)) {
            return number(batch, column, place, batch.text(column, row));
        }
        long id = batch.bits(column, row);
        if (id < 0 && batch.columns().get(column).kind() != TableColumn.Kind.ID) {
            throw complaint(
                    batch,
                    column,
                    place,
                    "expected a vertex id from 0 to 2^64 - 1, found %d (correct it)".formatted(id));
        }
        return textIds ? number(batch, column, place, Long.toUnsignedString(id)) : id;
    }

    private long number(TableBatch batch, int column, long place, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        try {
            return sink.number(utf8, 0, utf8.length);
        } catch (InvalidInputException wrong) {
            throw complaint(batch, column, place, String.valueOf(wrong.getMessage()));
        }
    }

    private float weight(TableBatch batch, int row, long place) {
        int column = roles.ends().size();
        float weight = batch.isPresent(column, row) ? (float) batch.asDouble(column, row) : -1f;
        if (weight >= 0f && weight < Float.POSITIVE_INFINITY) {
            return weight;
        }
        throw complaint(
                batch,
                column,
                place,
                "expected a weight that is a finite number and not negative, found %s (correct it, or leave all weights out by \"weight\": \"none\")"
                        .formatted(
                                batch.isPresent(column, row)
                                        ? batch.asDouble(column, row)
                                        : "nothing"));
    }

    private void fill(TableBatch batch, int row, long place) {
        values.clear();
        for (int i = 0; i < roles.properties().size(); i++) {
            int column = roles.firstProperty() + i;
            if (batch.isPresent(column, row)) {
                set(batch, i, column, row, place);
            } else if (!roles.optional().get(i)) {
                throw complaint(
                        batch,
                        column,
                        place,
                        "a value is missing, and a graph has none that are (say \"columns\": {\"%s\": \"%s?\"} to take 0 for it)"
                                .formatted(
                                        roles.properties().get(i).name(),
                                        roles.properties().get(i).type()));
            }
        }
    }

    private void set(TableBatch batch, int index, int column, int row, long place) {
        Property property = roles.properties().get(index);
        switch (property.type()) {
            case BOOLEAN, INT -> values.setLong(index, 0, batch.bits(column, row));
            case LONG -> {
                long value = batch.bits(column, row);
                if (value < 0 && batch.columns().get(column).kind() == TableColumn.Kind.ID) {
                    throw complaint(
                            batch,
                            column,
                            place,
                            "%s is beyond 2^63 - 1, the greatest value of a property"
                                    .formatted(Long.toUnsignedString(value)));
                }
                values.setLong(index, 0, value);
            }
            case FLOAT, DOUBLE -> {
                double value = batch.asDouble(column, row);
                if (!Double.isFinite(value)) {
                    throw complaint(
                            batch,
                            column,
                            place,
                            "expected a finite number, found %s (correct it)".formatted(value));
                }
                values.setDouble(index, 0, value);
            }
            case STRING -> {
                try {
                    values.setString(index, batch.text(column, row));
                } catch (InvalidInputException wrong) {
                    throw complaint(batch, column, place, String.valueOf(wrong.getMessage()));
                }
            }
        }
    }

    private InvalidInputException complaint(
            TableBatch batch, int column, long place, String wrong) {
        return new InvalidInputException(
                "%s: row %d, column %s: %s"
                        .formatted(
                                roles.file().path(),
                                place + 1,
                                Quote.of(batch.columns().get(column).name()),
                                wrong));
    }
}
