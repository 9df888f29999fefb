package org.starling.compute.internal.protocol;

import org.starling.graph.BuildOptions;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;

/**
 * Messages by which a master leads slaves through a build, in the order of its steps: edges are
 * read, ids get ranks, ranks get ordinals, edges go to the owners of their ends, rows are made.
 * Part of {@link ComputeMessage}'s list; ids 3005, 3006, 3012 to 3014 and 3055.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface BuildMessage extends ComputeMessage {
    /** A step of a build. */
    non-sealed interface BuildCommand<R extends Message> extends BuildMessage, Command<R> {
        /** Number of the build. */
        long build();

        @Override
        default long term() {
            return Attempt.term(build());
        }
    }

    /**
     * Read these parts of an edge source.
     *
     * @param build number of the build
     * @param source name of the source
     * @param parameters its parameters, JSON
     * @param options what graph is wanted
     * @param parts numbers of parts
     * @param slaves node of each slave; the order is the order of ranges
     */
    record BuildRead(
            long build,
            String source,
            String parameters,
            BuildOptions options,
            int[] parts,
            int[] slaves)
            implements BuildCommand<PartReport> {
        /** Type 3005. */
        public static final MessageType<BuildRead> TYPE =
                new MessageType<>(3005, "BuildRead", BuildRead::read);

        @Override
        public MessageType<BuildRead> type() {
            return TYPE;
        }

        @Override
        public MessageType<PartReport> responseType() {
            return PartReport.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(build);
            out.writeString(source);
            out.writeString(parameters);
            out.writeBoolean(options.directed());
            out.writeBoolean(options.keepInputDegrees());
            out.writeBoolean(options.incoming());
            out.writeBoolean(options.wideNeighbours());
            out.writeInts(parts);
            out.writeInts(slaves);
        }

        private static BuildRead read(Importer in) {
            return new BuildRead(
                    in.readLong(),
                    in.readString(),
                    in.readString(),
                    new BuildOptions(
                            in.readBoolean(), in.readBoolean(), in.readBoolean(), in.readBoolean()),
                    in.readInts(),
                    in.readInts());
        }
    }

    /**
     * What the parts held.
     *
     * @param summaries four numbers for each part: lines, vertices, entries, checksum
     * @param edges edges kept
     * @param selfLoops edges dropped because both ends were the same
     */
    record PartReport(long[] summaries, long edges, long selfLoops) implements BuildMessage {
        /** Type 3006. */
        public static final MessageType<PartReport> TYPE =
                new MessageType<>(3006, "PartReport", PartReport::read);

        @Override
        public MessageType<PartReport> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLongs(summaries);
            out.writeLong(edges);
            out.writeLong(selfLoops);
        }

        private static PartReport read(Importer in) {
            return new PartReport(in.readLongs(), in.readLong(), in.readLong());
        }
    }

    /** A step between reading edges and making rows, in this order. */
    enum Step {
        /**
         * Sort the ids that were read; answered with a sample of them.
         *
         * <p>{@code number}: the most that are wanted.
         */
        SAMPLE_IDS,
        /**
         * Send each id to the slave of its range; answered with the number of ids in the own range.
         *
         * <p>{@code numbers}: first id of each range but the first.
         */
        EXCHANGE_IDS,
        /**
         * Answer with the ranks of the ids that came.
         *
         * <p>{@code numbers}: rank of the first id of the own range.
         */
        RANK_IDS,
        /**
         * Turn ids of edges into ranks and count the ends of the edges that were read here.
         *
         * <p>{@code number}: ends of edges per vertex, at least 1; {@code numbers}: first rank of
         * each slave's own vertices, and behind them the number of vertices.
         */
        COUNT_DEGREES,
        /**
         * Tell whoever is responsible for a rank how many ends it has; answered with the number of
         * own vertices in each group of degrees.
         */
        SHARE_DEGREES,
        /**
         * Give own vertices their ordinals and tell everybody; answered with the ends of their
         * edges in each granule of ordinals.
         *
         * <p>{@code number}: vertices per granule, as a power of two; {@code numbers}: ordinal of
         * the first own vertex of each group.
         */
        ORDER_VERTICES,
        /**
         * Get ready for edges of the own shards.
         *
         * <p>{@code numbers}: first ordinal of each shard, and the number of vertices; {@code
         * nodes}: owner of each shard.
         */
        PREPARE_EXCHANGE,
        /** Send each edge to the slaves of its ends. */
        SEND_EDGES
    }

    /**
     * Do a step.
     *
     * @param build number of the build
     * @param step which
     * @param number what the step says
     * @param numbers what the step says
     * @param nodes what the step says
     */
    record BuildStep(long build, Step step, long number, long[] numbers, int[] nodes)
            implements BuildCommand<Numbers>, Question {
        /** Type 3055. */
        public static final MessageType<BuildStep> TYPE =
                new MessageType<>(3055, "BuildStep", BuildStep::read);

        @Override
        public MessageType<BuildStep> type() {
            return TYPE;
        }

        @Override
        @SuppressWarnings("EnumOrdinal") // the number on the wire
        public void write(Exporter out) {
            out.writeLong(build);
            out.writeInt(step.ordinal());
            out.writeLong(number);
            out.writeLongs(numbers);
            out.writeInts(nodes);
        }

        private static BuildStep read(Importer in) {
            return new BuildStep(
                    in.readLong(),
                    step(in.readInt()),
                    in.readLong(),
                    in.readLongs(),
                    in.readInts());
        }

        private static Step step(int number) {
            Step[] steps = Step.values();
            if (number < 0 || number >= steps.length) {
                throw new MalformedMessageException("unknown step " + number);
            }
            return steps[number];
        }
    }

    /**
     * Make rows of the edges that came.
     *
     * @param build number of the build
     * @param replicated whether the rows have backups
     */
    record MakeRows(long build, boolean replicated) implements BuildCommand<RowReport> {
        /** Type 3012. */
        public static final MessageType<MakeRows> TYPE =
                new MessageType<>(3012, "MakeRows", MakeRows::read);

        @Override
        public MessageType<MakeRows> type() {
            return TYPE;
        }

        @Override
        public MessageType<RowReport> responseType() {
            return RowReport.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(build);
            out.writeBoolean(replicated);
        }

        private static MakeRows read(Importer in) {
            return new MakeRows(in.readLong(), in.readBoolean());
        }
    }

    /**
     * Chunks of the rows of own shards.
     *
     * @param shards the shards
     * @param outRanges first chunk of each
     * @param inRanges first chunk of each, empty if undirected
     * @param idChunks chunk of ids of each, empty if dense
     * @param storedEdges edges in rows of outgoing edges
     * @param duplicates edges dropped because an equal one was there
     */
    record RowReport(
            int[] shards,
            long[] outRanges,
            long[] inRanges,
            long[] idChunks,
            long storedEdges,
            long duplicates)
            implements BuildMessage {
        /** Type 3013. */
        public static final MessageType<RowReport> TYPE =
                new MessageType<>(3013, "RowReport", RowReport::read);

        @Override
        public MessageType<RowReport> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeInts(shards);
            out.writeLongs(outRanges);
            out.writeLongs(inRanges);
            out.writeLongs(idChunks);
            out.writeLong(storedEdges);
            out.writeLong(duplicates);
        }

        private static RowReport read(Importer in) {
            return new RowReport(
                    in.readInts(),
                    in.readLongs(),
                    in.readLongs(),
                    in.readLongs(),
                    in.readLong(),
                    in.readLong());
        }
    }

    /**
     * Forget a build. If it failed, remove its chunks, and say which others have made, in this one
     * and in builds of older masters: first chunk and number of each range.
     *
     * @param build number of the build
     * @param succeeded whether the graph stands
     */
    record EndBuild(long build, boolean succeeded) implements BuildCommand<Numbers>, Question {
        /** Type 3014. */
        public static final MessageType<EndBuild> TYPE =
                new MessageType<>(3014, "EndBuild", EndBuild::read);

        @Override
        public MessageType<EndBuild> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(build);
            out.writeBoolean(succeeded);
        }

        private static EndBuild read(Importer in) {
            return new EndBuild(in.readLong(), in.readBoolean());
        }
    }
}
