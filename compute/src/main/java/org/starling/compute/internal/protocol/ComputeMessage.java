package org.starling.compute.internal.protocol;

import org.starling.graph.BuildOptions;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.Request;

/**
 * All messages of the room, with their ids. Requests go from the master to slaves; answers come
 * back.
 *
 * <p>Arrays in messages belong to the message: whoever makes one gives them away, whoever reads one
 * does not change them.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface ComputeMessage extends Message {
    /**
     * A master's command. A slave refuses those of masters that are older than the newest it has
     * heard of.
     */
    non-sealed interface Command<R extends Message> extends ComputeMessage, Request<R> {
        /** The master's term. */
        long term();
    }

    /** A step of a build. */
    interface BuildCommand<R extends Message> extends Command<R> {
        /** Number of the build. */
        long build();

        @Override
        default long term() {
            return Attempt.term(build());
        }
    }

    /** A step of a run. */
    interface RunCommand<R extends Message> extends Command<R> {
        /** Number of the run. */
        long run();

        @Override
        default long term() {
            return Attempt.term(run());
        }
    }

    /** How a failure ends a job. */
    enum FailureKind {
        /** Input that makes no sense. */
        INVALID_INPUT,
        /** User code or a bound. */
        JOB_FAILED,
        /** A node that this one needed is lost. */
        LOST,
        /** A bug. */
        INTERNAL,
        /** The command came from a master that has been replaced. */
        STALE;

        /** The kind of this number. */
        @SuppressWarnings("EnumOrdinal") // the number on the wire
        public static FailureKind of(int number) {
            return values()[number];
        }

        /** Number in messages. */
        @SuppressWarnings("EnumOrdinal") // the number on the wire
        public int number() {
            return ordinal();
        }
    }

    /** How broadcasts are delivered. */
    enum Direction {
        /** Nothing was broadcast. */
        NONE,
        /** Along the edges of the broadcasters. */
        PUSH,
        /** Receivers look at their neighbours. */
        PULL,
        /**
         * Receivers look at their neighbours, all of whom have broadcast: every vertex that has
         * edges has.
         */
        PULL_ALL;

        /** The direction of this number. */
        @SuppressWarnings("EnumOrdinal") // the number on the wire
        public static Direction of(int number) {
            return values()[number];
        }

        /** Number in messages. */
        @SuppressWarnings("EnumOrdinal") // the number on the wire
        public byte number() {
            return (byte) ordinal();
        }
    }

    /** Nothing to say but that it is done. */
    record Done() implements ComputeMessage {
        /** Type 3001. */
        public static final MessageType<Done> TYPE = new MessageType<>(3001, "Done", Done::read);

        @Override
        public MessageType<Done> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {}

        private static Done read(Importer in) {
            return new Done();
        }
    }

    /**
     * A list of numbers.
     *
     * @param values the numbers
     */
    record Numbers(long[] values) implements ComputeMessage {
        /** Type 3002. */
        public static final MessageType<Numbers> TYPE =
                new MessageType<>(3002, "Numbers", Numbers::read);

        @Override
        public MessageType<Numbers> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLongs(values);
        }

        private static Numbers read(Importer in) {
            return new Numbers(in.readLongs());
        }
    }

    /**
     * Bytes of a column or a chunk.
     *
     * @param values the bytes
     */
    record Bytes(byte[] values) implements ComputeMessage {
        /** Type 3003. */
        public static final MessageType<Bytes> TYPE = new MessageType<>(3003, "Bytes", Bytes::read);

        @Override
        public MessageType<Bytes> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeBytes(values);
        }

        private static Bytes read(Importer in) {
            return new Bytes(in.readBytes());
        }
    }

    /**
     * What went wrong, for people.
     *
     * @param kind ordinal of {@link FailureKind}
     * @param text one sentence
     */
    record Failure(int kind, String text) implements ComputeMessage {
        /** Type 3004. */
        public static final MessageType<Failure> TYPE =
                new MessageType<>(3004, "Failure", Failure::read);

        @Override
        public MessageType<Failure> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeInt(kind);
            out.writeString(text);
        }

        private static Failure read(Importer in) {
            return new Failure(in.readInt(), in.readString());
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
    record PartReport(long[] summaries, long edges, long selfLoops) implements ComputeMessage {
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
            implements ComputeMessage {
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
     * Forget a build. If it failed, remove its chunks.
     *
     * @param build number of the build
     * @param succeeded whether the graph stands
     */
    record EndBuild(long build, boolean succeeded) implements BuildCommand<Done> {
        /** Type 3014. */
        public static final MessageType<EndBuild> TYPE =
                new MessageType<>(3014, "EndBuild", EndBuild::read);

        @Override
        public MessageType<EndBuild> type() {
            return TYPE;
        }

        @Override
        public MessageType<Done> responseType() {
            return Done.TYPE;
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
    record PrepareReport(long[] startAt, int startsHere) implements ComputeMessage {
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
     * @param expected records that must have come from sends of earlier supersteps
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
            implements ComputeMessage {
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
     */
    record EndReport(long[] histograms) implements ComputeMessage {
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
        }

        private static EndReport read(Importer in) {
            return new EndReport(in.readLongs());
        }
    }

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
            implements Command<StateReply> {
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
    record StateReply(int columnType, byte[] values) implements ComputeMessage {
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
    record ReadIds(long term, String graph, long first, int count) implements Command<Bytes> {
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
    record FindOrdinal(long term, String graph, long id) implements Command<Numbers> {
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
    record MeasureGraph(long term, String graph) implements Command<Numbers> {
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
    record Status() implements ComputeMessage, Request<Numbers> {
        /** Type 3027. */
        public static final MessageType<Status> TYPE =
                new MessageType<>(3027, "Status", Status::read);

        @Override
        public MessageType<Status> type() {
            return TYPE;
        }

        @Override
        public MessageType<Numbers> responseType() {
            return Numbers.TYPE;
        }

        @Override
        public void write(Exporter out) {}

        private static Status read(Importer in) {
            return new Status();
        }
    }
}
