package org.starling.compute;

/**
 * Where a job's progress becomes durable: a checkpoint is valid when its progress has been
 * committed, and not before. Called by the job's thread.
 */
@FunctionalInterface
public interface CheckpointSink {
    /**
     * Makes progress durable, in the place of what was committed before.
     *
     * @param progress opaque; a new master gives it to the session that goes on
     * @return false if somebody else leads this job now, so that it must stop here
     */
    boolean commit(byte[] progress);
}
