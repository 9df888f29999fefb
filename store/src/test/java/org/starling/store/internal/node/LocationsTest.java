package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.DataLostException;
import org.starling.store.internal.directory.ZoneInfo;

/** Who owns what, as far as one node knows. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class LocationsTest {
    private static final long ZONE = ChunkId.zoneOf(2, 0);
    private static final long CHUNK = ChunkId.ofZone(ZONE, 5);

    private final Map<Long, ZoneInfo> directory = new HashMap<>();
    private final Set<Integer> members = new HashSet<>(Set.of(1, 2, 3));
    private final Set<Long> own = new HashSet<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final Locations locations =
            new Locations(
                    1,
                    own::contains,
                    members::contains,
                    zone -> {
                        asked.incrementAndGet();
                        ZoneInfo info = directory.get(zone);
                        return CompletableFuture.completedFuture(
                                info == null ? List.of() : List.of(info));
                    });

    @Test
    void asksNobodyForVolatileChunks() {
        assertThat(locations.ownerOf(ChunkId.of(3, 17))).isCompletedWithValue(3);
        assertThat(locations.isOwned(ChunkId.of(1, 17))).isTrue();
        assertThat(locations.isOwned(ChunkId.of(2, 17))).isFalse();
        assertThat(asked).hasValue(0);
    }

    @Test
    void asksOncePerZone() {
        directory.put(ZONE, zone(2, 1, false));

        assertThat(locations.ownerOf(CHUNK)).isCompletedWithValue(2);
        assertThat(locations.ownerOf(CHUNK + 9)).isCompletedWithValue(2);

        assertThat(asked).hasValue(1);
    }

    @Test
    void asksAgainWhenTheOwnerIsNoMemberOrWasForgotten() {
        directory.put(ZONE, zone(2, 1, false));
        locations.ownerOf(CHUNK).join();

        members.remove(2);
        assertThat(locations.ownerOf(CHUNK)).isCompletedExceptionally();
        directory.put(ZONE, zone(3, 2, false));
        assertThat(locations.ownerOf(CHUNK)).isCompletedWithValue(3);
        locations.forget(CHUNK);
        assertThat(locations.ownerOf(CHUNK)).isCompletedWithValue(3);

        assertThat(asked).hasValue(4);
    }

    @Test
    void believesTheNewestThatItWasTold() {
        locations.changed(zone(3, 7, false));
        locations.changed(zone(2, 6, false));

        assertThat(locations.ownerOf(CHUNK)).isCompletedWithValue(3);
        assertThat(asked).hasValue(0);
    }

    @Test
    void tellsLostZonesFromThoseThatNeverWere() {
        assertThatThrownBy(() -> locations.ownerOf(CHUNK).join())
                .hasCauseInstanceOf(ChunkNotFoundException.class);
        directory.put(ZONE, zone(2, 3, true));
        assertThatThrownBy(() -> locations.ownerOf(CHUNK).join())
                .hasCauseInstanceOf(DataLostException.class);
        assertThat(locations.isOwned(CHUNK)).isFalse();
        own.add(ZONE);
        assertThat(locations.isOwned(CHUNK)).isTrue();
        assertThat(locations.ownerOf(CHUNK)).isCompletedWithValue(1);
    }

    private static ZoneInfo zone(int owner, long epoch, boolean isLost) {
        return new ZoneInfo(ZONE, owner, epoch, List.of(), isLost, false, List.of(), false);
    }
}
