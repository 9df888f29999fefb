package org.starling.compute.internal.protocol;

import org.starling.graph.BuildOptions;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.Message;
import org.starling.net.MessageType;

/**
 * Messages by which a master leads slaves through a build, in the order of its steps: edges are
 * read, ids get ranks, ranks get ordinals, edges go to the owners of their ends, rows are made.
 * Part of {@link ComputeMessage}'s list; ids 3005 to 3014, 3040, 3052 and 3053.
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

    /**
     * Sort the ids that were read and give a sample.
     *
     * @param build number of the build
     * @param samples largest number of ids wanted
     */
    record SampleIds(long build, int samples) implements BuildCommand<Numbers> {
        /** Type 3007. */
        public static final MessageType<SampleIds> TYPE =
                new MessageType<>(3007, "SampleIds", SampleIds::read);

        @Override
        public MessageType<SampleIds> type() {
            return TYPE;
        }

        @Override
        public MessageType<Numbers> responseType() {
            return Numbers.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(build);
            out.writeInt(samples);
        }

        private static SampleIds read(Importer in) {
            return new SampleIds(in.readLong(), in.readInt());
        }
    }

    /**
     * Send each id to the slave of its range.
     *
     * @param build number of the build
     * @param splitters first id of each range but the first
     */
    record ExchangeIds(long build, long[] splitters) implements BuildCommand<Numbers> {
        /** Type 3008. */
        public static final MessageType<ExchangeIds> TYPE =
                new MessageType<>(3008, "ExchangeIds", ExchangeIds::read);

        @Override
        public MessageType<ExchangeIds> type() {
            return TYPE;
        }

        @Override
        public MessageType<Numbers> responseType() {
            return Numbers.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(build);
            out.writeLongs(splitters);
        }

        private static ExchangeIds read(Importer in) {
            return new ExchangeIds(in.readLong(), in.readLongs());
        }
    }

    /**
     * Answer with the ordinals of the ids that came.
     *
     * @param build number of the build
     * @param firstOrdinal ordinal of the first id of this range
     */
    record RankIds(long build, long firstOrdinal) implements BuildCommand<Done> {
        /** Type 3009. */
        public static final MessageType<RankIds> TYPE =
                new MessageType<>(3009, "RankIds", RankIds::read);

        @Override
        public MessageType<RankIds> type() {
            return TYPE;
        }

        @Override
        public MessageType<Done> responseType() {
            return Done.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(build);
            out.writeLong(firstOrdinal);
        }

        private static RankIds read(Importer in) {
            return new RankIds(in.readLong(), in.readLong());
        }
    }

    /**
     * Turn ids of edges into ranks and count the ends of the edges that were read here.
     *
     * @param build number of the build
     * @param rankBounds first rank of each slave's own vertices, and behind them the number of
     *     vertices
     * @param averageDegree ends of edges per vertex, at least 1
     */
    record CountDegrees(long build, long[] rankBounds, long averageDegree)
            implements BuildCommand<Done> {
        /** Type 3010. */
        public static final MessageType<CountDegrees> TYPE =
                new MessageType<>(3010, "CountDegrees", CountDegrees::read);

        @Override
        public MessageType<CountDegrees> type() {
            return TYPE;
        }

        @Override
        public MessageType<Done> responseType() {
            return Done.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(build);
            out.writeLongs(rankBounds);
            out.writeLong(averageDegree);
        }

        private static CountDegrees read(Importer in) {
            return new CountDegrees(in.readLong(), in.readLongs(), in.readLong());
        }
    }

    /**
     * Tell whoever is responsible for a rank how many ends it has; answered with the number of own
     * vertices in each group of degrees.
     *
     * @param build number of the build
     */
    record ShareDegrees(long build) implements BuildCommand<Numbers> {
        /** Type 3053. */
        public static final MessageType<ShareDegrees> TYPE =
                new MessageType<>(3053, "ShareDegrees", ShareDegrees::read);

        @Override
        public MessageType<ShareDegrees> type() {
            return TYPE;
        }

        @Override
        public MessageType<Numbers> responseType() {
            return Numbers.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(build);
        }

        private static ShareDegrees read(Importer in) {
            return new ShareDegrees(in.readLong());
        }
    }

    /**
     * Give own vertices their ordinals and tell everybody; answered with the ends of their edges in
     * each granule of ordinals.
     *
     * @param build number of the build
     * @param groupFirsts ordinal of the first own vertex of each group
     * @param granuleShift vertices per granule, as a power of two
     */
    record OrderVertices(long build, long[] groupFirsts, int granuleShift)
            implements BuildCommand<Numbers> {
        /** Type 3052. */
        public static final MessageType<OrderVertices> TYPE =
                new MessageType<>(3052, "OrderVertices", OrderVertices::read);

        @Override
        public MessageType<OrderVertices> type() {
            return TYPE;
        }

        @Override
        public MessageType<Numbers> responseType() {
            return Numbers.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(build);
            out.writeLongs(groupFirsts);
            out.writeInt(granuleShift);
        }

        private static OrderVertices read(Importer in) {
            return new OrderVertices(in.readLong(), in.readLongs(), in.readInt());
        }
    }

    /**
     * Get ready for edges of these shards.
     *
     * @param build number of the build
     * @param shardFirsts first ordinal of each shard, and the number of vertices
     * @param shardOwners node of each shard
     */
    record PrepareExchange(long build, long[] shardFirsts, int[] shardOwners)
            implements BuildCommand<Done> {
        /** Type 3011. */
        public static final MessageType<PrepareExchange> TYPE =
                new MessageType<>(3011, "PrepareExchange", PrepareExchange::read);

        @Override
        public MessageType<PrepareExchange> type() {
            return TYPE;
        }

        @Override
        public MessageType<Done> responseType() {
            return Done.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(build);
            out.writeLongs(shardFirsts);
            out.writeInts(shardOwners);
        }

        private static PrepareExchange read(Importer in) {
            return new PrepareExchange(in.readLong(), in.readLongs(), in.readInts());
        }
    }

    /**
     * Send each edge to the slaves of its ends.
     *
     * @param build number of the build
     */
    record SendEdges(long build) implements BuildCommand<Done> {
        /** Type 3040. */
        public static final MessageType<SendEdges> TYPE =
                new MessageType<>(3040, "SendEdges", SendEdges::read);

        @Override
        public MessageType<SendEdges> type() {
            return TYPE;
        }

        @Override
        public MessageType<Done> responseType() {
            return Done.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(build);
        }

        private static SendEdges read(Importer in) {
            return new SendEdges(in.readLong());
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
    record EndBuild(long build, boolean succeeded) implements BuildCommand<Numbers> {
        /** Type 3014. */
        public static final MessageType<EndBuild> TYPE =
                new MessageType<>(3014, "EndBuild", EndBuild::read);

        @Override
        public MessageType<EndBuild> type() {
            return TYPE;
        }

        @Override
        public MessageType<Numbers> responseType() {
            return Numbers.TYPE;
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
