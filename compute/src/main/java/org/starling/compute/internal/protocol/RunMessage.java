package org.starling.compute.internal.protocol;

import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.Message;
import org.starling.net.MessageType;

/**
 * Messages by which a master leads slaves through a run: it is prepared, does its supersteps, and
 * ends. Part of {@link ComputeMessage}'s list; ids 3017 to 3022.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface RunMessage extends ComputeMessage {
    /** A step of a run. */
    non-sealed interface RunCommand<R extends Message> extends RunMessage, Command<R> {
        /** Number of the run. */
        long run();

        @Override
        default long term() {
            return Attempt.term(run());
        }
    }

    /**
     * Get ready to run a program.
     *
     * @param run number of the run
     * @param graph name of the graph
     * @param program name of the program
     * @param parameters its parameters, JSON
     * @param outputs output files by name, JSON
     * @param slaves nodes of all slaves
     */
    record PrepareRun(
            long run, String graph, String program, String parameters, String outputs, int[] slaves)
            implements RunCommand<PrepareReport> {
        /** Type 3017. */
        public static final MessageType<PrepareRun> TYPE =
                new MessageType<>(3017, "PrepareRun", PrepareRun::read);

        @Override
        public MessageType<PrepareRun> type() {
            return TYPE;
        }

        @Override
        public MessageType<PrepareReport> responseType() {
            return PrepareReport.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(run);
            out.writeString(graph);
            out.writeString(program);
            out.writeString(parameters);
            out.writeString(outputs);
            out.writeInts(slaves);
        }

        private static PrepareRun read(Importer in) {
            return new PrepareRun(
                    in.readLong(),
                    in.readString(),
                    in.readString(),
                    in.readString(),
                    in.readString(),
                    in.readInts());
        }
    }

    /**
     * Ready.
     *
     * @param startAt ids that the program wants to start at; empty for all
     * @param startsHere how many of them are here
     */
    record PrepareReport(long[] startAt, int startsHere) implements RunMessage {
        /** Type 3018. */
        public static final MessageType<PrepareReport> TYPE =
                new MessageType<>(3018, "PrepareReport", PrepareReport::read);

        @Override
        public MessageType<PrepareReport> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLongs(startAt);
            out.writeInt(startsHere);
        }

        private static PrepareReport read(Importer in) {
            return new PrepareReport(in.readLongs(), in.readInt());
        }
    }

    /**
     * Do a superstep.
     *
     * @param run number of the run
     * @param superstep its number
     * @param activateAll whether all vertices compute
     * @param directions ordinal of {@link Direction} for each channel
     * @param mirrors whether mirrors have news
     * @param expected records that must have come for it from sends of the superstep before
     * @param aggregates bits of the last superstep's aggregates
     * @param globals bits of the globals
     */
    record Superstep(
            long run,
            int superstep,
            boolean activateAll,
            byte[] directions,
            boolean mirrors,
            long expected,
            long[] aggregates,
            long[] globals)
            implements RunCommand<SuperstepReport> {
        /** Type 3019. */
        public static final MessageType<Superstep> TYPE =
                new MessageType<>(3019, "Superstep", Superstep::read);

        @Override
        public MessageType<Superstep> type() {
            return TYPE;
        }

        @Override
        public MessageType<SuperstepReport> responseType() {
            return SuperstepReport.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(run);
            out.writeInt(superstep);
            out.writeBoolean(activateAll);
            out.writeBytes(directions);
            out.writeBoolean(mirrors);
            out.writeLong(expected);
            out.writeLongs(aggregates);
            out.writeLongs(globals);
        }

        private static Superstep read(Importer in) {
            return new Superstep(
                    in.readLong(),
                    in.readInt(),
                    in.readBoolean(),
                    in.readBytes(),
                    in.readBoolean(),
                    in.readLong(),
                    in.readLongs(),
                    in.readLongs());
        }
    }

    /**
     * What happened in a superstep.
     *
     * @param failureKind ordinal of {@link FailureKind}, or -1
     * @param failure what went wrong, for people
     * @param computed vertices that computed
     * @param sent direct messages, also to own vertices
     * @param sentTo records sent to each slave for the next superstep
     * @param broadcasts broadcasters of each channel
     * @param broadcastEdges edges of the broadcasters of each channel
     * @param published values published in mirrors
     * @param settledEdges edges of vertices that settled, so far
     * @param bytes bytes of blocks for other slaves
     * @param slowestShard the shard that took longest
     * @param slowestNanos how long it took; -1 without shards
     * @param shards own shards
     * @param partials for each own shard the bits of each aggregate
     */
    record SuperstepReport(
            int failureKind,
            String failure,
            long computed,
            long sent,
            long[] sentTo,
            long[] broadcasts,
            long[] broadcastEdges,
            long published,
            long settledEdges,
            long bytes,
            int slowestShard,
            long slowestNanos,
            int[] shards,
            long[] partials)
            implements RunMessage {
        /** Type 3020. */
        public static final MessageType<SuperstepReport> TYPE =
                new MessageType<>(3020, "SuperstepReport", SuperstepReport::read);

        @Override
        public MessageType<SuperstepReport> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeInt(failureKind);
            out.writeString(failure);
            out.writeLong(computed);
            out.writeLong(sent);
            out.writeLongs(sentTo);
            out.writeLongs(broadcasts);
            out.writeLongs(broadcastEdges);
            out.writeLong(published);
            out.writeLong(settledEdges);
            out.writeLong(bytes);
            out.writeInt(slowestShard);
            out.writeLong(slowestNanos);
            out.writeInts(shards);
            out.writeLongs(partials);
        }

        private static SuperstepReport read(Importer in) {
            return new SuperstepReport(
                    in.readInt(),
                    in.readString(),
                    in.readLong(),
                    in.readLong(),
                    in.readLongs(),
                    in.readLongs(),
                    in.readLongs(),
                    in.readLong(),
                    in.readLong(),
                    in.readLong(),
                    in.readInt(),
                    in.readLong(),
                    in.readInts(),
                    in.readLongs());
        }
    }

    /**
     * Forget a run, keep its states.
     *
     * @param run number of the run
     * @param succeeded whether outputs are wanted
     */
    record EndRun(long run, boolean succeeded) implements RunCommand<EndReport> {
        /** Type 3021. */
        public static final MessageType<EndRun> TYPE =
                new MessageType<>(3021, "EndRun", EndRun::read);

        @Override
        public MessageType<EndRun> type() {
            return TYPE;
        }

        @Override
        public MessageType<EndReport> responseType() {
            return EndReport.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(run);
            out.writeBoolean(succeeded);
        }

        private static EndRun read(Importer in) {
            return new EndRun(in.readLong(), in.readBoolean());
        }
    }

    /**
     * What is left of a run.
     *
     * @param histograms for each histogram its length and its counts
     * @param takenBytes native memory that the run had taken on this slave
     */
    record EndReport(long[] histograms, long takenBytes) implements RunMessage {
        /** Type 3022. */
        public static final MessageType<EndReport> TYPE =
                new MessageType<>(3022, "EndReport", EndReport::read);

        @Override
        public MessageType<EndReport> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLongs(histograms);
            out.writeLong(takenBytes);
        }

        private static EndReport read(Importer in) {
            return new EndReport(in.readLongs(), in.readLong());
        }
    }
}
