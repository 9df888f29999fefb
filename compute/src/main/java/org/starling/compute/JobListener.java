package org.starling.compute;

/** Hears how a job goes on. Called by the job's thread; must return soon. */
public interface JobListener {
    /** Hears nothing. */
    JobListener SILENT =
            new JobListener() {
                @Override
                public void progress(String what, long done, long total) {}

                @Override
                public void superstep(int superstep, long active, long messages) {}
            };

    /** A step is so far; {@code total} is 0 where it is not known. */
    void progress(String what, long done, long total);

    /**
     * A superstep has ended, in which so many vertices computed; messages are those of the run so
     * far.
     */
    void superstep(int superstep, long active, long messages);

    /**
     * A run begins, or goes on from a checkpoint.
     *
     * @param supersteps how many it takes, about; 0 if nobody knows
     * @param messages of it until then
     */
    default void begins(long supersteps, long messages) {}

    /** There is a checkpoint behind the last superstep, from which the run can go on. */
    default void checkpointed() {}

    /** A program has run to its end. */
    default void ran(RunRecord record) {}
}
