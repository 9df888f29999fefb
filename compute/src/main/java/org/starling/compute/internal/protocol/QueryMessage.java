package org.starling.compute.internal.protocol;

import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MessageType;
import org.starling.net.Request;

/**
 * Questions to slaves, and what they answer: values of states, ids, what a graph takes, how the
 * process is. Part of {@link ComputeMessage}'s list; ids 3026, 3027, 3051, 3054, 3056 and 3057.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface QueryMessage extends ComputeMessage {
    /**
     * Ids of vertices of one shard, and perhaps values of a state.
     *
     * @param term the master's term
     * @param graph name of the graph
     * @param state name of the state; empty for ids alone
     * @param first ordinal of the first vertex
     * @param count how many
     */
    record ReadVertices(long term, String graph, String state, long first, int count)
            implements QueryMessage, Command<VertexValues> {
        /** Type 3056. */
        public static final MessageType<ReadVertices> TYPE =
                new MessageType<>(3056, "ReadVertices", ReadVertices::read);

        @Override
        public MessageType<ReadVertices> type() {
            return TYPE;
        }

        @Override
        public MessageType<VertexValues> responseType() {
            return VertexValues.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(term);
            out.writeString(graph);
            out.writeString(state);
            out.writeLong(first);
            out.writeInt(count);
        }

        private static ReadVertices read(Importer in) {
            return new ReadVertices(
                    in.readLong(), in.readString(), in.readString(), in.readLong(), in.readInt());
        }
    }

    /**
     * Vertices of a shard.
     *
     * @param ids their ids, 8 bytes each
     * @param columnType number of the state's type
     * @param values their values of the state; empty if none was named
     */
    record VertexValues(byte[] ids, int columnType, byte[] values) implements QueryMessage {
        /** Type 3057. */
        public static final MessageType<VertexValues> TYPE =
                new MessageType<>(3057, "VertexValues", VertexValues::read);

        @Override
        public MessageType<VertexValues> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeBytes(ids);
            out.writeInt(columnType);
            out.writeBytes(values);
        }

        private static VertexValues read(Importer in) {
            return new VertexValues(in.readBytes(), in.readInt(), in.readBytes());
        }
    }

    /**
     * Ordinal of an id.
     *
     * @param term the master's term
     * @param graph name of the graph
     * @param id the id
     */
    record FindOrdinal(long term, String graph, long id) implements QueryMessage, Question {
        /** Type 3026. */
        public static final MessageType<FindOrdinal> TYPE =
                new MessageType<>(3026, "FindOrdinal", FindOrdinal::read);

        @Override
        public MessageType<FindOrdinal> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(term);
            out.writeString(graph);
            out.writeLong(id);
        }

        private static FindOrdinal read(Importer in) {
            return new FindOrdinal(in.readLong(), in.readString(), in.readLong());
        }
    }

    /**
     * What a slave holds of a graph: shards, vertices, neighbours, and bytes of neighbours and of
     * the rest.
     *
     * @param term the master's term
     * @param graph name of the graph
     */
    record MeasureGraph(long term, String graph) implements QueryMessage, Question {
        /** Type 3051. */
        public static final MessageType<MeasureGraph> TYPE =
                new MessageType<>(3051, "MeasureGraph", MeasureGraph::read);

        @Override
        public MessageType<MeasureGraph> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(term);
            out.writeString(graph);
        }

        private static MeasureGraph read(Importer in) {
            return new MeasureGraph(in.readLong(), in.readString());
        }
    }

    /** How is the process? */
    record Status() implements QueryMessage, Request<StatusReport> {
        /** Type 3027. */
        public static final MessageType<Status> TYPE =
                new MessageType<>(3027, "Status", Status::read);

        @Override
        public MessageType<Status> type() {
            return TYPE;
        }

        @Override
        public MessageType<StatusReport> responseType() {
            return StatusReport.TYPE;
        }

        @Override
        public void write(Exporter out) {}

        private static Status read(Importer in) {
            return new Status();
        }
    }

    /**
     * How a process is.
     *
     * @param peakResidentBytes largest resident memory so far
     * @param freeBytes memory that its machine could still give it
     * @param keptBytes memory that it keeps for its next runs
     * @param threads workers of each run
     */
    record StatusReport(long peakResidentBytes, long freeBytes, long keptBytes, int threads)
            implements QueryMessage {
        /** Type 3054. */
        public static final MessageType<StatusReport> TYPE =
                new MessageType<>(3054, "StatusReport", StatusReport::read);

        @Override
        public MessageType<StatusReport> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(peakResidentBytes);
            out.writeLong(freeBytes);
            out.writeLong(keptBytes);
            out.writeInt(threads);
        }

        private static StatusReport read(Importer in) {
            return new StatusReport(in.readLong(), in.readLong(), in.readLong(), in.readInt());
        }
    }
}
