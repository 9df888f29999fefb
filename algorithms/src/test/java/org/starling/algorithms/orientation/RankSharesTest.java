package org.starling.algorithms.orientation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RankSharesTest {
    @Test
    void sharesAllRanksOutWhateverTheGraph() {
        for (int vertices = 0; vertices < 400; vertices++) {
            RankShares shares = new RankShares(star(vertices), vertices);

            assertThat(shares.position(0)).isZero();
            assertThat(shares.position(vertices)).isEqualTo(vertices);
            for (int vertex = 0; vertex < vertices; vertex++) {
                assertThat(shares.position(vertex + 1L))
                        .as("%d of %d", vertex, vertices)
                        .isGreaterThanOrEqualTo(shares.position(vertex));
            }
        }
    }

    @Test
    void sharesByEdgesAndVertices() {
        // the first half has two edges each, the other one none
        List<int[]> ring =
                IntStream.range(0, 1024).mapToObj(v -> new int[] {v, (v + 1) % 1024}).toList();
        RankShares shares = new RankShares(ArrayGraph.of(2048, ring), 2048);

        assertThat(shares.position(64)).isEqualTo(64 * 3 / 2);
        assertThat(shares.position(1024)).isEqualTo(1024 * 3 / 2);
        assertThat(shares.position(1024 + 31)).isEqualTo(1024 * 3 / 2 + 31 / 2);
    }

    @Test
    void givesHubsNoMoreThanAWorkerCanDo() {
        RankShares small = new RankShares(star(640), 640);
        RankShares large = new RankShares(star(6400), 6400);

        // 640 + 1278 ends, of which the first tenth of the vertices weighs a tenth at the most
        assertThat(small.position(64)).isEqualTo(640 * 191 / (191 + 9 * 128));
        assertThat(small.position(640 - 32))
                .isEqualTo(640 * (191 + 8 * 128 + 64) / (191 + 9 * 128));
        // 6400 + 12798, of which a hundredth of the vertices weighs a 16th at the most
        assertThat(large.position(64)).isEqualTo(6400 * 1199 / (1199 + 99 * 128));
    }

    @Test
    void sharesAsManyAsThereCanBe() {
        int most = OrientedGraph.MAX_SIZE;
        long weight = 3L * most;

        assertThat(RankShares.part(most, weight / 3, weight)).isEqualTo(most / 3);
        assertThat(RankShares.part(most, weight - 1, weight)).isEqualTo(most - 1);
    }

    /** A hub, which comes first, and its rays. */
    private static ArrayGraph star(int vertices) {
        return ArrayGraph.of(
                vertices, IntStream.range(1, vertices).mapToObj(v -> new int[] {0, v}).toList());
    }
}
