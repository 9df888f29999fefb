package org.starling.compute.internal.protocol;

import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MessageType;
import org.starling.net.Request;

/**
 * Questions to slaves, and what they answer: values of states, ids, what a graph takes, how the
 * process is. Part of {@link ComputeMessage}'s list; ids 3023 to 3027, 3051 and 3054.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface QueryMessage extends ComputeMessage {
    /**
     * Values of a state of vertices of one shard.
     *
     * @param term the master's term
     * @param graph name of the graph
     * @param state name of the state
     * @param first ordinal of the first one
     * @param count how many
     */
    record ReadState(long term, String graph, String state, long first, int count)
            implements QueryMessage, Command<StateReply> {
        /** Type 3023. */
        public static final MessageType<ReadState> TYPE =
                new MessageType<>(3023, "ReadState", ReadState::read);

        @Override
        public MessageType<ReadState> type() {
            return TYPE;
        }

        @Override
        public MessageType<StateReply> responseType() {
            return StateReply.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(term);
            out.writeString(graph);
            out.writeString(state);
            out.writeLong(first);
            out.writeInt(count);
        }

        private static ReadState read(Importer in) {
            return new ReadState(
                    in.readLong(), in.readString(), in.readString(), in.readLong(), in.readInt());
        }
    }

    /**
     * Values of a state in a shard.
     *
     * @param columnType ordinal of the column's type
     * @param values the values
     */
    record StateReply(int columnType, byte[] values) implements QueryMessage {
        /** Type 3024. */
        public static final MessageType<StateReply> TYPE =
                new MessageType<>(3024, "StateReply", StateReply::read);

        @Override
        public MessageType<StateReply> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeInt(columnType);
            out.writeBytes(values);
        }

        private static StateReply read(Importer in) {
            return new StateReply(in.readInt(), in.readBytes());
        }
    }

    /**
     * Ids of vertices of one shard, 8 bytes each.
     *
     * @param term the master's term
     * @param graph name of the graph
     * @param first ordinal of the first one
     * @param count how many
     */
    record ReadIds(long term, String graph, long first, int count)
            implements QueryMessage, Command<Bytes> {
        /** Type 3025. */
        public static final MessageType<ReadIds> TYPE =
                new MessageType<>(3025, "ReadIds", ReadIds::read);

        @Override
        public MessageType<ReadIds> type() {
            return TYPE;
        }

        @Override
        public MessageType<Bytes> responseType() {
            return Bytes.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(term);
            out.writeString(graph);
            out.writeLong(first);
            out.writeInt(count);
        }

        private static ReadIds read(Importer in) {
            return new ReadIds(in.readLong(), in.readString(), in.readLong(), in.readInt());
        }
    }

    /**
     * Ordinal of an id.
     *
     * @param term the master's term
     * @param graph name of the graph
     * @param id the id
     */
    record FindOrdinal(long term, String graph, long id) implements QueryMessage, Command<Numbers> {
        /** Type 3026. */
        public static final MessageType<FindOrdinal> TYPE =
                new MessageType<>(3026, "FindOrdinal", FindOrdinal::read);

        @Override
        public MessageType<FindOrdinal> type() {
            return TYPE;
        }

        @Override
        public MessageType<Numbers> responseType() {
            return Numbers.TYPE;
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
    record MeasureGraph(long term, String graph) implements QueryMessage, Command<Numbers> {
        /** Type 3051. */
        public static final MessageType<MeasureGraph> TYPE =
                new MessageType<>(3051, "MeasureGraph", MeasureGraph::read);

        @Override
        public MessageType<MeasureGraph> type() {
            return TYPE;
        }

        @Override
        public MessageType<Numbers> responseType() {
            return Numbers.TYPE;
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
