package org.starling.compute.internal.protocol;

import java.util.List;
import org.starling.compute.internal.graph.GraphVersion;
import org.starling.compute.internal.graph.MovedShard;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredColumn;
import org.starling.compute.internal.protocol.QueryMessage.Copied;
import org.starling.compute.internal.protocol.RunMessage.RunCommand;
import org.starling.net.RecordMessage.TypeId;

/**
 * Messages by which graphs find their owners, and work goes on after a loss. Part of {@link
 * ComputeMessage}'s list; ids 3015, 3041 to 3050, 3062 to 3064, 3066, 3067 and 3070.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface RecoveryMessage extends ComputeMessage {
    /**
     * Here is a graph; one of that name that was there is let go.
     *
     * @param number number of this command
     * @param graph its name in this job
     * @param descriptorChunk chunk of its descriptor
     * @param build build it came from, which has its input degrees; 0 if none
     * @param owners node of each shard now
     * @param columns published columns, which become states when they are read
     * @param version what belongs to it if a program has made it
     * @param keepsStates whether the graph of that name that is there is an older version, whose
     *     states stay
     * @param moved shards that are not where the descriptor says
     */
    @TypeId(3015)
    record Attach(
            long number,
            String graph,
            long descriptorChunk,
            long build,
            int[] owners,
            List<StoredColumn> columns,
            GraphVersion version,
            boolean keepsStates,
            List<MovedShard> moved)
            implements RecoveryMessage, Command<Done> {

        @Override
        public long term() {
            return Attempt.term(number);
        }
    }

    /**
     * Copy shards of others to this node; the answer says where, with numbers as columns. Each copy
     * is made for a number of its own, as chunks of a checkpoint are.
     *
     * @param term the master's term
     * @param graph its name in this job
     * @param descriptorChunk chunk of its descriptor
     * @param moved shards that are not where the descriptor says
     * @param shards those to be copied, none of them empty
     * @param numbers number of each copy
     */
    @TypeId(3066)
    record MoveShards(
            long term,
            String graph,
            long descriptorChunk,
            List<MovedShard> moved,
            int[] shards,
            long[] numbers)
            implements RecoveryMessage, Command<Copied> {}

    /**
     * The job does without this node from now on: let go of everything that it has here, but leave
     * its chunks.
     *
     * @param term the master's term
     */
    @TypeId(3067)
    record LeaveJob(long term) implements RecoveryMessage, Command<Done> {}

    /**
     * Let a graph go, with its states, but leave its chunks.
     *
     * @param term the master's term
     * @param graph its name
     */
    @TypeId(3049)
    record Detach(long term, String graph) implements RecoveryMessage, Command<Done> {}

    /**
     * These are the published columns of a graph from now on.
     *
     * @param term the master's term
     * @param graph name of the graph
     * @param columns all of them
     */
    @TypeId(3062)
    record SetColumns(long term, String graph, List<StoredColumn> columns)
            implements RecoveryMessage, Command<Done> {}

    /**
     * Forget a checkpoint, but leave its chunks: they are published.
     *
     * @param term the master's term
     * @param checkpoint number of the checkpoint
     */
    @TypeId(3063)
    record ReleaseCheckpoint(long term, long checkpoint)
            implements RecoveryMessage, Command<Done> {}

    /**
     * A job is over: let go of everything that it has here, chunks without backups included, and
     * refuse what else comes for it.
     *
     * @param term the master's term
     */
    @TypeId(3070)
    record EndJob(long term) implements RecoveryMessage, Command<Done> {}

    /**
     * A task begins.
     *
     * @param term the master's term
     * @param task its number
     * @param weight how much of the node's cores the job gets, beside others
     */
    @TypeId(3041)
    record BeginTask(long term, int task, int weight) implements RecoveryMessage, Command<Done> {}

    /**
     * Remove the chunks of a graph that this node owns.
     *
     * @param term the master's term
     * @param descriptorChunk chunk of its descriptor
     */
    @TypeId(3042)
    record RemoveGraph(long term, long descriptorChunk) implements RecoveryMessage, Command<Done> {}

    /**
     * Write states of a graph into chunks with backups.
     *
     * @param checkpoint number of the checkpoint
     * @param graph name of the graph
     * @param states their names
     */
    @TypeId(3043)
    record SaveStates(long checkpoint, String graph, List<String> states)
            implements RecoveryMessage, Command<Saved> {

        @Override
        public long term() {
            return Attempt.term(checkpoint);
        }
    }

    /**
     * Write what a run knows between two supersteps into chunks with backups.
     *
     * @param run number of the run
     * @param checkpoint number of the checkpoint
     * @param superstep the superstep to come
     * @param expected records that must have come for it from sends of the superstep before
     */
    @TypeId(3044)
    record SaveRun(long run, long checkpoint, int superstep, long expected)
            implements RecoveryMessage, RunCommand<Saved> {}

    /**
     * Chunks of own shards.
     *
     * @param shards the shards
     * @param chunks first chunk of each; 0 if the shard is empty
     * @param histograms for each histogram of a run its length and its counts
     */
    @TypeId(3045)
    record Saved(int[] shards, long[] chunks, long[] histograms) implements RecoveryMessage {}

    /**
     * Take states of a graph out of chunks.
     *
     * @param term the master's term
     * @param checkpoint number of the checkpoint that they came from
     * @param graph name of the graph
     * @param states their names
     * @param types of the states
     * @param chunks for each shard the chunk of the first state
     */
    @TypeId(3046)
    record RestoreStates(
            long term,
            long checkpoint,
            String graph,
            List<String> states,
            List<StateType> types,
            long[] chunks)
            implements RecoveryMessage, Command<Done> {
        public RestoreStates {
            if (states.size() != types.size()) {
                throw new IllegalArgumentException(
                        types.size() + " types of " + states.size() + " states");
            }
        }
    }

    /**
     * Take a run's knowledge out of chunks; it has just been prepared.
     *
     * @param run number of the run
     * @param checkpoint number of the checkpoint that it came from
     * @param superstep the superstep to come
     * @param chunks chunk of each shard; 0 if it is empty
     */
    @TypeId(3047)
    record RestoreRun(long run, long checkpoint, int superstep, long[] chunks)
            implements RecoveryMessage, RunCommand<Done> {}

    /**
     * Of all checkpoints but these, remove the chunks that have no backups.
     *
     * @param term the master's term
     * @param checkpoints numbers of those that are needed
     */
    @TypeId(3048)
    record KeepCheckpoints(long term, long[] checkpoints)
            implements RecoveryMessage, Command<Done> {}

    /**
     * Write where a checkpoint's chunks are into a chunk; the answer is its id.
     *
     * @param checkpoint number of the checkpoint
     * @param replicated whether the chunk gets backups, as those that it names
     * @param numbers the text
     */
    @TypeId(3050)
    record SaveManifest(long checkpoint, boolean replicated, long[] numbers)
            implements RecoveryMessage, Command<Numbers> {

        @Override
        public long term() {
            return Attempt.term(checkpoint);
        }
    }
}
