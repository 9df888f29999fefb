package org.starling.compute.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What starts and stops at the same time do to each other; real processes, but no nodes. */
@Timeout(60)
final class LocalClusterTest {
    @TempDir Path temporary;

    @Test
    void leavesNothingBehindOfARestartThatIsUnderWayWhenItStops() throws Exception {
        ClusterFolder folder = folder();
        LocalCluster cluster = LocalCluster.find(temporary).orElseThrow();
        Thread stop = Thread.ofPlatform().unstarted(cluster::stop);
        Process late;

        try (FileChannel _ = folder.lock("peer-0")) { // as whoever restarts it holds it
            stop.start();
            assertThat(stop.join(Duration.ofMillis(500))).isFalse();
            late = sleeper();
            folder.writePid("peer-0", late.toHandle());
        }
        stop.join();

        assertThat(late.toHandle().isAlive()).isFalse(); // the process itself hears of it later
        assertThat(cluster.isRunning()).isFalse();
        assertThat(cluster.deaths()).isEmpty();
    }

    /** Somebody has stopped all while one process was being restarted, between its two halves. */
    @Test
    void restartsNoProcessOfAClusterThatWasStopped() throws Exception {
        ClusterFolder folder = folder();
        LocalCluster cluster = LocalCluster.find(temporary).orElseThrow();
        Process other = sleeper();
        folder.writePid("superpeer-0", other.toHandle());
        cluster.stop();

        assertThatThrownBy(() -> cluster.restart("peer-0"))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("the cluster was stopped");
        assertThat(folder.process("peer-0")).isEmpty();
    }

    @Test
    void endsAProcessWhoseStartTakesLongInsteadOfWaitingForIt() throws Exception {
        ClusterFolder folder = folder();
        LocalCluster cluster = LocalCluster.find(temporary).orElseThrow();
        Process slow = sleeper();
        folder.writePid("peer-0", slow.toHandle());
        Thread restart =
                Thread.ofPlatform()
                        .start(() -> {
                            try (FileChannel _ = folder.lock("peer-0")) {
                                slow.waitFor();
                            } catch (IOException | InterruptedException broken) {
                                throw new IllegalStateException(broken);
                            }
                        });

        cluster.stop();

        restart.join();
        assertThat(slow.isAlive()).isFalse();
        assertThat(cluster.deaths()).isEmpty();
    }

    private ClusterFolder folder() {
        ClusterFolder folder = new ClusterFolder(temporary);
        folder.make();
        folder.writePlan(ClusterPlan.of(temporary, 1, 2).tree());
        return folder;
    }

    private static Process sleeper() throws IOException {
        return new ProcessBuilder("sleep", "600").start();
    }
}
