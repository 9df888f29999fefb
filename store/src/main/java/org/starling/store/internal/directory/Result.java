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
     */
    record NodeRegistered(int node) implements Result {}

    /**
     * A barrier has been made.
     *
     * @param barrier its id
     */
    record BarrierCreated(long barrier) implements Result {}

    /**
     * A party has arrived.
     *
     * @param round the round that is open now; greater than the one arrived in when that is
     *     complete
     * @param missing parties that the open round still waits for
     */
    record Arrived(long round, int missing) implements Result {}
}
