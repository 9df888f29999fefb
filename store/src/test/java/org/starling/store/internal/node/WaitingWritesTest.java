package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * A node becomes the owner of a zone while it asks the directory who that is: its operations follow
 * the answer, which comes on the receiving thread, and a write of an owner may wait for backups.
 */
@Timeout(30)
final class WaitingWritesTest {
    private static final int SELF = 3;
    private static final long ZONE = ChunkId.zoneOf(9, 0);
    private static final long ID = ChunkId.ofZone(ZONE, 5);

    private static final ZoneInfo ZONE_INFO =
            new ZoneInfo(ZONE, SELF, 2, List.of(4), false, false, List.of(), false);

    private final CompletableFuture<List<ZoneInfo>> answer = new CompletableFuture<>();
    private final Retries retries = new Retries(Duration.ofSeconds(10), System::nanoTime);
    private volatile boolean isOwner;

    private final Locations locations =
            new Locations(SELF, zone -> isOwner, node -> true, zone -> answer);

    @Test
    void aSingleOneDoesNotHoldUpTheThreadOfTheAnswer() throws Exception {
        RoutedOperation<Thread> operation =
                new RoutedOperation<>(
                        ID,
                        locations,
                        retries,
                        owner -> CompletableFuture.completedFuture(Thread.currentThread()));
        CompletableFuture<Thread> ran = operation.run();

        becomeOwnerAndAnswer();

        assertThat(ran.get(10, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
    }

    @Test
    void aBatchDoesNotHoldUpTheThreadOfTheAnswer() throws Exception {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        CompletableFuture<Void> batch = new OwnersBatch(ran).run();

        becomeOwnerAndAnswer();

        batch.get(10, TimeUnit.SECONDS);
        assertThat(ran.join()).isNotSameAs(Thread.currentThread());
    }

    private void becomeOwnerAndAnswer() {
        isOwner = true;
        answer.complete(List.of(ZONE_INFO));
    }

    /** One that tells on which thread it is carried out. */
    private final class OwnersBatch extends Batch {
        private final CompletableFuture<Thread> ran;

        private OwnersBatch(CompletableFuture<Thread> ran) {
            super(new long[] {ID}, locations, retries, true);
            this.ran = ran;
        }

        @Override
        CompletableFuture<?> here(int index) {
            ran.complete(Thread.currentThread());
            return CompletableFuture.completedFuture(null);
        }

        @Override
        int sliceEnd(IntArrayList indexes, int from) {
            return indexes.size();
        }

        @Override
        CompletableFuture<IntArrayList> send(int owner, IntArrayList indexes) {
            throw new AssertionError("nobody else is the owner");
        }
    }
}
