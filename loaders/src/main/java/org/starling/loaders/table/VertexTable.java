package org.starling.loaders.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PropertyType;
import org.starling.graph.StateCursor;
import org.starling.graph.TextId;
import org.starling.graph.VertexColumns;

/**
 * Columns of a graph's vertices as a table: a row for each vertex, its id first, in the order of
 * ids. All columns are read side by side, piece by piece. Ids that are texts are asked for once a
 * batch. Confined to one thread.
 */
public final class VertexTable implements AutoCloseable {
    /** Name of the first column. */
    public static final String ID = "id";

    /** The most columns that are read side by side. */
    public static final int MAX_COLUMNS = 64;

    /** Rows of a batch where ids are texts, which may be long. */
    private static final int TEXT_ROWS = 1 << 12;

    private static final String NONE = "-1";

    private final VertexColumns source;
    private final boolean textIds;
    private final List<TableColumn> columns = new ArrayList<>();

    /** The table of some columns, which are the caller's. */
    public VertexTable(VertexColumns source) {
        this.source = source;
        this.textIds = source.textIds();
        columns.add(TableColumn.of(ID, textIds ? TableColumn.Kind.STRING : TableColumn.Kind.ID));
        for (int i = 0; i < source.names().size(); i++) {
            columns.add(column(source.names().get(i), source.cursors().get(i)));
        }
    }

    /**
     * Opens columns of a graph.
     *
     * @throws InvalidInputException if the graph has no such column
     */
    public static VertexTable open(GraphSession session, String graph, List<String> names) {
        List<StateCursor> cursors = new ArrayList<>();
        try {
            names.forEach(name -> cursors.add(session.read(graph, name)));
            return new VertexTable(
                    new VertexColumns(
                            names,
                            cursors,
                            session.info(graph).textIds(),
                            numbers -> session.texts(graph, numbers)));
        } catch (RuntimeException failed) {
            cursors.forEach(StateCursor::close);
            throw failed;
        }
    }

    /**
     * Checks names of columns.
     *
     * @throws InvalidInputException if there are none, too many, or two that are the same
     */
    public static void check(List<String> names) {
        if (names.isEmpty() || names.size() > MAX_COLUMNS) {
            throw new InvalidInputException(
                    "\"columns\" names %d columns; name from 1 to %d"
                            .formatted(names.size(), MAX_COLUMNS));
        }
        Set<String> known = new HashSet<>(Set.of(ID));
        for (String name : names) {
            if (!known.add(name)) {
                throw new InvalidInputException(
                        name.equals(ID)
                                ? "\"columns\" names \"id\", as the column of ids is called, which is always there; leave it out"
                                : "\"columns\" names \"%s\" twice; leave one out".formatted(name));
            }
        }
    }

    private TableColumn column(String name, StateCursor cursor) {
        return cursor.showsIds()
                ? new TableColumn(
                        name, textIds ? TableColumn.Kind.STRING : TableColumn.Kind.ID, 1, true)
                : new TableColumn(
                        name,
                        TableColumn.Kind.valueOf(cursor.type().name()),
                        cursor.length(),
                        false);
    }

    /** All columns, that of ids first. */
    public List<TableColumn> columns() {
        return columns;
    }

    /** Moves to the next vertex; false when there is none. */
    public boolean next() {
        boolean[] there = new boolean[source.cursors().size()];
        for (int i = 0; i < there.length; i++) {
            there[i] = source.cursors().get(i).next();
        }
        return there[0];
    }

    /** By what number programs know the vertex. */
    public long id() {
        return source.cursors().getFirst().id();
    }

    /** The cursor of a column, by its index among those behind the ids. */
    public StateCursor cursor(int column) {
        return source.cursors().get(column);
    }

    /** Puts rows into an empty batch until it is full or all are there; false if none was left. */
    public boolean fill(TableBatch batch) {
        long[] ids = new long[textIds ? TEXT_ROWS : TableBatch.MAX_ROWS];
        while (batch.rows() < ids.length && !batch.isFull() && next()) {
            ids[batch.rows()] = id();
            for (int i = 0; i < source.cursors().size(); i++) {
                put(batch, i);
            }
            batch.endRow();
        }
        putIds(batch, Arrays.copyOf(ids, batch.rows()));
        return batch.rows() > 0;
    }

    /** Puts the ids of a batch's rows into its first column. */
    public void putIds(TableBatch batch, long[] ids) {
        if (textIds) {
            if (ids.length > 0) {
                source.texts().of(ids).forEach(text -> batch.putText(0, text));
            }
            return;
        }
        for (long id : ids) {
            batch.putLong(0, id);
        }
    }

    /** The most rows that a batch should have. */
    public int batchRows() {
        return textIds ? TEXT_ROWS : TableBatch.MAX_ROWS;
    }

    private void put(TableBatch batch, int index) {
        StateCursor cursor = source.cursors().get(index);
        int column = index + 1;
        if (cursor.showsIds()) {
            putNamed(batch, column, cursor.text());
        } else if (cursor.type() == PropertyType.STRING) {
            batch.putText(column, cursor.text());
        } else {
            for (int i = 0; i < cursor.length(); i++) {
                switch (cursor.type()) {
                    case FLOAT, DOUBLE -> batch.putDouble(column, cursor.asDouble(i));
                    case BOOLEAN, INT, LONG, STRING -> batch.putLong(column, cursor.asLong(i));
                }
            }
        }
    }

    /** Puts the id of a vertex that a column names, or nothing for none. */
    public void putNamed(TableBatch batch, int column, String field) {
        if (field.equals(NONE)) {
            batch.putNothing(column);
        } else if (textIds) {
            batch.putText(column, TextId.fields(field).getFirst());
        } else {
            batch.putLong(column, Long.parseUnsignedLong(field));
        }
    }

    @Override
    public void close() {
        source.cursors().forEach(StateCursor::close);
    }
}
