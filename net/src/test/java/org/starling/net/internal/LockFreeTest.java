package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.NativeMemory;

/** The lock-free classes under Lincheck, and their broken twins, which it must find. */
@Timeout(120)
class LockFreeTest {

    @Test
    void ringKeepsEveryCommittedFrame() {
        assertThatCode(() -> model().check(RingScenario.Real.class)).doesNotThrowAnyException();
    }

    @Test
    void claimWithoutCompareAndSetIsFound() {
        assertThatThrownBy(() -> model().check(RingScenario.ClaimWithoutCompareAndSet.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void framesOfTheLastLapThatLookCommittedAreFound() {
        assertThatThrownBy(() -> model().check(RingScenario.MarksAreKept.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void frameThatLooksCommittedWhenItIsClaimedIsFound() {
        assertThatThrownBy(() -> thorough().check(RingScenario.MarkAtClaim.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void lengthThatIsToldWhenAFrameIsClaimedIsFound() {
        assertThatThrownBy(() -> thorough().check(RingScenario.LengthAtClaim.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void lengthOfAFrameOfTheLastLapIsFound() {
        assertThatThrownBy(() -> thorough().check(RingScenario.LengthOfTheLastLap.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void markThatIsTakenAfterItsRoomIsFreeIsFound() {
        assertThatThrownBy(() -> thorough().check(RingScenario.MarksAreTakenTooLate.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void endOfTheRingWithoutAMarkIsFound() {
        assertThatThrownBy(() -> thorough().check(RingScenario.SkipWithoutMark.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void drainLockLeavesNothingBehind() {
        assertThatCode(() -> model().check(DrainLockScenario.Real.class))
                .doesNotThrowAnyException();
    }

    @Test
    void drainLockThatTellsNobodyIsFound() {
        assertThatThrownBy(() -> model().check(DrainLockScenario.TellsNobody.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void deferredLinksLeaveNothingBehind() {
        assertThatCode(() -> wide().check(DeferredLinksScenario.Real.class))
                .doesNotThrowAnyException();
    }

    @Test
    void lookingBeforeTheDeferralEndsIsFound() {
        assertThatThrownBy(() -> thorough().check(DeferredLinksScenario.LooksTooEarly.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void orderedLaneRunsEveryTaskOnceAndInOrder() {
        assertThatCode(() -> wide().check(OrderedLaneScenario.Real.class))
                .doesNotThrowAnyException();
    }

    @Test
    void laneThatSaysTooLateThatItIsEmptyIsFound() {
        assertThatThrownBy(() -> thorough().check(OrderedLaneScenario.SaysSoTooLate.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void workerLaneRunsEveryTaskOnce() {
        assertThatCode(() -> wide().check(WorkerLaneScenario.Real.class))
                .doesNotThrowAnyException();
    }

    @Test
    void laneThatLooksTooLateForMoreIsFound() {
        assertThatThrownBy(() -> thorough().check(WorkerLaneScenario.LooksTooLate.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void bufferPoolKeepsItsBoundsInEveryonesEyes() {
        assertThatCode(() -> model().check(ReceiveBufferPoolScenario.Real.class))
                .doesNotThrowAnyException();
    }

    @Tag("slow")
    @Test
    void poolThatCountsTooEarlyIsFound() {
        assertThatThrownBy(() -> thorough().check(ReceiveBufferPoolScenario.CountsTooEarly.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void requestTableEndsEveryRequestOnce() {
        assertThatCode(() -> wide().check(RequestTableScenario.Real.class))
                .doesNotThrowAnyException();
    }

    @Test
    void tableThatLetsTwoTakeOneRequestIsFound() {
        assertThatThrownBy(() -> thorough().check(RequestTableScenario.TakesTwice.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void everyStepOfHandledBytesIsConfirmed() {
        assertThatCode(() -> wide().check(ConfirmationScenario.Real.class))
                .doesNotThrowAnyException();
    }

    @Tag("slow")
    @Test
    void linkThatForgetsASignalIsFound() {
        assertThatThrownBy(() -> thorough().check(ConfirmationScenario.ForgetsTooLate.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void everyCreditComesBackAcrossConnections() {
        assertThatCode(() -> model().check(CreditScenario.Real.class)).doesNotThrowAnyException();
    }

    @Test
    void workersThatLoseCreditsAreFound() {
        assertThatThrownBy(() -> thorough().check(CreditScenario.LosesCredits.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void windowNeverClosesAgainByAnOlderConfirmation() {
        assertThatCode(() -> model().check(WindowScenario.Real.class)).doesNotThrowAnyException();
    }

    @Test
    void windowThatLooksAndSetsIsFound() {
        assertThatThrownBy(
                        () -> thorough().actorsBefore(0).check(WindowScenario.LooksAndSets.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void tableForgetsNoOutgoingLink() {
        assertThatCode(() -> model().check(OutgoingLinksScenario.Real.class))
                .doesNotThrowAnyException();
    }

    @Tag("slow")
    @Test
    void lookingForARetiringLinkTooEarlyIsFound() {
        assertThatThrownBy(() -> thorough().check(OutgoingLinksScenario.LooksBeforeItAdds.class))
                .isInstanceOf(AssertionError.class);
    }

    @Tag("slow")
    @Test
    void tableThatLosesALinkTwiceIsFound() {
        assertThatThrownBy(() -> thorough().check(OutgoingLinksScenario.LosesTwice.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void tableHandsOnWhatADepartedConnectionHasLeft() {
        assertThatCode(() -> model().check(IncomingLinksScenario.Real.class))
                .doesNotThrowAnyException();
    }

    @Tag("slow")
    @Test
    void tableThatFilesALostBacklogIsFound() {
        assertThatThrownBy(() -> thorough().check(IncomingLinksScenario.FilesTooLate.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void connectionsKeepWhatTheyPromiseAsAWhole() {
        assertThatCode(() -> steps(5).check(ConnectionsScenario.Real.class))
                .doesNotThrowAnyException();
    }

    @Test
    void connectionsThatHoldNothingBackAreFound() {
        assertThatThrownBy(() -> steps(60).check(ConnectionsScenario.HoldsNothingBack.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void losingWhatIsThereIsFound() {
        assertThatThrownBy(() -> steps(60).check(ConnectionsScenario.LosesWhatIsThere.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void workersAreManyEnoughForThoseThatWait() {
        assertThatCode(() -> wide().check(WorkerCountScenario.Real.class))
                .doesNotThrowAnyException();
    }

    @Test
    void countThatShrinksBlindlyIsFound() {
        assertThatThrownBy(() -> thorough().check(WorkerCountScenario.ShrinksBlindly.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void threadsThatReadInTurnsLeaveNothingUnread() {
        assertThatCode(() -> wide().check(ReadTurnScenario.Real.class)).doesNotThrowAnyException();
    }

    @Test
    void readerThatBelievesTheMarkAloneIsFound() {
        assertThatThrownBy(() -> thorough().check(ReadTurnScenario.BelievesTheMark.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void freeingUnderAReaderIsFound() {
        assertThatThrownBy(() -> thorough().check(ReadTurnScenario.ClosesBlindly.class))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void sleepingOverAClaimIsFound() {
        assertThatThrownBy(() -> wide().check(DeferredLinksScenario.ForgetsClaims.class))
                .isInstanceOf(AssertionError.class);
    }

    /** The same with up to two hundred times as many schedules. */
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @ValueSource(
            classes = {
                RingScenario.Real.class,
                DrainLockScenario.Real.class,
                DeferredLinksScenario.Real.class,
                OrderedLaneScenario.Real.class,
                WorkerLaneScenario.Real.class,
                WorkerCountScenario.Real.class,
                RequestTableScenario.Real.class,
                ReceiveBufferPoolScenario.Real.class,
                ConfirmationScenario.Real.class,
                CreditScenario.Real.class,
                WindowScenario.Real.class,
                OutgoingLinksScenario.Real.class,
                IncomingLinksScenario.Real.class,
                ReadTurnScenario.Real.class
            })
    void holdsUnderManyMoreSchedules(Class<?> scenario) {
        assertThatCode(() -> thorough().check(scenario)).doesNotThrowAnyException();
    }

    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @Test
    void connectionsHoldUnderManyMoreSchedules() {
        assertThatCode(() -> steps(80).check(ConnectionsScenario.Real.class))
                .doesNotThrowAnyException();
    }

    /**
     * Explores interleavings one by one, so that the result depends neither on cores nor on load.
     * Native memory is no memory to Lincheck unless it is told: without that no thread could come
     * between a frame and its mark. What pools of threads and logs do inside is not looked at.
     */
    private static ModelCheckingOptions model() {
        return new ModelCheckingOptions()
                .addGuarantee(forClasses(NativeMemory.class.getName()).allMethods().treatAsAtomic())
                .addGuarantee(forClasses(Workers.class.getName()).allMethods().treatAsAtomic())
                .addGuarantee(
                        forClasses(name -> name.startsWith("org.apache.logging."))
                                .allMethods()
                                .ignore())
                .iterations(2)
                .invocationsPerIteration(50)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(0)
                .minimizeFailedScenario(false);
    }

    /** For scenarios in which few of the operations drawn meet. */
    private static ModelCheckingOptions wide() {
        return model().iterations(5).invocationsPerIteration(120);
    }

    /** For nodes as a whole, whose steps are slow. */
    private static ModelCheckingOptions steps(int scenarios) {
        return model().iterations(scenarios).invocationsPerIteration(30).actorsBefore(0);
    }

    /** For bugs that few of the interleavings show; ends with the first that does. */
    private static ModelCheckingOptions thorough() {
        return model().iterations(60).invocationsPerIteration(400);
    }
}
