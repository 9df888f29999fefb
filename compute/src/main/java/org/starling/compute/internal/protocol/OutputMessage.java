package org.starling.compute.internal.protocol;

import org.starling.net.RecordMessage.TypeId;

/**
 * Messages by which slaves write results in parallel. Part of {@link ComputeMessage}'s list; ids
 * 3150 to 3152.
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
}
