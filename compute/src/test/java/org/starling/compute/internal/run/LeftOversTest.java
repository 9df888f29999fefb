package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.LoopbackHub;
import org.starling.store.Durability;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;
import org.starling.store.UnderReplicatedException;

/** In a cluster of three peers with data directories, which have two backups for each other. */
@Timeout(60)
final class LeftOversTest {
    private static final int COUNT = 5;
    private static final StoreConfig CONFIG =
            StoreConfig.defaults()
                    .withHeapBytes(16 << 20)
                    .withRequestTimeout(Duration.ofSeconds(1));

    @TempDir Path folder;
    private final LoopbackHub hub = new LoopbackHub();
    private final List<StoreNode> peers = new ArrayList<>();
    private StoreNode superpeer;
    private LeftOvers leftOvers;

    @BeforeEach
    void open() {
        superpeer = StoreNode.startSuperpeer(NodeOptions.loopback(hub, CONFIG));
        join(3);
        await(() -> superpeer.promised() == Durability.POWER);
        leftOvers = new LeftOvers(peers.getFirst().chunks().with(Durability.POWER), "of a test");
    }

    @AfterEach
    void close() {
        superpeer.close();
        peers.forEach(StoreNode::crash);
    }

    @Test
    void areRemovedAtOnceWhereThereAreBackups() {
        long first = make();

        leftOvers.remove(first, COUNT);

        assertThat(chunks()).isZero();
        assertThat(leftOvers.size()).isZero();
    }

    @Test
    void areRemovedThoughWhoeverAsksWasToldToStop() {
        long first = make();
        Thread.currentThread().interrupt();

        leftOvers.remove(first, COUNT);

        assertThat(Thread.interrupted()).isTrue();
        await(() -> chunks() == 0);
    }

    @Test
    void waitForBackupsAndAreRemovedWhenThereAreSome() {
        long one = make();
        long other = make();
        peers.get(1).crash();
        await(() -> isRefused(one) && isRefused(other));
        leftOvers.remove(one, COUNT);
        leftOvers.remove(other, COUNT);
        assertThat(chunks()).isEqualTo(2 * COUNT);
        assertThat(leftOvers.size()).isEqualTo(2 * COUNT);

        join(1);

        await(() -> leftOvers.size() == 0);
        assertThat(chunks()).isZero();
    }

    /** As those of a lost slave may not have come to the backups, of whom one owns the zone now. */
    @Test
    void takeNothingFromWhoIsGivenTheirIdsWhileTheyWait() {
        make();
        long gone = make();
        leftOvers.remove(gone + 1, COUNT - 1);
        peers.get(1).crash();
        await(() -> isRefused(gone));

        leftOvers.remove(gone, COUNT);

        assertThat(leftOvers.size()).as("what there is").isEqualTo(1);
        join(1);
        await(() -> !isRefused(gone));
        make();
        await(() -> leftOvers.size() == 0);
        assertThat(chunks()).isEqualTo(2 * COUNT);
    }

    @Test
    void takeNothingFromWhoIsGivenTheirIdsInAnotherNodesZone() {
        LeftOvers ofAnother =
                new LeftOvers(peers.get(2).chunks().with(Durability.POWER), "of a test");
        make();
        long gone = make();
        leftOvers.remove(gone + 1, COUNT - 1);
        peers.get(1).crash();
        await(() -> isRefused(gone));

        ofAnother.remove(gone, COUNT);

        assertThat(ofAnother.size()).as("what there is").isEqualTo(1);
    }

    @Test
    void areLeftWhereTheyAreWhenTheNodeEnds() {
        long first = make();
        peers.get(1).crash();
        await(() -> isRefused(first));
        leftOvers.remove(first, COUNT);

        peers.getFirst().close();

        await(() -> leftOvers.size() == 0); // so its thread has ended
    }

    private long make() {
        return peers.getFirst().chunks().with(Durability.POWER).createRange(new int[COUNT]);
    }

    /** Whether the owner has heard that there are too few backups. */
    private boolean isRefused(long chunk) {
        try {
            peers.getFirst().chunks().with(Durability.POWER).put(chunk, new byte[0]);
            return false;
        } catch (UnderReplicatedException few) {
            return true;
        } catch (StoreException late) {
            return false;
        }
    }

    private long chunks() {
        return peers.getFirst().chunks().statistics().chunks();
    }

    private void join(int count) {
        for (int i = 0; i < count; i++) {
            Path data = folder.resolve("peer-" + peers.size());
            peers.add(
                    StoreNode.startPeer(NodeOptions.loopback(hub, CONFIG).withDataDirectory(data)));
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
