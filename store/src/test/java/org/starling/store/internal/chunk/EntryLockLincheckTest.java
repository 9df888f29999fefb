package org.starling.store.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
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
import org.starling.store.ChunkEntryLayout;

/**
 * The lock in the entry of a chunk under stress, and the same with a seeded bug, which must be
 * found.
 */
@Tag("thorough")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class EntryLockLincheckTest {
    private static final int LONGS = 256;
    private static final long RESERVED_BYTES = 64 << 10;
    private static final long PAYLOAD_OFFSET = 4096;

    /**
     * The entry at its start, the payload behind it. One scenario runs at a time and starts by
     * setting both.
     */
    private static long memory;

    private static long reservedBefore;

    @BeforeAll
    static void reserve() {
        reservedBefore = NativeMemory.reservedBytes();
        memory = NativeMemory.reserve(RESERVED_BYTES);
    }

    @AfterAll
    static void release() {
        NativeMemory.release(memory, RESERVED_BYTES);
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void readsAndWritesOneChunkLinearizably() {
        options(3, 150).check(Sound.class);
    }

    @Tag("slow")
    @Test
    void readsAndWritesOneChunkLinearizablyManyMoreTimes() {
        options(4, 500).check(Sound.class);
    }

    /** A search ends at the first fault, so this one can be allowed many invocations. */
    @Test
    void findsTheSeededBug() {
        List<Actor> writes = List.of(actor("put", 1), actor("put", 2), actor("put", 3));
        List<Actor> reads = List.of(actor("get"), actor("get"), actor("get"));
        StressOptions found =
                options(0, 30_000)
                        .addCustomScenario(
                                new ExecutionScenario(
                                        List.of(), List.of(writes, reads), List.of(), null));

        assertThatThrownBy(() -> found.check(Buggy.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static Actor actor(String operation, Integer... values) {
        return Stream.of(Buggy.class.getMethods())
                .filter(method -> method.getName().equals(operation))
                .map(method -> new Actor(method, List.of(values)))
                .findFirst()
                .orElseThrow();
    }

    private static StressOptions options(int iterations, int invocations) {
        return new StressOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .minimizeFailedScenario(false);
    }

    /** A chunk of many equal longs; a reader inside of a writer sees unequal ones. */
    @Param(name = "value", gen = IntGen.class, conf = "1:5")
    public static final class Sound {
        /** Creates the chunk. */
        public Sound() {
            create();
        }

        /** Writes a value. */
        @Operation
        public boolean put(@Param(name = "value") int value) {
            if (EntryLock.lockWrite(memory) == EntryLock.ABSENT) {
                return false;
            }
            fill(value);
            EntryLock.unlockWrite(memory, entry());
            return true;
        }

        /** Reads the value; −1 if there is no chunk, −2 if it is torn. */
        @Operation
        public long get() {
            if (EntryLock.lockRead(memory) == EntryLock.ABSENT) {
                return -1;
            }
            long value = read();
            EntryLock.unlockRead(memory);
            return value;
        }

        /** The same, at once if nobody is inside. */
        @Operation
        public long getAtOnce() {
            long entry = EntryLock.tryRead(memory);
            if (entry == EntryLock.BUSY) {
                return get();
            }
            if (entry == EntryLock.ABSENT) {
                return -1;
            }
            long value = read();
            EntryLock.unlockRead(memory);
            return value;
        }

        /** Removes the chunk. */
        @Operation
        public boolean remove() {
            if (EntryLock.lockWrite(memory) == EntryLock.ABSENT) {
                return false;
            }
            fill(-3);
            EntryLock.unlockWrite(memory, 0);
            return true;
        }
    }

    /** The same over the lock with the bug. */
    @Param(name = "value", gen = IntGen.class, conf = "1:5")
    public static final class Buggy {
        /** Creates the chunk. */
        public Buggy() {
            create();
        }

        /** Writes a value. */
        @Operation
        public boolean put(@Param(name = "value") int value) {
            if (BuggyEntryLock.lockWrite(memory) == EntryLock.ABSENT) {
                return false;
            }
            fill(value);
            BuggyEntryLock.unlockWrite(memory, entry());
            return true;
        }

        /** Reads the value; −1 if there is no chunk, −2 if it is torn. */
        @Operation
        public long get() {
            if (BuggyEntryLock.lockRead(memory) == EntryLock.ABSENT) {
                return -1;
            }
            long value = read();
            BuggyEntryLock.unlockRead(memory);
            return value;
        }
    }

    private static void create() {
        fill(0);
        NativeMemory.putLongRelease(memory, entry());
    }

    private static long entry() {
        return ChunkEntryLayout.entry(memory + PAYLOAD_OFFSET, 2);
    }

    /** Halfway, so that a lock that does not keep them out is found on any machine. */
    @SuppressWarnings("ThreadPriorityCheck") // that is all it is for
    private static void letOthersIn(int at) {
        if (at == LONGS / 2) {
            Thread.yield();
        }
    }

    private static void fill(long value) {
        for (int i = 0; i < LONGS; i++) {
            letOthersIn(i);
            NativeMemory.putLong(memory + PAYLOAD_OFFSET + 8L * i, value);
        }
    }

    private static long read() {
        long value = NativeMemory.getLong(memory + PAYLOAD_OFFSET);
        for (int i = 1; i < LONGS; i++) {
            letOthersIn(i);
            if (NativeMemory.getLong(memory + PAYLOAD_OFFSET + 8L * i) != value) {
                return -2;
            }
        }
        return value;
    }
}
