package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.internal.chunk.WriteTag;

@Timeout(10)
class GoneClientsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final GoneClients clients = new GoneClients();
    private final TagTable table = new TagTable();

    @Test
    void forgetsWhoHasBeenGoneForAMinute() {
        executed(4);
        executed(5);

        clients.doWork(List.of(table), node -> node == 4, 0);
        clients.doWork(List.of(table), node -> node == 4, 59 * SECOND);
        assertThat(table.clients()).containsExactlyInAnyOrder(4, 5);
        clients.doWork(List.of(table), node -> node == 4, 60 * SECOND);

        assertThat(table.clients()).isEqualTo(Set.of(4));
        assertThat(isKnown(4)).isTrue();
        assertThat(isKnown(5)).isFalse();
    }

    @Test
    void beginsToCountAnewWhenSomebodyIsSeenAgain() {
        executed(5);

        clients.doWork(List.of(table), node -> false, 0);
        clients.doWork(List.of(table), node -> true, 50 * SECOND);
        clients.doWork(List.of(table), node -> false, 61 * SECOND);
        clients.doWork(List.of(table), node -> false, 100 * SECOND);

        assertThat(table.clients()).isEqualTo(Set.of(5));
    }

    @Test
    void forgetsThemInEveryZone() {
        TagTable other = new TagTable();
        executed(5);
        clients.doWork(List.of(table), node -> false, 0);
        other.executed(5, 1, new Executed(1, 0, 1));
        clients.doWork(List.of(table, other), node -> false, 60 * SECOND);

        assertThat(table.clients()).isEmpty();
        assertThat(other.clients()).isEmpty();
    }

    private void executed(int client) {
        table.executed(client, 1, new Executed(1, 0, 1));
    }

    private boolean isKnown(int client) {
        return !Objects.requireNonNull(table.admit(new WriteTag(client, 1))).isFresh();
    }
}
