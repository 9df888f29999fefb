package org.starling.benchmarks.graph500;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class Graph500BlockTest {

    private static final List<Searches.Search> SEARCHES =
            List.of(
                    new Searches.Search(5, 0.5, 16775818, 0.125),
                    new Searches.Search(6, 0.25, 16775818, 0.25),
                    new Searches.Search(7, 0.25, 16775818, 0.125),
                    new Searches.Search(8, 0.5, 16775818, 0.25));

    @Test
    void writesTheBlockOfTheReference() {
        Graph500Run run =
                new Graph500Run(20, 16, 2, true, 2.5, 0.935417, true, new Searches(SEARCHES), null);

        String block = Graph500Block.of(run);

        assertThat(block)
                .isEqualTo(
                        """
                        SCALE:                          20
                        edgefactor:                     16
                        NBFS:                           4
                        graph_generation:               2.5
                        num_mpi_processes:              2
                        construction_time:              0.935417
                        bfs  min_time:                  0.25
                        bfs  firstquartile_time:        0.25
                        bfs  median_time:               0.375
                        bfs  thirdquartile_time:        0.5
                        bfs  max_time:                  0.5
                        bfs  mean_time:                 0.375
                        bfs  stddev_time:               0.144338
                        min_nedge:                      16775818
                        firstquartile_nedge:            16775818
                        median_nedge:                   16775818
                        thirdquartile_nedge:            16775818
                        max_nedge:                      16775818
                        mean_nedge:                     16775818
                        stddev_nedge:                   0
                        bfs  min_TEPS:                  3.35516e+07
                        bfs  firstquartile_TEPS:        3.35516e+07
                        bfs  median_TEPS:               4.47355e+07
                        bfs  thirdquartile_TEPS:        6.71033e+07
                        bfs  max_TEPS:                  6.71033e+07
                        bfs  harmonic_mean_TEPS:     !  4.47355e+07
                        bfs  harmonic_stddev_TEPS:      9.94123e+06
                        bfs  min_validate:              0.125
                        bfs  firstquartile_validate:    0.125
                        bfs  median_validate:           0.1875
                        bfs  thirdquartile_validate:    0.25
                        bfs  max_validate:              0.25
                        bfs  mean_validate:             0.1875
                        bfs  stddev_validate:           0.0721688
                        """);
    }

    @Test
    void addsTheLinesOfShortestPathsWhereTheReferenceHasThem() {
        Searches slower = new Searches(List.of(new Searches.Search(5, 1.5, 3000, 0.5)));
        Searches faster = new Searches(List.of(new Searches.Search(5, 0.5, 2000, 0.25)));
        Graph500Run run = new Graph500Run(20, 16, 2, true, 2.5, 1, true, faster, slower);

        List<String> keys =
                Graph500Block.of(run)
                        .lines()
                        .map(line -> line.substring(0, line.indexOf(':')))
                        .toList();

        assertThat(keys).hasSize(34 + 21);
        assertThat(keys.indexOf("sssp min_time")).isEqualTo(keys.indexOf("bfs  stddev_time") + 1);
        assertThat(keys.indexOf("min_nedge")).isEqualTo(keys.indexOf("sssp stddev_time") + 1);
        assertThat(keys.indexOf("sssp min_TEPS"))
                .isEqualTo(keys.indexOf("bfs  harmonic_stddev_TEPS") + 1);
        assertThat(keys.indexOf("bfs  min_validate"))
                .isEqualTo(keys.indexOf("sssp harmonic_stddev_TEPS") + 1);
        assertThat(keys.getLast()).isEqualTo("sssp stddev_validate");
        assertThat(Graph500Block.of(run))
                .contains("sssp max_time:                  1.5\n")
                .contains("mean_nedge:                     3000\n")
                .contains("bfs  harmonic_mean_TEPS:     !  4000\n")
                .contains("sssp harmonic_mean_TEPS:     !  2000\n")
                .contains("sssp mean_validate:             0.5\n");
    }

    @Test
    void beginsEveryValueInColumn33() {
        Graph500Run run =
                new Graph500Run(4, 16, 1, false, 1e-5, 1e-6, true, new Searches(SEARCHES), null);

        assertThat(Graph500Block.of(run).lines())
                .hasSize(34)
                .allSatisfy(line -> assertThat(line.charAt(31)).isEqualTo(' '))
                .allSatisfy(line -> assertThat(line.charAt(32)).isNotEqualTo(' '));
    }

    @Test
    void writesMinusOneForSkippedValidation() {
        Searches.Search search = new Searches.Search(5, 0.5, 100, Searches.NOT_VALIDATED);
        Graph500Run run =
                new Graph500Run(
                        4, 16, 1, false, 1, 1, false, new Searches(List.of(search, search)), null);

        assertThat(Graph500Block.of(run))
                .contains("bfs  min_validate:              -1\n")
                .contains("bfs  mean_validate:             -1\n");
    }
}
