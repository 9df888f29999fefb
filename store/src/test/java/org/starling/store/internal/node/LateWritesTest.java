package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.store.BatchException;
import org.starling.store.ChunkId;
import org.starling.store.IndeterminateException;
import org.starling.store.UnservedException;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * Writes whose time is over before their owner could be asked: whoever made them may have made
 * others since, so they must not be sent any more.
 */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class LateWritesTest {
    private static final long ZONE = ChunkId.zoneOf(2, 0);
    private static final long CHUNK = ChunkId.ofZone(ZONE, 5);
    private static final ZoneInfo HERE =
            new ZoneInfo(ZONE, 2, 1, List.of(3), false, false, List.of(), false);

    private final CountDownLatch sent = new CountDownLatch(1);

    @Test
    void isNotSentWhenTheDirectoryAnswersTooLate() throws InterruptedException {
        CompletableFuture<List<ZoneInfo>> directory = new CompletableFuture<>();
        Retries retries = new Retries(Duration.ofMillis(100), System::nanoTime);
        CompletableFuture<Void> write = write(locations(directory), retries);

        assertThatThrownBy(write::join).hasCauseInstanceOf(IndeterminateException.class);
        directory.complete(List.of(HERE));

        assertThat(sent.await(300, TimeUnit.MILLISECONDS)).as("sent").isFalse();
    }

    @Test
    void isNotSentInABatchWhenTheDirectoryAnswersTooLate() {
        CompletableFuture<List<ZoneInfo>> directory = new CompletableFuture<>();
        Retries retries = new Retries(Duration.ofMillis(1), System::nanoTime);
        CompletableFuture<Void> write =
                new OneWrite(CHUNK, locations(directory), retries, this::sent).run();
        directory.completeOnTimeout(List.of(HERE), 100, TimeUnit.MILLISECONDS);

        assertThatThrownBy(write::join)
                .cause()
                .isInstanceOfSatisfying(
                        BatchException.class,
                        failed ->
                                assertThat(failed.failures().get(0))
                                        .isExactlyInstanceOf(UnservedException.class));
        assertThat(sent.getCount()).as("not sent").isOne();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isNotSentAgainWhenThePauseTakesTooLong(boolean isBatch) {
        AtomicLong nanos = new AtomicLong();
        CountDownLatch looks = new CountDownLatch(2);
        Locations locations =
                new Locations(
                        1,
                        zone -> false,
                        node -> true,
                        zone -> {
                            looks.countDown();
                            if (looks.getCount() == 0) {
                                nanos.addAndGet(Duration.ofMinutes(1).toNanos());
                                return CompletableFuture.completedFuture(List.of(HERE));
                            }
                            return CompletableFuture.failedFuture(
                                    new UnreachableException("no superpeer answers", null));
                        });
        Retries retries = new Retries(Duration.ofSeconds(10), nanos::get);
        CompletableFuture<Void> write =
                isBatch
                        ? new OneWrite(CHUNK, locations, retries, this::sent).run()
                        : write(locations, retries);

        assertThatThrownBy(write::join).isNotNull();

        assertThat(looks.getCount()).isZero();
        assertThat(sent.getCount()).as("not sent").isOne();
    }

    private static Locations locations(CompletableFuture<List<ZoneInfo>> directory) {
        return new Locations(1, zone -> false, node -> true, zone -> directory);
    }

    private CompletableFuture<Void> write(Locations locations, Retries retries) {
        return RoutedOperation.<Void>ofWrite(
                        CHUNK, locations, retries, retries.deadlineNanos(), false, owner -> sent())
                .run();
    }

    private CompletableFuture<Void> sent() {
        sent.countDown();
        return CompletableFuture.completedFuture(null);
    }
}
