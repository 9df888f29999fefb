package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
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
import org.starling.graph.LongCombiner;
import org.starling.net.NativeMemory;

/** Deliveries to one vertex under stress, and the same with a seeded bug, which must be found. */
@Tag("thorough")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class InboxLincheckTest {
    private static final ValueOp OP = new ValueOp.OfLong(LongCombiner.SUM);
    private static final int VERTICES = 64;
    private static final int SPIN = 2_000;

    private static long before;
    private static ZeroedMemory memory;
    private static Inbox inbox;

    @BeforeAll
    static void open() {
        before = NativeMemory.reservedBytes();
        memory = new ZeroedMemory();
        inbox = new Inbox(OP, VERTICES, memory);
    }

    @AfterAll
    static void close() {
        inbox.close();
        memory.close();
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @Test
    void deliversLinearizably() {
        options(2).check(Sound.class);
    }

    @Test
    void findsTheSeededBug() {
        assertThatThrownBy(() -> options(60).check(Buggy.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** A search ends at the first fault, so the one for the bug can be allowed many iterations. */
    private static StressOptions options(int iterations) {
        return new StressOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(1)
                .iterations(iterations)
                .invocationsPerIteration(150)
                .minimizeFailedScenario(false);
    }

    private static void forget() {
        inbox.clear(0, 1);
        NativeMemory.putLongRelease(inbox.values, 0);
    }

    private static long sum() {
        return NativeMemory.getLongVolatile(inbox.values);
    }

    /** The inbox. */
    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static final class Sound {
        /** Begins with nothing received. */
        public Sound() {
            forget();
        }

        /** Delivers. */
        @Operation
        public void deliver(@Param(name = "value") int value) {
            inbox.deliver(0, value);
        }

        /** What was received so far. */
        @Operation
        public long received() {
            return sum();
        }
    }

    /** The same, but reading and writing are two steps. */
    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    public static final class Buggy {
        /** Begins with nothing received. */
        public Buggy() {
            forget();
        }

        /** Delivers. */
        @Operation
        public void deliver(@Param(name = "value") int value) {
            long stored = sum();
            for (int i = 0; i < SPIN; i++) {
                Thread.onSpinWait();
            }
            NativeMemory.putLongRelease(inbox.values, OP.combine(stored, value));
            VertexSet.addAtomically(inbox.receivers.words, inbox.receivers.marks, 0);
        }

        /** What was received so far. */
        @Operation
        public long received() {
            return sum();
        }
    }
}
