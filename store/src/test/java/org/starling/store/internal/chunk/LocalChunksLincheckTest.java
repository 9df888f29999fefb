package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkNotFoundException;

/**
 * Operations on one chunk of the real store take effect one after the other, while it is resized
 * and moved about.
 */
@Tag("thorough")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class LocalChunksLincheckTest {
    private static final long HEAP_BYTES = 4 << 20;

    private static LocalChunks chunks = new LocalChunks(1, HEAP_BYTES);
    private static long reservedBefore;

    /** The chunks of the last scenarios; older ones are removed to keep the store small. */
    private static final long[] recent = new long[256];

    private static int created;

    @BeforeAll
    static void open() {
        chunks.close();
        reservedBefore = NativeMemory.reservedBytes();
        chunks = new LocalChunks(1, HEAP_BYTES);
    }

    @AfterAll
    static void close() {
        chunks.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void operationsOnOneChunkAreLinearizable() {
        options(3, 100).check(OneChunk.class);
    }

    @Tag("slow")
    @Test
    void operationsOnOneChunkAreLinearizableManyMoreTimes() {
        options(8, 200).check(OneChunk.class);
    }

    private static StressOptions options(int iterations, int invocations) {
        return new StressOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(iterations)
                .invocationsPerIteration(invocations);
    }

    /** One chunk, made for each scenario; its number is a value as long as it is great. */
    @Param(name = "value", gen = IntGen.class, conf = "1:4")
    public static final class OneChunk {
        private final long id;

        /** Creates the chunk. */
        public OneChunk() {
            id = chunks.create(0);
            long old = recent[created % recent.length];
            if (created >= recent.length && chunks.getOrNull(old) != null) {
                chunks.remove(old);
            }
            recent[created++ % recent.length] = id;
        }

        /** Replaces the value by one of another length. */
        @Operation
        public boolean put(@Param(name = "value") int value) {
            byte[] bytes = new byte[100 * value];
            Arrays.fill(bytes, (byte) value);
            return happened(() -> chunks.put(id, bytes));
        }

        /** Replaces the value by one of 100 bytes, at once if that is possible. */
        @Operation
        public boolean putAtOnce(@Param(name = "value") int value) {
            byte[] bytes = new byte[100];
            Arrays.fill(bytes, (byte) value);
            return chunks.putAtOnce(new long[] {id}, new byte[][] {bytes})
                    || happened(() -> chunks.put(id, bytes));
        }

        /** Reads: length, and how many bytes are not as the first. */
        @Operation
        public String get() {
            byte[] value = chunks.getOrNull(id);
            if (value == null) {
                return "absent";
            }
            StringBuilder text = new StringBuilder().append(value.length);
            for (int i = 0; i < value.length; i += 50) {
                text.append(' ').append(value[i]);
            }
            return text.toString();
        }

        /** Changes the length. */
        @Operation
        public boolean resize(@Param(name = "value") int value) {
            return happened(() -> chunks.resize(id, 70 * value));
        }

        /** Removes the chunk. */
        @Operation
        public boolean remove() {
            return happened(() -> chunks.remove(id));
        }

        /** Moves what can be moved. */
        @Operation
        public void compact() {
            chunks.compact();
        }

        private static boolean happened(Runnable action) {
            try {
                action.run();
                return true;
            } catch (ChunkNotFoundException e) {
                return false;
            }
        }
    }
}
