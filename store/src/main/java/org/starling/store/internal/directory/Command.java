package org.starling.store.internal.directory;

import org.starling.store.Role;

/**
 * Everything that can change the {@link Directory}. Commands carry all that they depend on, no
 * clock and no chance; their bytes are defined by {@link CommandLayout}.
 */
public sealed interface Command {
    /**
     * A node joins and gets the next node id.
     *
     * @param role what it is for
     * @param host where the others reach it; empty for the in-process loopback
     * @param port likewise
     * @param cores processors it offers
     * @param capabilities bit set of what it offers besides
     */
    record RegisterNode(Role role, String host, int port, int cores, long capabilities)
            implements Command {}

    /**
     * A node has left or is lost. Its id is not used again.
     *
     * @param node node id
     */
    record RemoveNode(int node) implements Command {}

    /**
     * A range of chunks gets an owner other than its creator (or its creator again).
     *
     * @param first the first chunk id
     * @param last the last, of the same creator
     * @param owner node id of a member
     */
    record AssignRange(long first, long last, int owner) implements Command {}

    /**
     * A chunk gets a name; a name that exists moves to it.
     *
     * @param name 1 to 255 bytes of UTF-8
     * @param id chunk id
     */
    record RegisterName(String name, long id) implements Command {}

    /**
     * A name goes away.
     *
     * @param name the name
     */
    record RemoveName(String name) implements Command {}

    /**
     * A barrier for a number of parties.
     *
     * @param parties how many arrive per round, at least 1
     */
    record CreateBarrier(int parties) implements Command {}

    /**
     * A party arrives at a barrier. Arriving twice in a round counts once.
     *
     * @param barrier its id
     * @param party who arrives
     * @param round the round it arrives in, counted from 0
     */
    record ArriveAtBarrier(long barrier, int party, long round) implements Command {}

    /**
     * A barrier goes away.
     *
     * @param barrier its id
     */
    record RemoveBarrier(long barrier) implements Command {}
}
