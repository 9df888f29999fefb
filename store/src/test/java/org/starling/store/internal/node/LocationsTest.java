package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.internal.directory.RangeMap;

/**
 * What a node knows of owners, with a directory in the same thread that counts how often it is
 * asked.
 */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class LocationsTest {
    private final RangeMap owners = new RangeMap();
    private final AtomicInteger asked = new AtomicInteger();
    private final Locations locations =
            new Locations(
                    1,
                    id -> {
                        asked.incrementAndGet();
                        long lowest = id & ~ChunkId.MAX_LOCAL;
                        return owners.around(
                                id, lowest, lowest | ChunkId.MAX_LOCAL, ChunkId.creator(id));
                    });

    @Test
    void asksNobodyWhileEveryCreatorOwnsItsChunks() {
        assertThat(locations.ownerOf(ChunkId.of(3, 17))).isEqualTo(3);
        assertThat(locations.isOwned(ChunkId.of(1, 17))).isTrue();
        assertThat(locations.isOwned(ChunkId.of(2, 17))).isFalse();
        assertThat(asked).hasValue(0);
    }

    @Test
    void asksOncePerRangeAfterAMove() {
        owners.put(new RangeMap.Range(ChunkId.of(2, 100), ChunkId.of(2, 199), 3));
        locations.someMoved();

        assertThat(locations.ownerOf(ChunkId.of(2, 150))).isEqualTo(3);
        assertThat(locations.ownerOf(ChunkId.of(2, 199))).isEqualTo(3);
        assertThat(asked).hasValue(1);
        assertThat(locations.ownerOf(ChunkId.of(2, 200))).isEqualTo(2);
        assertThat(locations.ownerOf(ChunkId.of(2, 99))).isEqualTo(2);
        assertThat(asked).hasValue(3);
    }

    @Test
    void takesOverWhatItIsToldAndForgetsWhatWasWrong() {
        RangeMap.Range moved = new RangeMap.Range(ChunkId.of(1, 0), ChunkId.of(1, 9), 2);
        locations.moved(moved);

        assertThat(locations.ownerOf(ChunkId.of(1, 5))).isEqualTo(2);
        assertThat(locations.isOwned(ChunkId.of(1, 5))).isFalse();
        assertThat(locations.isOwned(ChunkId.of(1, 10))).isTrue();
        assertThat(asked).hasValue(0);

        locations.forget(ChunkId.of(1, 5));
        assertThat(locations.ownerOf(ChunkId.of(1, 5))).isEqualTo(1);
        assertThat(asked).hasValue(1);
    }

    @Test
    void keepsNoAnswerThatWasOvertakenByAMove() {
        AtomicInteger calls = new AtomicInteger();
        Locations[] self = new Locations[1];
        self[0] =
                new Locations(
                        1,
                        id -> {
                            if (calls.incrementAndGet() == 1) {
                                self[0].moved(new RangeMap.Range(id, id, 3));
                                return new RangeMap.Range(id, id, 2);
                            }
                            return new RangeMap.Range(id, id, 3);
                        });
        self[0].someMoved();

        assertThat(self[0].ownerOf(7)).isEqualTo(2);

        assertThat(self[0].ownerOf(7)).isEqualTo(3);
    }
}
