package org.starling.compute.internal.protocol;

import java.util.List;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.protocol.RunMessage.RunCommand;
import org.starling.net.RecordMessage.TypeId;

/**
 * Messages by which a master leads slaves through changes of the topology at a barrier. Part of
 * {@link ComputeMessage}'s list; ids 3120 to 3128.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface TopologyMessage extends ComputeMessage {
    /**
     * Put what programs have asked for into chunks; the answer is the chunk for each slave, and
     * behind them one for all, 0 where there is none.
     *
     * @param run number of the run
     * @param attempt under which the chunks are made
     * @param slaves node ids of all slaves
     */
    @TypeId(3120)
    record SendChanges(long run, long attempt, int[] slaves)
            implements TopologyMessage, RunCommand<ComputeMessage.Numbers> {}

    /**
     * Find the ordinals of ids that are named; the answer is a chunk that has those that are here,
     * or 0.
     *
     * @param run number of the run
     * @param attempt under which the chunk is made
     * @param forAll chunks of changes that concern all
     */
    @TypeId(3121)
    record FindNamed(long run, long attempt, long[] forAll)
            implements TopologyMessage, RunCommand<ComputeMessage.Numbers> {}

    /**
     * Make the rows of a new version of the graph.
     *
     * @param run number of the run
     * @param version number under which the chunks are made
     * @param replicated whether they get backups
     * @param own chunks of changes that concern this slave
     * @param forAll chunks of changes that concern all
     * @param found chunks of ordinals that were found
     * @param slaves node ids of all slaves
     */
    @TypeId(3122)
    record MakeVersion(
            long run,
            long version,
            boolean replicated,
            long[] own,
            long[] forAll,
            long[] found,
            int[] slaves)
            implements TopologyMessage, RunCommand<VersionReport> {}

    /**
     * A slave's part of a version.
     *
     * @param shards the own shards
     * @param outRanges first chunk of each one's rows
     * @param inRanges the same of incoming edges; empty if there are none
     * @param idChunks chunk of each one's ids
     * @param storedEdges edges in rows of outgoing edges
     * @param firstAdded ordinal of the first vertex that comes
     * @param ordinals number of ordinals
     * @param gone how many of them lead to nobody
     * @param goneChunk chunk that says which, made by one slave; 0 from the others
     */
    @TypeId(3123)
    record VersionReport(
            int[] shards,
            long[] outRanges,
            long[] inRanges,
            long[] idChunks,
            long storedEdges,
            long firstAdded,
            long ordinals,
            long gone,
            long goneChunk)
            implements TopologyMessage {}

    /**
     * Write a descriptor into a chunk; the answer is its id.
     *
     * @param number of the build or version, under which the chunk is made
     * @param replicated whether it gets backups
     * @param descriptor its text
     */
    @TypeId(3124)
    record SaveDescriptor(long number, boolean replicated, String descriptor)
            implements TopologyMessage, Command<ComputeMessage.Numbers> {
        @Override
        public long term() {
            return Attempt.term(number);
        }
    }

    /**
     * What states does a graph have?
     *
     * @param term the master's term
     * @param graph its name
     */
    @TypeId(3125)
    record ListStates(long term, String graph) implements TopologyMessage, Command<StateList> {}

    /**
     * All states of a graph.
     *
     * @param names ascending
     * @param types of them
     */
    @TypeId(3126)
    record StateList(List<String> names, List<StateType> types) implements TopologyMessage {}

    /**
     * Make a version without ordinals that lead to nobody, and states for it.
     *
     * @param run number of the run
     * @param version number under which rows are made
     * @param checkpoint number under which states are made
     * @param replicated whether both get backups
     * @param types of the states
     * @param states for each shard of the graph as it is, the chunk of the first state
     */
    @TypeId(3127)
    record PackVersion(
            long run,
            long version,
            long checkpoint,
            boolean replicated,
            List<StateType> types,
            long[] states)
            implements TopologyMessage, RunCommand<PackReport> {}

    /**
     * A slave's part of a packed version.
     *
     * @param rows rows and ids; ordinals are those of the packed version
     * @param states first chunk of each own shard's states
     */
    @TypeId(3128)
    record PackReport(VersionReport rows, long[] states) implements TopologyMessage {}
}
