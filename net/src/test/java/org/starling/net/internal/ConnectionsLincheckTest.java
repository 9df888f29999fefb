package org.starling.net.internal;

import static org.starling.net.internal.Schedules.assertBugIsFound;
import static org.starling.net.internal.Schedules.assertHolds;
import static org.starling.net.internal.Schedules.model;
import static org.starling.net.internal.Schedules.only;
import static org.starling.net.internal.Schedules.steps;
import static org.starling.net.internal.Schedules.thorough;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tables of connections, and connections as a whole, under Lincheck, and their broken twins.
 */
@Tag("thorough")
@Timeout(120)
class ConnectionsLincheckTest {

    @Test
    void tableForgetsNoOutgoingLink() {
        assertHolds(model(), OutgoingLinksScenario.Real.class);
    }

    @Test
    void lookingForARetiringLinkTooEarlyIsFound() {
        assertBugIsFound(
                only(
                        OutgoingLinksScenario.LooksBeforeItAdds.class,
                        List.of("open", "retire"),
                        List.of(List.of("open", "lose"), List.of("open", "farewell"))),
                OutgoingLinksScenario.LooksBeforeItAdds.class);
    }

    @Tag("slow")
    @Test
    void tableThatLosesALinkTwiceIsFound() {
        assertBugIsFound(thorough(), OutgoingLinksScenario.LosesTwice.class);
    }

    @Test
    void tableHandsOnWhatADepartedConnectionHasLeft() {
        assertHolds(model(), IncomingLinksScenario.Real.class);
    }

    @Tag("slow")
    @Test
    void tableThatFilesALostBacklogIsFound() {
        assertBugIsFound(thorough(), IncomingLinksScenario.FilesTooLate.class);
    }

    @Tag("slow")
    @Test
    void connectionsKeepWhatTheyPromiseAsAWhole() {
        assertHolds(steps(5), ConnectionsScenario.Real.class);
    }

    @Tag("slow")
    @Test
    void connectionsThatHoldNothingBackAreFound() {
        // The connection made while another one retires is used before that one's farewell.
        assertBugIsFound(
                only(
                        ConnectionsScenario.HoldsNothingBack.class,
                        List.of(
                                List.of("sendFromOne", "sendFromOne"),
                                List.of("roundOfTheOthers"))),
                ConnectionsScenario.HoldsNothingBack.class);
    }

    @Tag("slow")
    @Test
    void losingWhatIsThereIsFound() {
        // The other end of a broken connection is lost, then that of the one made instead of it.
        assertBugIsFound(
                only(
                        ConnectionsScenario.LosesWhatIsThere.class,
                        List.of(List.of("breakConnection"), List.of("breakAndSendFromOne"))),
                ConnectionsScenario.LosesWhatIsThere.class);
    }

    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @Test
    void connectionsHoldUnderManyMoreSchedules() {
        assertHolds(steps(80), ConnectionsScenario.Real.class);
    }

    /** The same with up to two hundred times as many schedules. */
    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @ValueSource(classes = {OutgoingLinksScenario.Real.class, IncomingLinksScenario.Real.class})
    void holdsUnderManyMoreSchedules(Class<?> scenario) {
        assertHolds(thorough(), scenario);
    }
}
