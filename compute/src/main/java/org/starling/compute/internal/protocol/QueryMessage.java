package org.starling.compute.internal.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.StateType;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.RecordRequest;

/**
 * Questions to slaves, and what they answer: values of states, ids, what a graph takes, how the
 * process is. Part of {@link ComputeMessage}'s list; ids 3026, 3027, 3051, 3054, 3056, 3057, 3059
 * to 3061, 3065, 3071, 3072, 3080 to 3088, 3141, 3142 and 3160 to 3162.
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
    @TypeId(3056)
    record ReadVertices(long term, String graph, String state, long first, int count)
            implements QueryMessage, Command<VertexValues> {}

    /**
     * Vertices of a shard.
     *
     * @param ids their ids, 8 bytes each; of strings fewer than were asked for, if these are long
     * @param valueType of the state; null if none was named
     * @param values their values of the state; empty if none was named. A string is its length (4
     *     bytes) and its UTF-8
     */
    @TypeId(3057)
    record VertexValues(byte[] ids, @Nullable StateType valueType, byte[] values)
            implements QueryMessage {}

    /**
     * Ordinal of an id.
     *
     * @param term the master's term
     * @param graph name of the graph
     * @param id the id
     */
    @TypeId(3026)
    record FindOrdinal(long term, String graph, long id)
            implements QueryMessage, Command<Numbers> {}

    /**
     * Ids of vertices of a slave's shards.
     *
     * @param term the master's term
     * @param graph name of the graph
     * @param ordinals of the vertices, in any order
     */
    @TypeId(3080)
    record FindIds(long term, String graph, long[] ordinals)
            implements QueryMessage, Command<Numbers> {}

    /**
     * Texts of ids, all of which are with a slave's shards.
     *
     * @param term the master's term
     * @param graph name of the graph
     * @param numbers of the vertices, in any order
     */
    @TypeId(3160)
    record FindTexts(long term, String graph, long[] numbers)
            implements QueryMessage, Command<TextsFound> {}

    /**
     * Texts of ids.
     *
     * @param texts of the first ones that were asked for, at least one: as many as fit into an
     *     answer
     */
    @TypeId(3161)
    record TextsFound(List<String> texts) implements QueryMessage {}

    /**
     * Numbers of ids that are texts, or -1 for those that are not with a slave's shards.
     *
     * @param term the master's term
     * @param graph name of the graph
     * @param texts the ids
     */
    @TypeId(3162)
    record FindNumbers(long term, String graph, List<String> texts)
            implements QueryMessage, Command<Numbers> {}

    /**
     * What a slave holds of a graph: shards, vertices, neighbours, and bytes of neighbours and of
     * the rest.
     *
     * @param term the master's term
     * @param graph name of the graph
     */
    @TypeId(3051)
    record MeasureGraph(long term, String graph) implements QueryMessage, Command<Numbers> {}

    /**
     * Which columns do vertices of a graph have: states, published columns, properties?
     *
     * @param term the master's term
     * @param graph name of the graph
     */
    @TypeId(3141)
    record AskColumns(long term, String graph) implements QueryMessage, Command<ColumnNames> {}

    /**
     * Columns of vertices.
     *
     * @param names their names
     * @param types the type of each
     */
    @TypeId(3142)
    record ColumnNames(List<String> names, List<StateType> types) implements QueryMessage {}

    /**
     * What does a job do that the node leads?
     *
     * @param job its number
     */
    @TypeId(3081)
    record AskActivity(long job) implements QueryMessage, RecordRequest<Activity> {}

    /**
     * What a job does.
     *
     * @param json an object; empty if the node does not lead the job, or no task has begun
     */
    @TypeId(3082)
    record Activity(String json) implements QueryMessage {}

    /**
     * How has a job come to where it is that the node leads?
     *
     * @param job its number
     */
    @TypeId(3083)
    record AskCourse(long job) implements QueryMessage, RecordRequest<Course> {}

    /**
     * A job's supersteps so far.
     *
     * @param json an object; empty if the node does not lead the job
     */
    @TypeId(3084)
    record Course(String json) implements QueryMessage {}

    /**
     * What has the node logged lately?
     *
     * @param count lines at most
     * @param least the least urgent level of them
     */
    @TypeId(3085)
    record AskLog(int count, String least) implements QueryMessage, RecordRequest<LogTold> {}

    /**
     * What a node has logged.
     *
     * @param json an object with the last lines
     */
    @TypeId(3086)
    record LogTold(String json) implements QueryMessage {}

    /**
     * A graph is being dropped: let it go if it is still here, behind a job that has ended.
     *
     * @param descriptorChunk chunk of its descriptor
     */
    @TypeId(3065)
    record LetGo(long descriptorChunk) implements QueryMessage, RecordRequest<Done> {}

    /**
     * Chunks of attempts that have ended, in zones that this node owns, are to go. The answer is a
     * number: of those of which something is left.
     *
     * @param names of their records
     */
    @TypeId(3087)
    record RemoveMade(List<String> names) implements QueryMessage, RecordRequest<Numbers> {}

    /**
     * Rows of a graph that is being dropped: their ids are not given to others as long as a chunk
     * bears a mark.
     *
     * @param token of the mark
     * @param witnesses for each range the chunk
     * @param firsts the first id of each range
     * @param counts ids of each range
     */
    @TypeId(3088)
    record WithholdRows(long token, long[] witnesses, long[] firsts, int[] counts)
            implements QueryMessage, RecordRequest<Done> {}

    /**
     * Memory of a kept graph on this node, whether or not a job has it: shards, vertices, and bytes
     * of rows and ids.
     *
     * @param descriptorChunk chunk of its descriptor
     */
    @TypeId(3059)
    record MeasureKept(long descriptorChunk) implements QueryMessage, RecordRequest<Numbers> {}

    /**
     * Copy what this node owns of a kept graph.
     *
     * @param descriptorChunk chunk of its descriptor
     * @param manifests of its columns
     */
    @TypeId(3060)
    record CopyShards(long descriptorChunk, long[] manifests)
            implements QueryMessage, RecordRequest<Copied> {}

    /**
     * Copies of shards.
     *
     * @param shards the shards
     * @param out first chunk of each one's rows of outgoing edges
     * @param in first chunk of each one's rows of incoming edges; empty if there are none
     * @param ids chunk of each one's ids
     * @param columns for each shard the chunk of each column, one after the other
     * @param properties first chunk of each one's properties; empty if there are none
     */
    @TypeId(3061)
    record Copied(
            int[] shards, long[] out, long[] in, long[] ids, long[] columns, long[] properties)
            implements QueryMessage {}

    /** How is the process? */
    @TypeId(3027)
    record Status() implements QueryMessage, RecordRequest<StatusReport> {}

    /**
     * How a process is.
     *
     * @param peakResidentBytes largest resident memory so far
     * @param freeBytes memory that its machine could still give it
     * @param keptBytes memory that it keeps for its next runs
     * @param threads workers of each run
     * @param chunkBytes memory that its chunks use
     */
    @TypeId(3054)
    record StatusReport(
            long peakResidentBytes, long freeBytes, long keptBytes, int threads, long chunkBytes)
            implements QueryMessage {}

    /** What does the master know of jobs that wait and run? */
    @TypeId(3071)
    record AskJobs() implements QueryMessage, RecordRequest<JobsNews> {}

    /**
     * What a master knows of jobs.
     *
     * @param jobs those that wait and run
     */
    @TypeId(3072)
    record JobsNews(List<JobNews> jobs) implements QueryMessage {}

    /**
     * What a master knows of a job.
     *
     * @param job its number
     * @param group whose peers it runs on
     * @param priority beside others
     * @param waitsFor why it waits; empty if it does not
     * @param waitingNanos since when
     */
    record JobNews(long job, String group, String priority, String waitsFor, long waitingNanos) {}
}
