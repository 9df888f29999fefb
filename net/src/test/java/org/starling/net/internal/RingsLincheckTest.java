package org.starling.net.internal;

import static org.starling.net.internal.Schedules.assertBugIsFound;
import static org.starling.net.internal.Schedules.assertHolds;
import static org.starling.net.internal.Schedules.model;
import static org.starling.net.internal.Schedules.only;
import static org.starling.net.internal.Schedules.thorough;
import static org.starling.net.internal.Schedules.wide;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rings, credits and the turns of draining under Lincheck, and their broken twins, which it must
 * find.
 */
@Tag("thorough")
@Timeout(120)
class RingsLincheckTest {

    @Test
    void ringKeepsEveryCommittedFrame() {
        assertHolds(model(), RingScenario.Real.class);
    }

    @Test
    void ringKeepsEveryCommittedFrameNearItsEnd() {
        assertHolds(
                meetingNearTheEnd(RingScenario.RealNearTheEnd.class).invocationsPerIteration(200),
                RingScenario.RealNearTheEnd.class);
    }

    @Tag("slow")
    @Test
    void ringKeepsEveryCommittedFrameNearItsEndUnderManyMoreSchedules() {
        assertHolds(
                meetingNearTheEnd(RingScenario.RealNearTheEnd.class),
                RingScenario.RealNearTheEnd.class);
    }

    @Test
    void claimWithoutCompareAndSetIsFound() {
        assertBugIsFound(
                only(
                        RingScenario.ClaimWithoutCompareAndSet.class,
                        List.of(List.of("sendSmall"), List.of("sendSmall"))),
                RingScenario.ClaimWithoutCompareAndSet.class);
    }

    @Tag("slow")
    @Test
    void roomToldBeforeTheClaimThatAskedForItIsFound() {
        assertBugIsFound(
                meetingNearTheEnd(RingScenario.UntilBeforeTheClaim.class),
                RingScenario.UntilBeforeTheClaim.class);
    }

    @Tag("slow")
    @Test
    void roomToldBeyondTheEndOfTheRingIsFound() {
        assertBugIsFound(
                meetingNearTheEnd(RingScenario.UntilBeyondTheLap.class),
                RingScenario.UntilBeyondTheLap.class);
    }

    @Tag("slow")
    @Test
    void framesOfTheLastLapThatLookCommittedAreFound() {
        assertBugIsFound(model(), RingScenario.MarksAreKept.class);
    }

    @Tag("slow")
    @Test
    void frameThatLooksCommittedWhenItIsClaimedIsFound() {
        assertBugIsFound(thorough(), RingScenario.MarkAtClaim.class);
    }

    @Tag("slow")
    @Test
    void lengthThatIsToldWhenAFrameIsClaimedIsFound() {
        assertBugIsFound(thorough(), RingScenario.LengthAtClaim.class);
    }

    @Tag("slow")
    @Test
    void lengthOfAFrameOfTheLastLapIsFound() {
        assertBugIsFound(thorough(), RingScenario.LengthOfTheLastLap.class);
    }

    @Tag("slow")
    @Test
    void markThatIsTakenAfterItsRoomIsFreeIsFound() {
        assertBugIsFound(thorough(), RingScenario.MarksAreTakenTooLate.class);
    }

    @Tag("slow")
    @Test
    void endOfTheRingWithoutAMarkIsFound() {
        assertBugIsFound(thorough(), RingScenario.SkipWithoutMark.class);
    }

    @Test
    void drainLockLeavesNothingBehind() {
        assertHolds(model(), DrainLockScenario.Real.class);
    }

    @Test
    void drainLockThatTellsNobodyIsFound() {
        assertBugIsFound(model(), DrainLockScenario.TellsNobody.class);
    }

    @Test
    void deferredLinksLeaveNothingBehind() {
        assertHolds(wide(), DeferredLinksScenario.Real.class);
    }

    @Tag("slow")
    @Test
    void lookingBeforeTheDeferralEndsIsFound() {
        assertBugIsFound(thorough(), DeferredLinksScenario.LooksTooEarly.class);
    }

    @Test
    void everyStepOfHandledBytesIsConfirmed() {
        assertHolds(wide(), ConfirmationScenario.Real.class);
    }

    @Tag("slow")
    @Test
    void linkThatForgetsASignalIsFound() {
        assertBugIsFound(thorough(), ConfirmationScenario.ForgetsTooLate.class);
    }

    @Test
    void everyCreditComesBackAcrossConnections() {
        assertHolds(model(), CreditScenario.Real.class);
    }

    @Test
    void workersThatLoseCreditsAreFound() {
        assertBugIsFound(thorough(), CreditScenario.LosesCredits.class);
    }

    @Test
    void windowNeverClosesAgainByAnOlderConfirmation() {
        assertHolds(model(), WindowScenario.Real.class);
    }

    @Test
    void windowThatLooksAndSetsIsFound() {
        assertBugIsFound(thorough().actorsBefore(0), WindowScenario.LooksAndSets.class);
    }

    @Test
    void sleepingOverAClaimIsFound() {
        // A sender stands between claim and commit while its link becomes cool.
        assertBugIsFound(
                only(
                        DeferredLinksScenario.ForgetsClaims.class,
                        List.of(List.of("send", "send"), List.of("receive", "receive"))),
                DeferredLinksScenario.ForgetsClaims.class);
    }

    /** The same with up to two hundred times as many schedules. */
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @ValueSource(
            classes = {
                RingScenario.Real.class,
                RingScenario.RealNearTheEnd.class,
                DrainLockScenario.Real.class,
                DeferredLinksScenario.Real.class,
                ConfirmationScenario.Real.class,
                CreditScenario.Real.class,
                WindowScenario.Real.class
            })
    void holdsUnderManyMoreSchedules(Class<?> scenario) {
        assertHolds(thorough(), scenario);
    }

    private static ModelCheckingOptions meetingNearTheEnd(Class<?> scenario) {
        return only(scenario, List.of(List.of("sendSmall", "sendSmall"), List.of("sendSmall")));
    }
}
