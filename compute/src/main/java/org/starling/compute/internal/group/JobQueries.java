package org.starling.compute.internal.group;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.DescriptorChunk.Owned;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.protocol.QueryMessage.VertexValues;
import org.starling.compute.internal.query.PointQueries;
import org.starling.compute.internal.query.PointQueries.Asked;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Neighbours;
import org.starling.graph.VertexPath;
import org.starling.graph.VertexValue;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Questions of a job about single vertices. Rows are read from the store, as outside of jobs;
 * values from the job's slaves, which have its states. Confined to the job's thread.
 */
final class JobQueries implements GraphQueries {
    /** Recovery of a peer's chunks takes seconds; a job can wait for it. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final GraphSession session;
    private final Function<String, KnownGraph> graphs;
    private final Values values;
    private final PointQueries queries;
    private final long job;

    /** Reads a value from the slave that has it. */
    interface Values {
        VertexValues of(String graph, String column, long ordinal);
    }

    JobQueries(
            GraphSession session,
            StoreNode store,
            Function<String, KnownGraph> graphs,
            Values values,
            long job) {
        this.session = session;
        this.graphs = graphs;
        this.values = values;
        this.queries = new PointQueries(store, PATIENCE);
        this.job = job;
    }

    @Override
    public Neighbours neighbours(
            String graph, long id, EdgeDirection direction, long offset, int limit) {
        return answered(() -> queries.neighbours(() -> asked(graph), id, direction, offset, limit));
    }

    @Override
    public VertexPath path(String graph, long from, long to, int maxVertices, Duration time) {
        return answered(() -> queries.path(() -> asked(graph), from, to, maxVertices, time));
    }

    @Override
    public VertexValue value(String graph, String column, long id) {
        VertexValues told = values.of(graph, column, session.ordinal(graph, id));
        StateType type = Objects.requireNonNull(told.valueType());
        ByteBuffer bytes = ByteBuffer.wrap(told.values()).order(ByteOrder.LITTLE_ENDIAN);
        if (type.element() == ColumnType.STRING) {
            return new VertexValue(type.toString(), StateRunsCursor.nextString(bytes));
        }
        long[] bits = new long[type.length()];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = type.element().read(bytes, i);
            if (type.element() == ColumnType.VERTEX && bits[i] >= 0) {
                bits[i] = session.id(graph, bits[i]);
            }
        }
        return type.element().namesVertices() && bits[0] >= 0 && session.info(graph).textIds()
                ? new VertexValue(type.toString(), session.shown(graph, bits[0]))
                : PointQueries.value(type, bits);
    }

    @Override
    public boolean hasTextIds(String graph) {
        return session.info(graph).textIds();
    }

    @Override
    public long[] numbers(String graph, List<String> texts) {
        return session.numbers(graph, texts);
    }

    @Override
    public List<String> texts(String graph, long[] numbers) {
        return session.texts(graph, numbers);
    }

    private Asked asked(String graph) {
        KnownGraph known = graphs.apply(graph);
        if (known.version().exists()) { // the directory does not know its descriptor
            throw new InvalidInputException(
                    "a program of this job has changed graph \"%s\", so neighbours and paths in it can't be asked for; read its rows, or ask before it changes"
                            .formatted(graph));
        }
        return PointQueries.ofJob(
                known.descriptor(),
                known.chunk(),
                known.kept() ? "" : new Owned(job, known.chunk()).name());
    }

    private static <T> T answered(Supplier<T> question) {
        try {
            return question.get();
        } catch (StoreException | PointQueries.UnansweredException down) {
            throw new JobFailedException(String.valueOf(down.getMessage()), down);
        }
    }
}
