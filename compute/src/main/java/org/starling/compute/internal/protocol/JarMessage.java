package org.starling.compute.internal.protocol;

import org.starling.net.RecordMessage.TypeId;
import org.starling.net.RecordRequest;

/** Messages about code of users. Part of {@link ComputeMessage}'s list; ids 3090 to 3092. */
public sealed interface JarMessage extends ComputeMessage {
    /**
     * The job has ended: its code is not used any more.
     *
     * @param term the master's term
     */
    @TypeId(3090)
    record ReleaseCode(long term) implements JarMessage, Command<Done> {}

    /**
     * Is this a job that can run? From a superpeer, which runs no code of users, to a peer, which
     * loads the job's jars for it.
     *
     * @param job a {@link org.starling.compute.script.QueuedJob}, JSON
     */
    @TypeId(3091)
    record CheckJob(String job) implements JarMessage, RecordRequest<JobVerdict> {}

    /**
     * What came of a check.
     *
     * @param verdict JSON, see {@link org.starling.compute.internal.jars.Verdict}
     */
    @TypeId(3092)
    record JobVerdict(String verdict) implements JarMessage {}
}
