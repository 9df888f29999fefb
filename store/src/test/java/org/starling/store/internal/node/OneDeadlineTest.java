package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * An operation has one time-out, whatever it waits for: attempts that begin late end with it, and
 * so does the wait for a number.
 */
@Timeout(30)
final class OneDeadlineTest {
    private static final long ZONE = ChunkId.zoneOf(2, 0);
    private static final long CHUNK = ChunkId.ofZone(ZONE, 5);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration MOST = TIMEOUT.multipliedBy(5);
    private static final ZoneInfo HERE =
            new ZoneInfo(ZONE, 2, 1, List.of(3), false, false, List.of(), false);

    private final Retries retries = new Retries(TIMEOUT, System::nanoTime);
    private final Locations locations =
            new Locations(
                    1,
                    zone -> false,
                    node -> true,
                    zone -> CompletableFuture.completedFuture(List.of(HERE)));

    private int attempts;

    /** The first attempt fails at once, the second has no answer. */
    private <T> CompletableFuture<T> attempt() {
        return ++attempts == 1
                ? CompletableFuture.failedFuture(new MovedException(CHUNK, 2))
                : new CompletableFuture<>();
    }

    private static @Nullable Throwable failureOf(CompletableFuture<?> operation) {
        return catchThrowable(() -> operation.get(MOST.toMillis(), TimeUnit.MILLISECONDS))
                .getCause();
    }

    @Test
    void aSecondAttemptOfAWriteEndsWithTheOperation() {
        CompletableFuture<Void> write =
                RoutedOperation.<Void>ofWrite(
                                CHUNK,
                                locations,
                                retries,
                                retries.deadlineNanos(),
                                false,
                                owner -> attempt())
                        .run();

        assertThat(failureOf(write))
                .isInstanceOf(IndeterminateException.class)
                .hasMessageContaining("nobody has answered in time for chunk")
                .hasMessageContaining("attempt 2, of which nothing was heard for ")
                .hasMessageContaining(" ms, was at node 2; the one before came to: ");
        assertThat(attempts).isEqualTo(2);
    }

    @Test
    void saysThatItWasTheDirectoryThatDidNotAnswer() {
        Locations unheard =
                new Locations(1, zone -> false, node -> true, zone -> new CompletableFuture<>());

        CompletableFuture<Void> read =
                new RoutedOperation<Void>(CHUNK, unheard, retries, owner -> attempt()).run();

        assertThat(failureOf(read))
                .hasMessageContaining("attempt 1, of which nothing was heard for ")
                .hasMessageContaining("was to ask the directory for the owner");
    }

    @Test
    void aSecondAttemptOfAReadEndsWithTheOperation() {
        CompletableFuture<Void> read =
                new RoutedOperation<Void>(CHUNK, locations, retries, owner -> attempt()).run();

        assertThat(failureOf(read))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(IndeterminateException.class)
                .hasMessageContaining("nobody has answered in time");
    }

    @Test
    void aSecondRoundOfABatchEndsWithTheOperation() {
        assertThat(failureOf(new OneWrite(CHUNK, locations, retries, this::attempt).run()))
                .rootCause()
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        assertThat(attempts).isEqualTo(2);
    }

    @Test
    void aWriteThatHasWaitedForItsNumberIsNotMadeWhenItsTimeIsOver() throws Exception {
        ZoneTags tags = new ZoneTags(0);
        ZoneTags.Span first = tags.begin(ZONE, ZoneTags.MAX_TAKEN).get();
        ZoneTags.Span second = tags.begin(ZONE, ZoneTags.MAX_TAKEN).get();
        try (LocalChunks local = new LocalChunks(1, 1 << 26)) {
            CompletableFuture<Long> write =
                    new OwnerCalls(around(tags, local))
                            .changeAsync(CHUNK, (owner, sequence) -> attempt(), tag -> attempt());
            CompletableFuture.delayedExecutor(TIMEOUT.toMillis() + 100, TimeUnit.MILLISECONDS)
                    .execute(() -> tags.end(ZONE, first));

            assertThat(failureOf(write))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("nothing was changed");
        }
        assertThat(attempts).isZero();
        tags.end(ZONE, second);
        assertThat(tags.begin(ZONE, ZoneTags.MAX_TAKEN)).as("its number is free").isDone();
        assertThat(tags.begin(ZONE, ZoneTags.MAX_TAKEN)).isDone();
    }

    @SuppressWarnings("NullAway") // nothing of the others is asked
    private WriteBatch.WriteContext around(ZoneTags tags, LocalChunks local) {
        return new WriteBatch.WriteContext(locations, retries, tags, local, null, null);
    }
}
