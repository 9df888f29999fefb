package org.starling.compute.internal.run;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lists the messages of a superstep that are not combined, when all of them have come: first for
 * all own shards, then, behind a barrier of workers, for all blocks. Parts are handed out to
 * workers one by one. A checkpoint lists them early.
 */
final class RecordBarrier {
    private final RunContext context;
    private final AtomicInteger nextShard = new AtomicInteger();
    private final AtomicInteger nextBlock = new AtomicInteger();
    private boolean listed;
    private boolean lists;

    RecordBarrier(RunContext context) {
        this.context = context;
    }

    /** A superstep begins; the control thread. */
    void begin() {
        lists = !context.records.isEmpty() && !listed;
        listed = false;
        nextShard.set(0);
        nextBlock.set(0);
    }

    /** Whether workers must come to {@link #place} and {@link #enter}; the same for all. */
    boolean isNeeded() {
        return lists;
    }

    /** First half. */
    void place(int superstep) {
        int[] own = context.graph.ownShards();
        int parts = own.length * context.records.size();
        int part;
        while ((part = nextShard.getAndIncrement()) < parts) {
            context.stop.check();
            place(superstep, own, part);
        }
    }

    /** Second half. */
    void enter(int superstep) {
        int number = 0;
        int mine = nextBlock.getAndIncrement();
        for (RecordStream stream : context.records) {
            RecordInbox inbox = stream.inbox(superstep);
            int blocks = inbox.blocks();
            for (; mine < number + blocks; mine = nextBlock.getAndIncrement()) {
                context.stop.check();
                inbox.enter(mine - number);
            }
            number += blocks;
        }
    }

    /** Both halves between two supersteps, unless that has been done. */
    void listNow(int superstep) {
        if (context.records.isEmpty() || listed) {
            return;
        }
        int[] own = context.graph.ownShards();
        WorkerTeam team = context.node.team();
        team.forEach(
                own.length * context.records.size(),
                context.stop,
                (_, part) -> place(superstep, own, part));
        for (RecordStream stream : context.records) {
            RecordInbox inbox = stream.inbox(superstep);
            team.forEach(inbox.blocks(), context.stop, (_, block) -> inbox.enter(block));
        }
        listed = true;
    }

    /** All shards have been computed, and nobody sends for the superstep after the next one yet. */
    void end(int superstep) {
        for (RecordStream stream : context.records) {
            stream.inbox(superstep).giveBlocks();
        }
    }

    private void place(int superstep, int[] own, int part) {
        RecordStream stream = context.records.get(part / own.length);
        stream.inbox(superstep).place(own[part % own.length]);
    }
}
