package org.starling.benchmarks.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;

/** What the benches write, read, and say. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class FiguresTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 64, 1000})
    void noticesEveryByteThatDiffers(int bytes) {
        byte[] value = ChunkPattern.value(42, bytes);

        assertThat(ChunkPattern.isRight(42, bytes, value)).isTrue();
        for (int i = 0; i < bytes; i++) {
            byte[] other = value.clone();
            other[i] ^= 1;
            assertThat(ChunkPattern.isRight(42, bytes, other)).as("byte %d", i).isFalse();
        }
        assertThat(ChunkPattern.isRight(42, bytes, new byte[bytes])).isFalse();
        assertThat(ChunkPattern.isRight(42, bytes, new byte[bytes - 1])).isFalse();
    }

    @Test
    void givesEveryChunkAnotherValue() {
        Set<String> seen = new HashSet<>();
        for (long number = 0; number < 10_000; number++) {
            seen.add(HexFormat.of().formatHex(ChunkPattern.value(number, 16)));
        }

        assertThat(seen).hasSize(10_000);
        assertThat(ChunkPattern.value(3, 0)).isEmpty();
    }

    @Test
    void namesItsFiguresAsPeopleExpectThem() {
        RecoveryFigures figures =
                new RecoveryFigures(
                        4_000,
                        64,
                        4_000,
                        millis(900),
                        millis(1_400),
                        millis(2_900),
                        millis(9_000),
                        0,
                        1);

        assertThat(figures.tree().toString())
                .isEqualTo(
                        "{chunks=4000, detectedMillis=900, firstAnswerMillis=1400,"
                                + " recoveredMillis=2900, replicatedMillis=9000,"
                                + " chunksPerSecond=2000, bytesPerSecond=128000, lost=0, wrong=1}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slave@superstep=3",
                "slave@task=0",
                "master@write=12",
                "master@task=1,superstep=2"
            })
    void readsWhomToKillAndWhere(String words) {
        KillOrder order = KillOrder.parse(words);

        assertThat(order.words()).isEqualTo(words);
        assertThat(order.master()).isEqualTo(words.startsWith("master"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "slave",
                "slave@",
                "slave@superstep",
                "leader@task=1",
                "slave@task=-1",
                "slave@superstep=1,task=2"
            })
    void refusesOtherKills(String words) {
        assertThatThrownBy(() -> KillOrder.parse(words))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("expected slave@superstep=N");
    }

    private static long millis(long count) {
        return TimeUnit.MILLISECONDS.toNanos(count);
    }
}
