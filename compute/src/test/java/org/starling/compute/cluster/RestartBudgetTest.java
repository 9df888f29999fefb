package org.starling.compute.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RestartBudgetTest {
    private final RestartBudget budget = new RestartBudget();

    @Test
    void waitsLongerEachTimeAndGivesUpInTheEnd() {
        for (int i = 0; i < RestartBudget.MAX_RESTARTS; i++) {
            assertThat(budget.take(i)).contains(Duration.ofSeconds(1L << i));
        }

        assertThat(budget.take(RestartBudget.MAX_RESTARTS)).isEmpty();
        assertThat(budget.take(RestartBudget.WINDOW.toNanos())).isEmpty();
    }

    @Test
    void forgetsDeathsOfLongAgo() {
        for (int i = 0; i < RestartBudget.MAX_RESTARTS; i++) {
            assertThat(budget.take(i)).isPresent();
        }

        assertThat(budget.take(RestartBudget.WINDOW.toNanos() + 1))
                .as("room for the first one's successor")
                .contains(Duration.ofSeconds(1L << (RestartBudget.MAX_RESTARTS - 1)));
    }

    @Test
    void beginsAnewWhenSomebodyHasMendedTheProcess() {
        for (int i = 0; i <= RestartBudget.MAX_RESTARTS; i++) {
            budget.take(i);
        }

        budget.reset();

        assertThat(budget.take(RestartBudget.MAX_RESTARTS)).contains(RestartBudget.FIRST_PAUSE);
    }
}
