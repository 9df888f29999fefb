package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.PinnedRange;
import org.starling.store.StoreException;

@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class PauseTest {
    private static final long HEAP_BYTES = 1 << 20;

    @Test
    void countsRoundsAndGivesUpAfterTheLastWithWhatItWaitedFor() {
        assertThat(Pause.next(0, "rain")).isEqualTo(1);
        assertThat(Pause.next(Pause.MAX_ROUNDS - 1, "rain")).isEqualTo(Pause.MAX_ROUNDS);
        assertThatThrownBy(() -> Pause.next(Pause.MAX_ROUNDS, "rain"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("gave up waiting for rain");
    }

    @Test
    void anInterruptedThreadWaitsAsLongAsOthersAndStaysInterrupted() {
        try (LocalChunks chunks = new LocalChunks(1, HEAP_BYTES)) {
            long id = chunks.create(3);
            long entry;
            try (PinnedRange range = chunks.pin(id, 1)) {
                entry = range.entryAddress(0);
            }
            EntryLock.lockRead(entry);
            CompletableFuture<Void> left =
                    CompletableFuture.runAsync(
                            () -> EntryLock.unlockRead(entry),
                            CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));

            Thread.currentThread().interrupt();
            try {
                chunks.put(id, new byte[] {1, 2, 3});
            } finally {
                assertThat(Thread.interrupted()).isTrue();
                left.join();
            }

            assertThat(chunks.get(id)).containsExactly(1, 2, 3);
        }
    }

    @Test
    @Tag("slow")
    void aWriterThatGivesUpKeepsNobodyElseOutOfTheChunk() {
        long reservedBefore = NativeMemory.reservedBytes();
        try (LocalChunks chunks = new LocalChunks(1, HEAP_BYTES)) {
            long id = chunks.create(3);
            long entry;
            try (PinnedRange range = chunks.pin(id, 1)) {
                entry = range.entryAddress(0); // chunks stay in their entries
            }
            assertThat(EntryLock.lockRead(entry)).isNotEqualTo(EntryLock.ABSENT);

            assertThatThrownBy(() -> chunks.put(id, new byte[] {1, 2, 3}))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("gave up waiting for a chunk to be writable");

            assertThat(chunks.getAtOnce(id, 3)).containsExactly(0, 0, 0);
            EntryLock.unlockRead(entry);
            chunks.put(id, new byte[] {4, 5, 6});
            assertThat(chunks.get(id)).containsExactly(4, 5, 6);
        }
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }
}
