package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.Durability;

/** Whether it is worth while to wait for peers. */
@Timeout(10)
final class PromiseWatchTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger storing = new AtomicInteger(3);

    /** Looks of {@link #watch}, after each of which the clock goes on. */
    private final AtomicInteger looks = new AtomicInteger();

    private final PromiseWatch watch = watch(false);

    private PromiseWatch watch(boolean wasMore) {
        return new PromiseWatch(
                3,
                () -> {
                    looks.incrementAndGet();
                    nanos.addAndGet(Duration.ofSeconds(7).toNanos());
                    return storing.get();
                },
                nanos::get,
                wasMore);
    }

    @Test
    void waitsForPeersThatWereLostAMomentAgo() {
        watch.look();
        storing.set(2);

        assertThat(watch.await(PATIENCE)).isEqualTo(Durability.MEMORY);

        assertThat(looks).as("1, and until 30 s are over by 7 s each").hasValue(1 + 6);
    }

    @Test
    void goesOnWhenTheyAreBack() {
        watch.look();
        storing.set(2);
        watch.look();
        storing.set(3);

        assertThat(watch.await(PATIENCE)).isEqualTo(Durability.POWER);
        assertThat(looks).hasValue(3);
    }

    @Test
    void doesNotWaitWhereThereWereNeverEnough() {
        storing.set(2);
        watch.look();
        storing.set(1);

        assertThat(watch.await(PATIENCE)).isEqualTo(Durability.MEMORY);
        assertThat(looks).hasValue(2);
    }

    @Test
    void doesNotWaitAgainForThoseThatDidNotComeBack() {
        watch.look();
        storing.set(2);
        watch.await(PATIENCE);
        looks.set(0);

        assertThat(watch.await(PATIENCE)).isEqualTo(Durability.MEMORY);
        assertThat(looks).hasValue(1);
    }

    @Test
    void waitsBehindAStartForThoseThatMayHaveBeenLostWithThisNode() {
        storing.set(1);

        assertThat(watch(true).await(PATIENCE)).isEqualTo(Durability.MEMORY);

        assertThat(looks).as("until 30 s are over by 7 s each").hasValue(5);
    }

    @Test
    void doesNotWaitBehindAStartWhereAllAreBack() {
        assertThat(watch(true).await(PATIENCE)).isEqualTo(Durability.POWER);
        assertThat(looks).hasValue(1);
    }
}
