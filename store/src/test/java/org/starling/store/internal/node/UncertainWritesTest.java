package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.store.BatchException;
import org.starling.store.ChunkId;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.DataLostException;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.ZoneInfo;

/** A write whose first attempt may have taken effect, and what comes after that. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class UncertainWritesTest {
    private static final long ZONE = ChunkId.zoneOf(2, 0);
    private static final long CHUNK = ChunkId.ofZone(ZONE, 5);
    private static final ZoneInfo HERE =
            new ZoneInfo(ZONE, 2, 1, List.of(3), false, false, List.of(), false);

    /** What the directory says, question by question; then that it does not answer. */
    private final Queue<ZoneInfo> directory = new ArrayDeque<>(List.of(HERE));

    private final Locations locations =
            new Locations(
                    1,
                    zone -> false,
                    node -> true,
                    zone ->
                            directory.isEmpty()
                                    ? CompletableFuture.failedFuture(
                                            new StoreException("the superpeer does not answer"))
                                    : CompletableFuture.completedFuture(
                                            List.of(directory.remove())));

    private final Retries retries = new Retries(Duration.ofSeconds(10), System::nanoTime);

    /** What the owner answers, attempt by attempt. */
    private final Queue<Throwable> answers = new ArrayDeque<>();

    /** The same for one write alone, and for one in a batch. */
    private CompletableFuture<Void> write(boolean isBatch) {
        return isBatch
                ? new OneWrite(CHUNK, locations, retries, this::attempt).run()
                : RoutedOperation.<Void>ofWrite(
                                CHUNK,
                                locations,
                                retries,
                                retries.deadlineNanos(),
                                false,
                                owner -> attempt())
                        .run();
    }

    private CompletableFuture<Void> attempt() {
        return CompletableFuture.failedFuture(answers.remove());
    }

    private Throwable failureOf(boolean isBatch) {
        CompletableFuture<Void> write = write(isBatch);
        write.handle((done, failure) -> true).join();
        Throwable failure = RemoteChunks.unwrapped(write.exceptionNow());
        return failure instanceof BatchException batch
                ? Objects.requireNonNull(batch.failures().get(0))
                : failure;
    }

    private static IndeterminateException unanswered() {
        return new IndeterminateException("node 2 did not acknowledge a write", null);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void areNotCalledRefusedWhenTheDirectoryDoesNotAnswerAfterwards(boolean isBatch) {
        answers.add(unanswered());

        assertThat(failureOf(isBatch))
                .isInstanceOf(IndeterminateException.class)
                .hasMessageContaining("may have taken effect")
                .hasMessageContaining("the superpeer does not answer");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void areNotCalledRefusedByAnOwnerThatFailsAfterwards(boolean isBatch) {
        directory.add(HERE);
        answers.add(unanswered());
        answers.add(new StoreException("16 MiB have not been taken in time; nothing was written"));

        assertThat(failureOf(isBatch)).isInstanceOf(IndeterminateException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void areNotCalledLostForCertain(boolean isBatch) {
        directory.add(HERE);
        answers.add(unanswered());
        answers.add(new DataLostException(CHUNK));

        assertThat(failureOf(isBatch)).isInstanceOf(IndeterminateException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void didNotHappenWhenTheOwnerKnowsNeitherThemNorTheChunk(boolean isBatch) {
        directory.add(HERE);
        answers.add(unanswered());
        answers.add(new ChunkNotFoundException(CHUNK));

        assertThat(failureOf(isBatch)).isInstanceOf(ChunkNotFoundException.class);
    }

    @Test
    void areRefusedForCertainWhenNothingWasSent() {
        directory.clear();

        assertThatThrownBy(() -> write(false).join())
                .cause()
                .isExactlyInstanceOf(StoreException.class);
    }
}
