package org.starling.store.internal.directory;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starling.store.internal.directory.Command.ArriveAtBarrier;
import org.starling.store.internal.directory.Command.CreateBarrier;
import org.starling.store.internal.directory.Command.RemoveBarrier;

/** Barriers and who has arrived at them. A part of the {@link Directory} and guarded like it. */
final class BarrierTable {
    /** One barrier: who has arrived in the open round. */
    record Barrier(int parties, long round, SortedSet<Integer> arrived) {}

    private final TreeMap<Long, Barrier> barriers = new TreeMap<>();
    private long next;

    Result create(CreateBarrier command) {
        if (command.parties() < 1 || command.parties() > Directory.MAX_PARTIES) {
            return new Result.Refused(
                    "a barrier has 1 to "
                            + Directory.MAX_PARTIES
                            + " parties, not "
                            + command.parties());
        }
        if (barriers.size() >= Directory.MAX_BARRIERS) {
            return new Result.Refused("more than " + Directory.MAX_BARRIERS + " barriers");
        }
        barriers.put(next, new Barrier(command.parties(), 0, new TreeSet<>()));
        return new Result.BarrierCreated(next++);
    }

    Result arrive(ArriveAtBarrier command) {
        Barrier barrier = barriers.get(command.barrier());
        if (barrier == null) {
            return new Result.Refused("barrier " + command.barrier() + " does not exist");
        }
        if (command.round() > barrier.round) {
            return new Result.Refused(
                    "barrier "
                            + command.barrier()
                            + " is in round "
                            + barrier.round
                            + ", not yet in "
                            + command.round());
        }
        if (command.round() == barrier.round) {
            barrier.arrived.add(command.party());
        }
        if (barrier.arrived.size() == barrier.parties) {
            barrier = new Barrier(barrier.parties, barrier.round + 1, new TreeSet<>());
            barriers.put(command.barrier(), barrier);
        }
        return new Result.Arrived(barrier.round, barrier.parties - barrier.arrived.size());
    }

    Result remove(RemoveBarrier command) {
        return new Result.Done(barriers.remove(command.barrier()) != null);
    }

    // for the snapshot

    SortedMap<Long, Barrier> all() {
        return barriers;
    }

    long next() {
        return next;
    }

    void restore(long nextBarrier) {
        next = nextBarrier;
    }
}
