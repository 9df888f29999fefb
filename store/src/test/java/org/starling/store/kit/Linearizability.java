package org.starling.store.kit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Says whether a history of one chunk could have come from operations that take effect one after
 * the other, each at some moment between its call and its answer.
 *
 * <p>The search of Wing and Gong ("Testing and verifying concurrent objects", 1993) with the memory
 * of Lowe ("Testing for linearizability", 2017): an operation may come next if it began before the
 * earliest answer of those that are left; a set of done operations with a resulting value is never
 * looked at twice. Values are unique, so most of the work is done before: an open write (no answer)
 * that nobody read is left out, which is always allowed and never hides anything; one that was read
 * took effect before the first answer to such a read. Exponential in the number of operations that
 * overlap in time, linear in the rest.
 */
final class Linearizability {
    /** The most steps of one search; a history that needs more is refused, not passed. */
    static final int MAX_STEPS = 2_000_000;

    private final List<Operation> operations;
    private final Set<State> seen = new HashSet<>();
    private int steps;

    private record State(BitSet done, long value) {}

    private Linearizability(List<Operation> operations) {
        this.operations = operations;
    }

    /**
     * Checks the history of one chunk.
     *
     * @param history all operations on it; its first value is that of the first write, before which
     *     it is absent
     * @return what is wrong, in one sentence; nothing if it is linearizable
     */
    static Optional<String> violation(List<Operation> history) {
        Optional<String> fromNowhere = valueFromNowhere(history);
        if (fromNowhere.isPresent()) {
            return fromNowhere;
        }
        List<Operation> closed = closed(history);
        closed.sort(Comparator.comparingLong(Operation::begin));
        Linearizability search = new Linearizability(closed);
        if (search.run()) {
            return Optional.empty();
        }
        return Optional.of(
                search.steps > MAX_STEPS
                        ? "could not be decided within " + MAX_STEPS + " steps"
                        : "no order of its "
                                + closed.size()
                                + " operations explains what was read");
    }

    private static Optional<String> valueFromNowhere(List<Operation> history) {
        Set<Long> written = new HashSet<>();
        written.add(Operation.ABSENT);
        for (Operation operation : history) {
            if (operation.changes()
                    && operation.value() != Operation.ABSENT
                    && !written.add(operation.value())) {
                throw new IllegalArgumentException(
                        "value " + operation.value() + " is written twice");
            }
        }
        return history.stream()
                .filter(each -> !each.changes() && !written.contains(each.value()))
                .findFirst()
                .map(each -> "read " + each.value() + ", which nobody has written");
    }

    /** Without open operations: those that nobody saw are left out, the others end when seen. */
    private static List<Operation> closed(List<Operation> history) {
        Map<Long, Long> firstSeen = new HashMap<>();
        for (Operation operation : history) {
            if (!operation.changes() && !operation.isOpen()) {
                firstSeen.merge(operation.value(), operation.end(), Math::min);
            }
        }
        List<Operation> closed = new ArrayList<>();
        for (Operation operation : history) {
            if (!operation.isOpen()) {
                closed.add(operation);
            } else if (operation.kind() == Operation.Kind.WRITE
                    && firstSeen.containsKey(operation.value())) {
                closed.add(operation.endingAt(firstSeen.get(operation.value())));
            } else if (operation.kind() == Operation.Kind.REMOVE
                    && firstSeen.containsKey(Operation.ABSENT)) {
                closed.add(operation);
            }
        }
        return closed;
    }

    /** Depth first without recursion: histories are long. */
    private boolean run() {
        int count = operations.size();
        List<BitSet> path = new ArrayList<>();
        List<Long> values = new ArrayList<>();
        List<Integer> nexts = new ArrayList<>();
        path.add(new BitSet(count));
        values.add(Operation.ABSENT);
        nexts.add(0);
        while (!path.isEmpty()) {
            int top = path.size() - 1;
            BitSet done = path.get(top);
            if (isComplete(done)) {
                return true;
            }
            if (++steps > MAX_STEPS) {
                return false;
            }
            int next = candidate(done, values.get(top), nexts.get(top));
            if (next < 0) {
                path.removeLast();
                values.removeLast();
                nexts.removeLast();
                continue;
            }
            nexts.set(top, next + 1);
            BitSet after = (BitSet) done.clone();
            after.set(next);
            Operation operation = operations.get(next);
            long value = operation.changes() ? operation.value() : values.get(top);
            if (seen.add(new State(after, value))) {
                path.add(after);
                values.add(value);
                nexts.add(after.nextClearBit(0));
            }
        }
        return false;
    }

    /** All are done that must be; an open remove may be left. */
    private boolean isComplete(BitSet done) {
        for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
            if (!operations.get(i).isOpen()) {
                return false;
            }
        }
        return true;
    }

    /** The next operation, from one on, that may take effect now; −1 if there is none. */
    private int candidate(BitSet done, long value, int from) {
        long earliestEnd = Operation.NEVER;
        for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
            Operation operation = operations.get(i);
            if (operation.begin() > earliestEnd) {
                break;
            }
            earliestEnd = Math.min(earliestEnd, operation.end());
        }
        for (int i = done.nextClearBit(from); i < operations.size(); i = done.nextClearBit(i + 1)) {
            Operation operation = operations.get(i);
            if (operation.begin() > earliestEnd) {
                return -1;
            }
            if (operation.changes() || operation.value() == value) {
                return i;
            }
        }
        return -1;
    }
}
