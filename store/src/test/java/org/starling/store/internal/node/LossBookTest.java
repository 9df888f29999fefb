package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.NodeLoss;
import org.starling.store.Recoveries;
import org.starling.store.internal.directory.ZoneInfo;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class LossBookTest {
    private long nowNanos = 100;
    private final LossBook book = new LossBook(() -> nowNanos);

    @Test
    void tellsWhoRecoveredWhatOfANodeThatWasLost() {
        book.expect(3, "no heartbeat in time");
        book.removed(3, "alpha:7420", false, List.of(orphan(10), orphan(11), orphan(12)));
        nowNanos = 150;
        book.brought(10, 5, 500);
        book.switched(owned(10, 4, false));
        book.brought(11, 6, 600);
        book.switched(owned(11, 4, true));
        book.dropped(12);
        nowNanos = 250;

        Recoveries told = book.told(0, List.of(), 1);

        assertThat(told)
                .isEqualTo(
                        new Recoveries(
                                0,
                                150,
                                1,
                                0,
                                List.of(
                                        new NodeLoss(
                                                3,
                                                "alpha:7420",
                                                "no heartbeat in time",
                                                150,
                                                50,
                                                3,
                                                1,
                                                0,
                                                0,
                                                1,
                                                List.of(new NodeLoss.Share(4, 2, 11, 1100))))));
    }

    @Test
    void tellsWhatWaitsAndWhatOfThatHasNoCopy() {
        ZoneInfo lost = new ZoneInfo(11, 3, 1, List.of(), true, false, List.of(), false);
        book.expect(3, "silent");
        book.removed(3, "", false, List.of(orphan(10), lost));
        nowNanos = 900;

        Recoveries told = book.told(0, List.of(orphan(10), lost), 0);

        assertThat(told.lostZones()).isEqualTo(1);
        assertThat(told.losses())
                .singleElement()
                .satisfies(loss -> {
                    assertThat(loss.tookNanos()).isEqualTo(-1);
                    assertThat(loss.waitingZones()).isEqualTo(2);
                    assertThat(loss.lostZones()).isEqualTo(1);
                });
    }

    @Test
    void saysNothingOfANodeThatLeftInOrderWithoutData() {
        book.removed(3, "alpha:7420", false, List.of());

        assertThat(book.told(0, List.of(), 0).losses()).isEmpty();
    }

    @Test
    void countsAZoneOnceWhenItsNodeComesBackWhileItWaits() {
        book.expect(3, "silent");
        book.removed(3, "", false, List.of(orphan(10)));

        book.removed(3, "", true, List.of(orphan(10)));

        assertThat(book.told(0, List.of(orphan(10)), 0).losses()).hasSize(1);
    }

    @Test
    void takesOverWhatHasNoOwnerWhenItsSuperpeerBeginsToLead() {
        book.expect(9, "silent");
        book.removed(9, "", false, List.of());
        ZoneInfo yielded = new ZoneInfo(12, ~5, 1, List.of(6), false, false, List.of(), false);
        nowNanos = 1000;

        book.takeOver(List.of(orphan(10), orphan(11), yielded));

        Recoveries told = book.told(2, List.of(), 0);
        assertThat(told.leadsNanos()).isZero();
        assertThat(told.losses())
                .singleElement()
                .satisfies(loss -> {
                    assertThat(loss.node()).isEqualTo(3);
                    assertThat(loss.zones()).isEqualTo(2);
                    assertThat(loss.reason()).contains("before this superpeer led");
                });
    }

    @Test
    void forgetsTheEldestOfTooManyWithWhatWaitsForThem() {
        LongStream.rangeClosed(0, Recoveries.MAX_LOSSES)
                .forEach(i -> {
                    book.expect((int) i, "silent");
                    book.removed((int) i, "", false, List.of(orphan(i)));
                });

        book.switched(owned(0, 1, false));

        Recoveries told = book.told(0, List.of(), 0);
        assertThat(told.losses()).hasSize(Recoveries.MAX_LOSSES);
        assertThat(told.losses().getFirst().node()).isEqualTo(1);
        assertThat(told.losses()).allSatisfy(loss -> assertThat(loss.shares()).isEmpty());
    }

    private static ZoneInfo orphan(long zone) {
        return new ZoneInfo(zone, 3, 1, List.of(4), false, false, List.of(), false);
    }

    private static ZoneInfo owned(long zone, int owner, boolean damaged) {
        return new ZoneInfo(zone, owner, 2, List.of(5), false, false, List.of(), damaged);
    }
}
