package org.starling.store.internal.directory;

/** What the {@link Directory} answers to a {@link Command}. */
public sealed interface Result {
    /**
     * The command was carried out.
     *
     * @param changed whether it changed anything
     */
    record Done(boolean changed) implements Result {}

    /**
     * The command was not carried out and changed nothing.
     *
     * @param reason one sentence for people
     */
    record Refused(String reason) implements Result {}

    /**
     * A node has joined.
     *
     * @param node its id
     * @param incarnation how often that id was handed out before
     * @param firstZone number of the first zone that it may open: earlier bearers of the id may
     *     have opened those below
     */
    record NodeRegistered(int node, int incarnation, int firstZone) implements Result {
        /** The first that has its id. */
        public NodeRegistered(int node) {
            this(node, 0, 0);
        }
    }

    /**
     * A node that is gone counts among nobody's holders any more.
     *
     * @param changed whether it did before
     * @param waiting zones without a live copy that now need the disks of all others who had them
     * @param damaged zones without a live copy that have lost changes for good
     */
    record Forgotten(boolean changed, int waiting, int damaged) implements Result {}

    /**
     * A zone as it is now.
     *
     * @param info the zone
     * @param changed whether the command changed it; false for one that came too late or again
     */
    record Zone(ZoneInfo info, boolean changed) implements Result {}

    /**
     * Who is master now.
     *
     * @param node node id
     * @param term its term
     * @param changed whether the command made it master
     */
    record MasterElected(int node, long term, boolean changed) implements Result {}

    /**
     * A job has been queued.
     *
     * @param job its id
     */
    record JobSubmitted(long job) implements Result {}

    /**
     * A job runs.
     *
     * @param attempt the attempt that has been started
     */
    record JobStarted(long attempt) implements Result {}
}
