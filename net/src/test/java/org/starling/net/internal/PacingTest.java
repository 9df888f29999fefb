package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NetConfig;

/** When senders write themselves, when the receiving thread does, and when threads spin. */
@Timeout(10)
class PacingTest {

    private final AtomicLong clock = new AtomicLong();
    private int writes;
    private int wakes;
    private final DeferredLinks<FakeLink> links = new DeferredLinks<>(true, clock::get);

    private final OutgoingLink sending =
            new OutgoingLink(
                    2,
                    new Messenger(
                            1,
                            new DeafTransport(link -> {}),
                            NetConfig.defaults(),
                            Limits.DEFAULTS));
    private final DrainSchedule schedule =
            new DrainSchedule(link -> ++writes, () -> wakes++, clock::get);

    @AfterEach
    void releaseRing() {
        sending.close(LinkState.LOST, "over");
        assertThat(sending.tryRelease()).isTrue();
    }

    /** A ring of which only positions are known. */
    private static final class FakeLink implements Deferrable {
        private boolean isDeferred;
        private long claimed;
        private long sent;
        private long seenClaimed;
        private long seenSent;

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
        public boolean isSettled() {
            return claimed == sent;
        }

        @Override
        public long look() {
            long growth = claimed - seenClaimed;
            seenClaimed = claimed;
            seenSent = sent;
            return growth;
        }

        @Override
        public boolean hasSentSinceLook() {
            return sent != seenSent;
        }

        int drain() {
            int bytes = (int) (claimed - sent);
            sent = claimed;
            return bytes;
        }
    }

    @Test
    void aFewMessagesInARowAreWrittenByTheirSenderAndThenItIsABurst() {
        for (int i = 0; i < 100 && wakes == 0; i++) {
            schedule.signal(sending);
        }

        assertThat(writes).isBetween(3, 16);
        assertThat(sending.isDeferred()).isTrue();
        schedule.signal(sending);
        assertThat(wakes).isEqualTo(1);
    }

    @Test
    void aSenderThatWaitsBetweenMessagesIsNeverInABurst() {
        for (int i = 0; i < 100; i++) {
            schedule.signal(sending);
            pass(7);
        }

        assertThat(writes).isEqualTo(100);
        assertThat(wakes).isZero();
    }

    @Test
    void whatWasClaimedBeforeABlockedLinkBecameCoolIsLookedAfterWhenItGoesOn() {
        schedule.leave(sending);
        schedule.drain();
        long claimed = sending.ring().claim(64); // by somebody who sees the link deferred
        sending.setBlocked(true);
        pass(1_000);
        schedule.drain();
        assertThat(sending.isDeferred()).isFalse();

        sending.setBlocked(false);
        schedule.goOn(sending);
        sending.ring().commit(claimed, FrameLayout.header(FrameLayout.SKIP, 0, 64));

        assertThat(sending.isDeferred()).isTrue();
        assertThat(schedule.left().parkNanos()).isPositive();
    }

    @Test
    void theFirstMessagesOfABurstLeaveAtOnce() {
        FakeLink link = new FakeLink();
        link.claimed = 100;
        links.offer(link);

        assertThat(links.drain(FakeLink::drain)).isEqualTo(100);
        assertThat(links.parkNanos()).isPositive();
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
        passOneLook();
        assertThat(link.isDeferred).isFalse();
        assertThat(links.isEmpty()).isTrue();
        assertThat(links.parkNanos()).isZero();
    }

    @Test
    void aBurstIsOverWithTheFirstLookThatFindsLittle() {
        assertThat(looksUntilOver(2_000)).isEqualTo(1);
        assertThat(looksUntilOver(100_000)).isEqualTo(20);
    }

    @Test
    void manyLinksThatGrowLittleAreABurstTogether() {
        List<FakeLink> many = Stream.generate(FakeLink::new).limit(64).toList();
        many.forEach(links::offer);
        links.drain(FakeLink::drain);

        for (int look = 0; look < 5; look++) {
            many.forEach(link -> link.claimed += 2_000);
            passOneLook();

            assertThat(many).allSatisfy(link -> assertThat(link.isDeferred).isTrue());
        }
    }

    @Test
    void whoIsQuietInABurstOfOthersIsGivenBack() {
        FakeLink busy = new FakeLink();
        FakeLink quiet = new FakeLink();
        links.offer(busy);
        links.offer(quiet);
        links.drain(FakeLink::drain);
        busy.claimed += 100_000;

        passOneLook();

        assertThat(busy.isDeferred).isTrue();
        assertThat(quiet.isDeferred).isFalse();
    }

    @Test
    void whatSendersWriteThemselvesIsLeftToThemAndLookedAtMoreRarely() {
        FakeLink link = new FakeLink();
        links.offer(link);
        links.drain(FakeLink::drain);
        long longest = 0;
        for (int look = 0; look < 10; look++) {
            link.claimed += 200_000;
            link.sent = link.claimed - 10_000;
            pass(TimeUnit.NANOSECONDS.toMicros(links.parkNanos()) + 1);

            assertThat(links.drain(FakeLink::drain)).isZero();
            longest = Math.max(longest, links.parkNanos());
        }
        link.claimed += 10_000; // and write nothing any more
        pass(TimeUnit.NANOSECONDS.toMicros(links.parkNanos()) + 1);

        assertThat(longest).isEqualTo(DeferredLinks.MAX_LINGER_NANOS);
        assertThat(links.drain(FakeLink::drain)).isEqualTo(20_000);
    }

    @Test
    void aLinkWithAClaimThatIsNotCommittedStaysWithTheReceivingThread() {
        FakeLink link = new FakeLink();
        links.offer(link);
        link.claimed = 64;
        for (int i = 0; i < 10; i++) {
            links.drain(slow -> 0);
            pass(600);
        }

        assertThat(link.isDeferred).isTrue();
        assertThat(links.parkNanos()).isPositive();
        links.drain(FakeLink::drain);
        passOneLook();
        assertThat(links.isEmpty()).isTrue();
        assertThat(link.isDeferred).isFalse();
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

        assertThat(links.parkNanos()).isBetween(micros(400), micros(800));
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

    private void passOneLook() {
        pass(TimeUnit.NANOSECONDS.toMicros(links.parkNanos()) + 1);
        links.drain(FakeLink::drain);
    }

    private void pass(long micros) {
        clock.addAndGet(micros(micros));
    }

    private static long micros(long micros) {
        return TimeUnit.MICROSECONDS.toNanos(micros);
    }
}
