package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RankingTest {

    @Test
    void agreesWithSortingEverything() {
        Random random = new Random(Shape.SEED);
        Ranking ranking = new Ranking(25);
        List<Score> all = new ArrayList<>();

        for (int i = 0; i < 2000; i++) {
            Score score = new Score(random.nextInt(), random.nextInt(40));
            all.add(score);
            ranking.offer(score.id(), score.score());
        }

        all.sort(
                Comparator.comparingDouble(Score::score)
                        .reversed()
                        .thenComparing(Score::id, Long::compareUnsigned));
        assertThat(ranking.bestFirst()).as("seed %d", Shape.SEED).isEqualTo(all.subList(0, 25));
    }

    @Test
    void holdsNothingWhenNothingIsWanted() {
        Ranking ranking = new Ranking(0);

        ranking.offer(1, 1);

        assertThat(ranking.bestFirst()).isEmpty();
    }

    @Test
    void holdsAllWhenThereAreFewerThanWanted() {
        Ranking ranking = new Ranking(5);

        ranking.offer(2, 0.5);
        ranking.offer(1, 0.5);

        assertThat(ranking.bestFirst()).extracting(Score::id).containsExactly(1L, 2L);
    }
}
