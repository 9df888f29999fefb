package org.starling.net.internal;

import static org.starling.net.internal.Schedules.assertBugIsFound;
import static org.starling.net.internal.Schedules.assertHolds;
import static org.starling.net.internal.Schedules.model;
import static org.starling.net.internal.Schedules.only;
import static org.starling.net.internal.Schedules.thorough;
import static org.starling.net.internal.Schedules.wide;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lanes, workers, requests, buffers and who receives under Lincheck, and their broken twins, which
 * it must find.
 */
@Tag("thorough")
@Timeout(120)
class HandlersLincheckTest {

    @Test
    void orderedLaneRunsEveryTaskOnceAndInOrder() {
        assertHolds(wide(), OrderedLaneScenario.Real.class);
    }

    @Test
    void laneThatSaysTooLateThatItIsEmptyIsFound() {
        assertBugIsFound(
                only(
                        OrderedLaneScenario.SaysSoTooLate.class,
                        List.of("add", "add"),
                        List.of(List.of("add", "work"), List.of("add", "add"))),
                OrderedLaneScenario.SaysSoTooLate.class);
    }

    @Test
    void workerLaneRunsEveryTaskOnce() {
        assertHolds(wide(), WorkerLaneScenario.Real.class);
    }

    @Tag("slow")
    @Test
    void laneThatLooksTooLateForMoreIsFound() {
        assertBugIsFound(thorough(), WorkerLaneScenario.LooksTooLate.class);
    }

    @Test
    void bufferPoolKeepsItsBoundsInEveryonesEyes() {
        assertHolds(model(), ReceiveBufferPoolScenario.Real.class);
    }

    @Tag("slow")
    @Test
    void poolThatCountsTooEarlyIsFound() {
        assertBugIsFound(thorough(), ReceiveBufferPoolScenario.CountsTooEarly.class);
    }

    @Test
    void requestTableEndsEveryRequestOnce() {
        assertHolds(model(), RequestTableScenario.Real.class);
    }

    @Test
    void tableThatLetsTwoTakeOneRequestIsFound() {
        assertBugIsFound(thorough(), RequestTableScenario.TakesTwice.class);
    }

    @Test
    void workersAreManyEnoughForThoseThatWait() {
        assertHolds(wide(), WorkerCountScenario.Real.class);
    }

    @Test
    void countThatShrinksBlindlyIsFound() {
        assertBugIsFound(
                only(
                        WorkerCountScenario.ShrinksBlindly.class,
                        List.of("execute", "begin"),
                        List.of(List.of("begin", "startWaiting"), List.of("look", "begin"))),
                WorkerCountScenario.ShrinksBlindly.class);
    }

    @Test
    void oneHasTheReceivingRoleAtATimeAndNothingIsLeftToNobody() {
        Class<?> real = ReceivingRoleScenario.Real.class;
        assertHolds(wide(), real);
        assertHolds(
                only(real, List.of(List.of("lend"), List.of("borrow"), List.of("leaveWork"))),
                real);
    }

    @Test
    void roleThatIsLentAfterALookForWorkIsFound() {
        assertBugIsFound(
                only(
                        ReceivingRoleScenario.LooksTooEarly.class,
                        List.of(List.of("lend"), List.of("leaveWork"))),
                ReceivingRoleScenario.LooksTooEarly.class);
    }

    /** The same with up to two hundred times as many schedules. */
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @ValueSource(
            classes = {
                OrderedLaneScenario.Real.class,
                WorkerLaneScenario.Real.class,
                WorkerCountScenario.Real.class,
                ReceivingRoleScenario.Real.class,
                RequestTableScenario.Real.class,
                ReceiveBufferPoolScenario.Real.class
            })
    void holdsUnderManyMoreSchedules(Class<?> scenario) {
        assertHolds(thorough(), scenario);
    }
}
