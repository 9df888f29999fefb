package org.starling.compute.internal.protocol;

import java.util.List;
import org.starling.graph.BuildOptions;
import org.starling.graph.PartSummary;
import org.starling.net.RecordMessage;
import org.starling.net.RecordMessage.TypeId;

/**
 * Messages by which a master leads slaves through a build, in the order of its steps: edges are
 * read, ids get ranks, ranks get ordinals, edges go to the owners of their ends, rows are made.
 * Part of {@link ComputeMessage}'s list; ids 3005, 3012, 3014, 3055, 3140, 3163 and 3164.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface BuildMessage extends ComputeMessage {
    /** A step of a build. */
    non-sealed interface BuildCommand<R extends RecordMessage> extends BuildMessage, Command<R> {
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
     * @param jars digests of the job's jars
     */
    @TypeId(3005)
    record BuildRead(
            long build,
            String source,
            String parameters,
            BuildOptions options,
            int[] parts,
            int[] slaves,
            List<String> jars)
            implements BuildCommand<PartReport> {}

    /**
     * Take the vertices of own shards of another graph that a condition holds for. Their rows
     * follow with {@link Step#READ_ROWS}.
     *
     * @param build number of the build
     * @param graph name of the other graph
     * @param vertices condition on vertices; empty if all are taken
     * @param edges condition on edges; empty if all are taken whose ends are
     * @param options what graph is wanted
     * @param slaves node of each slave; the order is the order of ranges
     */
    @TypeId(3140)
    record BuildProjection(
            long build,
            String graph,
            String vertices,
            String edges,
            BuildOptions options,
            int[] slaves)
            implements BuildCommand<PartReport> {}

    /**
     * What the parts held.
     *
     * @param summaries of the parts, in the order in which they were named
     * @param edges edges kept
     * @param selfLoops edges dropped because both ends were the same
     */
    @TypeId(3164)
    record PartReport(PartSummary[] summaries, long edges, long selfLoops)
            implements BuildMessage {}

    /** A step between reading edges and making rows, in this order. */
    enum Step {
        /**
         * Sort the ids that were read; answered with a sample of them, packed if they are texts.
         *
         * <p>{@code number}: the most that are wanted.
         */
        SAMPLE_IDS,
        /**
         * Send each id to the slave of its range; answered with the number of ids in the own range.
         *
         * <p>{@code numbers}: first id of each range but the first, packed if they are texts.
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
        SEND_EDGES,
        /** Tell everybody the ranks of vertices that were taken of another graph. */
        SHARE_RANKS,
        /**
         * Take edges of rows of the other graph; answered with their number.
         *
         * <p>{@code number}: vertices of the new graph.
         */
        READ_ROWS,
        /**
         * Tell a text of the own range, packed; answered with nothing if it is in another one.
         *
         * <p>{@code number}: its rank.
         */
        TEXT_OF
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
    @TypeId(3055)
    record BuildStep(long build, Step step, long number, long[] numbers, int[] nodes)
            implements BuildCommand<Numbers> {}

    /**
     * Make rows of the edges that came.
     *
     * @param build number of the build
     * @param replicated whether the rows have backups
     */
    @TypeId(3012)
    record MakeRows(long build, boolean replicated) implements BuildCommand<RowReport> {}

    /**
     * Chunks of the rows of own shards.
     *
     * @param shards the shards
     * @param outRanges first chunk of each
     * @param inRanges first chunk of each, empty if undirected
     * @param idChunks chunk of ids of each, empty if dense
     * @param propertyRanges first chunk of values of properties of each, empty if there are none
     * @param storedEdges edges in rows of outgoing edges
     * @param duplicates edges dropped because an equal one was there
     * @param stringBytes bytes of dictionaries of strings, and of ids that are texts
     * @param twice rank of a vertex that has properties twice, where ids are texts; -1 if none has
     */
    @TypeId(3163)
    record RowReport(
            int[] shards,
            long[] outRanges,
            long[] inRanges,
            long[] idChunks,
            long[] propertyRanges,
            long storedEdges,
            long duplicates,
            long stringBytes,
            long twice)
            implements BuildMessage {}

    /**
     * Forget a build. If it failed, remove those of its chunks, and of builds of older masters,
     * that have no backups.
     *
     * @param build number of the build
     * @param stands whether there is a descriptor that leads to its chunks
     */
    @TypeId(3014)
    record EndBuild(long build, boolean stands) implements BuildCommand<Done> {}
}
