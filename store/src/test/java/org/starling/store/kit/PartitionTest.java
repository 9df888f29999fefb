package org.starling.store.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three superpeers and five peers on hosts of their own, which are cut off from each other and
 * paused. {@code -Dstarling.partitions=200} and {@code -Dstarling.pauses=100} say how often, {@code
 * -Dstarling.killLoop.seed} repeats a run.
 */
@Tag("slow")
final class PartitionTest {
    private static final int PARTITIONS = Integer.getInteger("starling.partitions", 10);
    private static final int PAUSES = Integer.getInteger("starling.pauses", 5);
    private static final int SUPERPEERS = 3;
    private static final int PEERS = 5;

    /** With the logs of all nodes, which are needed where something went wrong. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void losesNothingThatWasAcknowledgedAndAnswersNothingOld() {
        assumeTrue(Hosts.arePossible(), "only root can make hosts, with Linux's ip");
        long seed = Long.getLong("starling.killLoop.seed", System.nanoTime());

        KillLoop.Outcome outcome;
        try (Hosts hosts = Hosts.open(SUPERPEERS + PEERS)) {
            outcome =
                    KillLoop.ofPartitions(folder, hosts, SUPERPEERS, PARTITIONS, PAUSES, seed)
                            .run();
        }

        System.out.println(outcome.line());
        assertThat(outcome.isGood())
                .as("seed %d: %s %s", seed, outcome.line(), outcome.faults())
                .isTrue();
        assertThat(outcome.struck()).isEqualTo(PARTITIONS + PAUSES);
    }
}
