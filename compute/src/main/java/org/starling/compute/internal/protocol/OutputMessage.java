package org.starling.compute.internal.protocol;

import java.util.List;
import org.starling.net.RecordMessage.TypeId;

/**
 * Messages by which slaves write results in parallel. Part of {@link ComputeMessage}'s list; ids
 * 3150 to 3153.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface OutputMessage extends ComputeMessage {
    /**
     * Write a state of own shards into files.
     *
     * @param attempt number of this attempt
     * @param graph name of the graph
     * @param state name of the state
     * @param file absolute path beside which the parts stand
     * @param stamp end of their names
     */
    @TypeId(3150)
    record WriteParts(long attempt, String graph, String state, String file, String stamp)
            implements OutputMessage, Command<PartsWritten> {

        @Override
        public long term() {
            return Attempt.term(attempt);
        }
    }

    /**
     * Parts that are there.
     *
     * @param shards their shards
     * @param bytes length of each
     */
    @TypeId(3151)
    record PartsWritten(int[] shards, long[] bytes) implements OutputMessage {}

    /**
     * Write no parts for an attempt any more; answered when nobody does.
     *
     * @param attempt number of the attempt
     */
    @TypeId(3152)
    record EndWriting(long attempt) implements OutputMessage, Command<Done> {

        @Override
        public long term() {
            return Attempt.term(attempt);
        }
    }

    /**
     * Write columns of own shards into files that are tables; answered by {@link PartsWritten}.
     *
     * @param attempt number of this attempt
     * @param graph name of the graph
     * @param columns names of its columns
     * @param format name of the format
     * @param ending of the files' names, behind the point
     * @param folder absolute path of the folder for them, which is there
     */
    @TypeId(3153)
    record WriteTable(
            long attempt,
            String graph,
            List<String> columns,
            String format,
            String ending,
            String folder)
            implements OutputMessage, Command<PartsWritten> {
        @Override
        public long term() {
            return Attempt.term(attempt);
        }
    }
}
