package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Numbers of writes. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class ZoneTagsTest {
    private final ZoneTags tags = new ZoneTags(0);

    @Test
    void numbersEachZoneForItself() {
        assertThat(tags.begin(1, 3).join().first()).isEqualTo(1);
        assertThat(tags.begin(1, 1).join().first()).isEqualTo(4);
        assertThat(tags.begin(2, 1).join().first()).isEqualTo(1);
    }

    @Test
    void spansNoMoreThanOwnersTellApartWhileAnOldWriteIsUnderWay() {
        ZoneTags.Span oldest = tags.begin(1, 1).join();
        List<ZoneTags.Span> spans = new ArrayList<>();
        CompletableFuture<ZoneTags.Span> next = tags.begin(1, 1);
        while (next.isDone()) {
            spans.add(next.join());
            tags.end(1, next.join());
            next = tags.begin(1, 1);
        }

        assertThat(spans).hasSize(ZoneTags.SPAN - 1);
        assertThat(tags.begin(2, 1)).as("another zone").isCompleted();
        tags.end(1, oldest);
        assertThat(next).succeedsWithin(Duration.ofSeconds(5));
        assertThat(next.join().first()).isEqualTo(ZoneTags.SPAN + 1);
    }

    /** It sends a write, and may wait for room or a connection: no pool is to wait with it. */
    @Test
    void letsAWaiterGoOnOnAThreadOfItsOwn() {
        ZoneTags.Span half = tags.begin(1, ZoneTags.MAX_TAKEN).join();
        tags.begin(1, ZoneTags.MAX_TAKEN).join();
        CompletableFuture<Boolean> isAlone =
                tags.begin(1, 1).thenApply(_ -> Thread.currentThread().isVirtual());

        tags.end(1, half);

        assertThat(isAlone).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
    }

    @Test
    void admitsWaitersInTheirOrder() {
        ZoneTags.Span half = tags.begin(1, ZoneTags.MAX_TAKEN).join();
        ZoneTags.Span other = tags.begin(1, ZoneTags.MAX_TAKEN).join();
        CompletableFuture<ZoneTags.Span> large = tags.begin(1, ZoneTags.MAX_TAKEN);
        CompletableFuture<ZoneTags.Span> small = tags.begin(1, 1);

        tags.end(1, other);
        assertThat(large).isNotDone();
        assertThat(small).isNotDone();
        tags.end(1, half);

        assertThat(large).succeedsWithin(Duration.ofSeconds(5));
        assertThat(small).succeedsWithin(Duration.ofSeconds(5));
        assertThat(small.join().first()).isGreaterThan(large.join().first());
    }

    @Test
    void forgetsIdleZonesAndNeverUsesANumberTwice() {
        tags.end(1, tags.begin(1, 500).join());
        tags.end(2, tags.begin(2, 1000).join());
        ZoneTags.Span busy = tags.begin(3, 1).join();
        for (long zone = 4; zone < 10L * ZoneTags.MAX_IDLE; zone++) {
            tags.end(zone, tags.begin(zone, 1).join());
        }

        assertThat(tags.zones()).isLessThanOrEqualTo(ZoneTags.MAX_IDLE + 1);
        assertThat(tags.begin(1, 1).join().first()).isGreaterThan(500);
        assertThat(tags.begin(2, 1).join().first()).isGreaterThan(1000);
        assertThat(tags.begin(3, 1).join().first()).isEqualTo(busy.first() + 1);
    }

    @Test
    void numbersAboveAllOfBeforeWhenItsNodeWasStartedAgain() {
        long last = tags.begin(1, ZoneTags.MAX_TAKEN).join().first();

        assertThat(new ZoneTags(1).begin(1, 1).join().first())
                .isGreaterThan(last + ZoneTags.MAX_TAKEN);
    }
}
