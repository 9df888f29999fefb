package org.starling.store.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Operations as clients report them when they end. Any thread. Bounded by whoever runs the loop.
 */
final class History {
    private final ConcurrentLinkedQueue<Operation> operations = new ConcurrentLinkedQueue<>();

    void add(Operation operation) {
        operations.add(operation);
    }

    int size() {
        return operations.size();
    }

    /** By chunk, in the order of their beginnings. */
    Map<Long, List<Operation>> byChunk() {
        Map<Long, List<Operation>> chunks = new TreeMap<>();
        for (Operation operation : operations) {
            chunks.computeIfAbsent(operation.chunk(), id -> new ArrayList<>()).add(operation);
        }
        chunks.values()
                .forEach(list -> list.sort(java.util.Comparator.comparingLong(Operation::begin)));
        return chunks;
    }
}
