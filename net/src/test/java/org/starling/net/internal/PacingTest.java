package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When senders write themselves, when the receiving thread does, and when threads spin. */
@Timeout(10)
class PacingTest {

    /** Growth between two looks of a link that is about to fill a write. */
    private static final int FILLING_BYTES = 2_000;

    private final AtomicLong clock = new AtomicLong();
    private final BurstGauge gauge = new BurstGauge(clock::get);
    private final AtomicInteger bursts = new AtomicInteger();
    private final DeferredLinks<FakeLink> links = new DeferredLinks<>(true, clock::get, bursts);

    /** A ring of which only positions are known. */
    private static final class FakeLink implements Deferrable {
        private boolean isDeferred;
        private long claimed;
        private long sent;
        private long seenClaimed;
        private long seenSent;
        private long sentNanos;

        @Override
        public boolean defer() {
            boolean isNew = !isDeferred;
            isDeferred = true;
            return isNew;
        }

        @Override
        public void endDeferral() {
            isDeferred = false;
        }

        @Override
        public boolean touch() {
            return true;
        }

        @Override
        public void endTouch() {}

        @Override
        public boolean isEnded() {
            return false;
        }

        @Override
        public boolean isSettled() {
            return claimed == sent;
        }

        @Override
        public long growth() {
            long growth = claimed - seenClaimed;
            seenClaimed = claimed;
            return growth;
        }

        @Override
        public boolean hasSent(long nowNanos) {
            boolean hasSent = sent != seenSent;
            seenSent = sent;
            sentNanos = hasSent ? nowNanos : sentNanos;
            return hasSent;
        }

        @Override
        public boolean hasSentSince(long nanos) {
            return sentNanos >= nanos;
        }

        int drain() {
            int bytes = (int) (claimed - sent);
            sent = claimed;
            return bytes;
        }
    }

    @Test
    void aFewMessagesInARowAreNoBurst() {
        int singles = 0;
        while (!gauge.isBurst()) {
            gauge.wrote();
            singles++;
        }

        assertThat(singles).isBetween(3, 16);
    }

    @Test
    void aSenderThatWaitsBetweenMessagesIsNeverInABurst() {
        for (int i = 0; i < 100; i++) {
            assertThat(gauge.isBurst()).isFalse();
            gauge.wrote();
            pass(7);
        }
    }

    @Test
    void theFirstMessagesOfABurstLeaveAtOnce() {
        FakeLink link = new FakeLink();
        link.claimed = 100;
        links.offer(link);

        assertThat(links.drain(FakeLink::drain)).isEqualTo(100);
        assertThat(links.lingerNanos()).isPositive();
    }

    @Test
    void aBurstIsDrainedFromTimeToTimeAndEndsWhenItsSendersAreQuiet() {
        FakeLink link = new FakeLink();
        links.offer(link);
        links.drain(FakeLink::drain);
        link.claimed += 100_000;

        assertThat(links.drain(FakeLink::drain)).isZero(); // not yet
        pass(60);
        assertThat(links.drain(FakeLink::drain)).isEqualTo(100_000);
        assertThat(link.isDeferred).isTrue();
        pass(60);
        links.drain(FakeLink::drain);
        assertThat(link.isDeferred).isFalse();
        assertThat(links.isEmpty()).isTrue();
        assertThat(links.lingerNanos()).isZero();
    }

    @Test
    void aLongBurstGoesOnAfterAPauseInWhichItsSendersHadNoCore() {
        FakeLink link = burstFor(TimeUnit.MILLISECONDS.toNanos(20));

        passLooksFor(DeferredLinks.MAX_PAUSE_NANOS * 3 / 4);

        assertThat(link.isDeferred).isTrue();
        assertThat(links.parkNanos()).isGreaterThan(DeferredLinks.LEFT_LINGER_NANOS / 2);
    }

    @Test
    void aLongBurstEndsAfterALongPause() {
        FakeLink link = burstFor(TimeUnit.SECONDS.toNanos(1));

        passLooksFor(DeferredLinks.MAX_PAUSE_NANOS * 3 / 2);

        assertThat(link.isDeferred).isFalse();
        assertThat(links.isEmpty()).isTrue();
    }

    @Test
    void aShortBurstEndsAfterAShortPause() {
        FakeLink link = burstFor(TimeUnit.MILLISECONDS.toNanos(1));

        passLooksFor(TimeUnit.MILLISECONDS.toNanos(1));

        assertThat(link.isDeferred).isFalse();
    }

    @Test
    void aLongBurstThatHasBecomeTooSlowEnds() {
        FakeLink link = burstFor(TimeUnit.SECONDS.toNanos(1));

        long end = clock.get() + DeferredLinks.MAX_PAUSE_NANOS * 3 / 2;
        while (clock.get() < end) {
            link.claimed += 100;
            passOneLook();
        }

        assertThat(link.isDeferred).isFalse();
    }

    @Test
    void whatIsABurstAloneIsOverAfterOneLookThatFoundLittle() {
        assertThat(looksUntilOver(2_000)).isEqualTo(1);
    }

    @Test
    void aNodeOfACrowdStaysHotWhileTheOthersHaveTheirTurns() {
        bursts.set(16 * Runtime.getRuntime().availableProcessors());

        assertThat(looksUntilOver(2_000)).isEqualTo(20);
    }

    @Test
    void aNodeOfACrowdThatSendsNowAndThenIsInNoBurst() {
        bursts.set(16 * Runtime.getRuntime().availableProcessors());

        assertThat(looksUntilOver(200)).isEqualTo(1);
    }

    @Test
    void whatSendersWriteThemselvesIsLeftToThem() {
        FakeLink link = new FakeLink();
        links.offer(link);
        links.drain(FakeLink::drain);
        link.claimed += 100_000;
        link.sent += 65_536;
        pass(60);

        assertThat(links.drain(FakeLink::drain)).isZero();
        pass(60); // looks are rare now
        assertThat(links.drain(FakeLink::drain)).isZero();
        long left = DeferredLinks.LEFT_LINGER_NANOS;
        assertThat(links.parkNanos()).isBetween(left - micros(60), left);
        pass(TimeUnit.NANOSECONDS.toMicros(left));
        assertThat(links.drain(FakeLink::drain)).isEqualTo(100_000 - 65_536);
    }

    @Test
    void whatFillsAWriteSoonIsLeftToItsSendersForSomeTime() {
        List<FakeLink> many = Stream.generate(FakeLink::new).limit(64).toList();
        many.forEach(links::offer);
        links.drain(FakeLink::drain);
        long looks = 0;
        long bytes = 0;
        while (bytes == 0) {
            many.forEach(link -> link.claimed += FILLING_BYTES);
            pass(TimeUnit.NANOSECONDS.toMicros(DeferredLinks.LEFT_LINGER_NANOS) + 1);
            bytes = links.drain(FakeLink::drain);
            looks++;
        }

        long spared = DeferredLinks.SPARE_NANOS / DeferredLinks.LEFT_LINGER_NANOS;
        assertThat(looks).isBetween(spared, spared + 1);
        assertThat(bytes).isEqualTo(FILLING_BYTES * looks * many.size());
    }

    @Test
    void whatFillsAWriteLateIsDrainedByEachLook() {
        List<FakeLink> many = Stream.generate(FakeLink::new).limit(64).toList();
        many.forEach(links::offer);
        links.drain(FakeLink::drain);
        for (int look = 0; look < 5; look++) {
            many.forEach(link -> link.claimed += FILLING_BYTES / 2);
            pass(TimeUnit.NANOSECONDS.toMicros(DeferredLinks.LEFT_LINGER_NANOS) + 1);

            assertThat(links.drain(FakeLink::drain)).isEqualTo(FILLING_BYTES / 2 * many.size());
        }
    }

    @Test
    void whatHasStoppedGrowingLeavesWithTheNextLook() {
        FakeLink link = new FakeLink();
        links.offer(link);
        links.drain(FakeLink::drain);
        link.claimed += 4 * FILLING_BYTES;
        pass(60);
        assertThat(links.drain(FakeLink::drain)).isZero();

        pass(TimeUnit.NANOSECONDS.toMicros(DeferredLinks.LEFT_LINGER_NANOS));

        assertThat(links.drain(FakeLink::drain)).isEqualTo(4 * FILLING_BYTES);
    }

    @Test
    void whoIsInAHurryDoesNotWaitForTheNextLook() {
        FakeLink link = new FakeLink();
        links.offer(link);
        links.drain(FakeLink::drain);
        link.claimed += 100_000;
        link.sent += 65_536;
        pass(60);
        links.drain(FakeLink::drain); // left to its senders
        link.claimed += 100_000;
        link.sent += 65_536;

        links.hurry();

        assertThat(links.parkNanos()).isEqualTo(1);
        assertThat(links.drain(FakeLink::drain)).isEqualTo(2 * (100_000 - 65_536));
        assertThat(links.parkNanos()).isGreaterThan(micros(30));
    }

    @Test
    void theLongerALookTakesTheLongerItIsToTheNext() {
        FakeLink link = new FakeLink();
        links.offer(link);
        links.drain(FakeLink::drain);
        link.claimed += 1_000_000;
        pass(60);
        links.drain(slow -> {
            pass(200);
            return slow.drain();
        });

        assertThat(links.lingerNanos()).isBetween(micros(400), micros(800));
    }

    @Test
    void aLinkWithAClaimThatIsNotCommittedIsLookedAtAgain() {
        FakeLink link = new FakeLink();
        links.offer(link);
        link.claimed = 64;
        List<Long> looks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            links.drain(slow -> {
                looks.add(clock.get());
                return 0;
            });
            pass(60);
        }

        assertThat(links.hasUnsettled()).isTrue();
        assertThat(looks).hasSizeGreaterThan(3);
        links.drain(FakeLink::drain);
        assertThat(links.hasUnsettled()).isFalse();
    }

    @Test
    void whatTheReceivingThreadCommitsLeavesInTheNextRound() {
        FakeLink link = new FakeLink();
        link.claimed = 24;
        links.touch(link);

        assertThat(links.drain(FakeLink::drain)).isEqualTo(24);
        assertThat(links.isEmpty()).isTrue();
    }

    @Test
    void runningThreadsAreReadFromTheKernelsLine() {
        assertThat(BusyCores.running("0.20 0.18 0.12 3/80 11206\n")).isEqualTo(3);
        assertThat(BusyCores.running("")).isEqualTo(Integer.MAX_VALUE);
        assertThat(BusyCores.running("1 2 3 many/80 1")).isEqualTo(Integer.MAX_VALUE);
    }

    /** How often a link that grows by so much between two looks is looked at; 20 is for ever. */
    private int looksUntilOver(long growth) {
        FakeLink link = new FakeLink();
        links.offer(link);
        links.drain(FakeLink::drain);
        int looks = 0;
        while (link.isDeferred && looks < 20) {
            link.claimed += growth;
            passOneLook();
            looks++;
        }
        return looks;
    }

    /** A link that has grown as in a burst for so long. */
    private FakeLink burstFor(long nanos) {
        FakeLink link = new FakeLink();
        links.offer(link);
        links.drain(FakeLink::drain);
        long end = clock.get() + nanos;
        while (clock.get() < end) {
            link.claimed += 100_000;
            passOneLook();
        }
        assertThat(link.isDeferred).isTrue();
        return link;
    }

    private void passLooksFor(long nanos) {
        long end = clock.get() + nanos;
        while (clock.get() < end && links.lingerNanos() > 0) {
            passOneLook();
        }
    }

    private void passOneLook() {
        pass(TimeUnit.NANOSECONDS.toMicros(links.lingerNanos()) + 1);
        links.drain(FakeLink::drain);
    }

    private void pass(long micros) {
        clock.addAndGet(micros(micros));
    }

    private static long micros(long micros) {
        return TimeUnit.MICROSECONDS.toNanos(micros);
    }
}
