package org.starling.algorithms;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The best few of many scores: a heap, worst on top, that never holds more than asked for. Confined
 * to one thread; an offer that is not among the best costs one comparison and allocates nothing.
 */
final class Ranking {
    private static final Comparator<Score> WORST_FIRST =
            Comparator.comparingDouble(Score::score)
                    .thenComparing(Score::id, (left, right) -> Long.compareUnsigned(right, left));

    private final int capacity;
    private final PriorityQueue<Score> heap = new PriorityQueue<>(WORST_FIRST);

    /** An empty ranking of at most {@code capacity} scores. */
    Ranking(int capacity) {
        this.capacity = capacity;
    }

    /** Takes a score if it is among the best so far; of equal ones the smaller id is better. */
    void offer(long id, double score) {
        if (heap.size() < capacity) {
            heap.add(new Score(id, score));
        } else if (capacity > 0 && isBetterThanWorst(id, score)) {
            heap.remove();
            heap.add(new Score(id, score));
        }
    }

    /** All scores held, best first. */
    List<Score> bestFirst() {
        List<Score> scores = new ArrayList<>(heap);
        scores.sort(WORST_FIRST.reversed());
        return scores;
    }

    private boolean isBetterThanWorst(long id, double score) {
        Score worst = heap.element();
        return score > worst.score()
                || (score == worst.score() && Long.compareUnsigned(id, worst.id()) < 0);
    }
}
