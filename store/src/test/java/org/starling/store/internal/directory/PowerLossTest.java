package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.store.internal.directory.PowerLossSimulation.Bug;

/** Whose disks are enough to bring a zone back after any losses. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class PowerLossTest {
    private static final long SEED = Long.getLong("starling.seed", 99L);
    private static final int RUNS = 400;
    private static final int STEPS = 400;

    @Test
    void losesNothingThatWasAcknowledged() {
        int recoveries = 0;
        int coldRecoveries = 0;
        for (long seed = SEED; seed < SEED + RUNS; seed++) {
            PowerLossSimulation run = new PowerLossSimulation(seed, Bug.NONE);
            run.run(STEPS);

            assertThat(run.loss()).as("seed %d", seed).isEmpty();
            recoveries += run.recoveries();
            coldRecoveries += run.coldRecoveries();
        }
        assertThat(recoveries).isGreaterThan(RUNS);
        assertThat(coldRecoveries).isGreaterThan(RUNS / 10);
    }

    @ParameterizedTest
    @EnumSource(value = Bug.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void noticesARuleThatIsLeftOut(Bug bug) {
        boolean noticed = false;
        for (long seed = SEED; seed < SEED + RUNS && !noticed; seed++) {
            PowerLossSimulation run = new PowerLossSimulation(seed, bug);
            run.run(STEPS);
            noticed = !run.loss().isEmpty();
        }

        assertThat(noticed).as("%s", bug).isTrue();
    }
}
