package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.compute.internal.run.SlavesInDisorder.Fault;
import org.starling.net.LoopbackHub;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/**
 * Blocks between slaves that come late and in any order. A seed that failed is given back by {@code
 * -Dstarling.seed=N}.
 */
final class BlockScheduleTest {
    private static final int SCHEDULES = Integer.getInteger("starling.schedules", 300);

    @AutoClose
    private static final StoreNode STORE =
            StoreNode.startSuperpeer(
                    NodeOptions.loopback(
                            new LoopbackHub(), StoreConfig.defaults().withHeapBytes(8 << 20)));

    /** One half of the seeds is the same in every build, the other half is new. */
    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void arriveInTheirSuperstepInEverySchedule() {
        Long only = Long.getLong("starling.seed");
        long fresh = new Random().nextLong(SCHEDULES, Integer.MAX_VALUE);
        LongStream seeds =
                only != null
                        ? LongStream.of(only)
                        : LongStream.concat(
                                LongStream.rangeClosed(1, SCHEDULES / 2),
                                LongStream.range(fresh, fresh + SCHEDULES / 2));

        long blocks = seeds.map(seed -> live(seed, Fault.NONE)).sum();

        assertThat(blocks).isGreaterThan(only == null ? 50L * SCHEDULES : 0);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void noticeWhatIsWrong(Fault fault) {
        assertThatThrownBy(() -> live(fault.seed, fault)).isInstanceOf(AssertionError.class);
    }

    private static long live(long seed, Fault fault) {
        try (SlavesInDisorder slaves = new SlavesInDisorder(STORE, seed, fault)) {
            return slaves.live();
        } catch (AssertionError | RuntimeException broken) {
            throw new AssertionError(
                    "seed " + seed + ", " + fault + ": " + broken.getMessage(), broken);
        }
    }
}
