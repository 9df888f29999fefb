package org.starling.benchmarks.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.net.NativeMemory;

/** What is written is what is read, and nothing else is. */
final class PayloadTest {
    private static final int REGION_BYTES = 8192;
    private static final int CANARY = 77;

    private final long before = NativeMemory.reservedBytes();

    @AfterEach
    void leavesNoMemoryBehind() {
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 8, 9, 15, 16, 17, 24, 64, 137, 145, 1000, 4096})
    void sumsUpWhatItWrote(int bytes) {
        withRegion(region -> {
            for (boolean whole : new boolean[] {false, true}) {
                try (Payload payload = new Payload(bytes, whole)) {
                    NativeMemory.putByte(region + bytes, (byte) CANARY);

                    long sum = payload.write(region, 12_345);

                    assertThat(payload.read(region, bytes)).isEqualTo(sum);
                    assertThat(NativeMemory.getByte(region + bytes)).isEqualTo((byte) CANARY);
                    assertThat(payload.write(region, 12_346)).isNotEqualTo(sum);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 15, 16, 29, 200})
    void noticesEveryByteThatDiffersWhenItReadsAll(int bytes) {
        withRegion(region -> {
            try (Payload payload = new Payload(bytes, true)) {
                long sum = payload.write(region, 1L << 40);
                for (int i = 0; i < bytes; i++) {
                    byte right = NativeMemory.getByte(region + i);
                    NativeMemory.putByte(region + i, (byte) (right ^ 4));

                    assertThat(payload.read(region, bytes)).as("%d", i).isNotEqualTo(sum);

                    NativeMemory.putByte(region + i, right);
                }
                assertThat(payload.read(region, bytes)).isEqualTo(sum);
            }
        });
    }

    @Test
    void comparesObjectsByTheirWordsAndTheEndsOrAllOfTheirBodies() {
        ObjectMessage right = ObjectMessage.of(9, ObjectMessage.sharedBody(100));
        byte[] body = right.body().clone();
        body[50]++;
        ObjectMessage wrong = new ObjectMessage(9, right.check(), body);

        assertThat(right.body()).hasSize(84);
        assertThat(wrong.sum(false)).isEqualTo(right.sum(false));
        assertThat(wrong.sum(true)).isNotEqualTo(right.sum(true));
        assertThat(new ObjectMessage(8, right.check(), right.body()).sum(false))
                .isNotEqualTo(right.sum(false));
        assertThat(new ObjectMessage(9, right.check(), new byte[83]).sum(false))
                .isNotEqualTo(right.sum(false));
    }

    @Test
    void saysWhatWasSentAndWhatCame() {
        Tally sent = new Tally(3, 10);

        sent.requireArrived("1 to 2", new Tally(3, 10));
        assertThatThrownBy(() -> sent.requireArrived("1 to 2", new Tally(3, 11)))
                .isInstanceOf(WrongResultException.class)
                .hasMessageContaining("1 to 2: 3 messages");
    }

    private static void withRegion(LongConsumer test) {
        long region = NativeMemory.reserve(REGION_BYTES);
        try {
            test.accept(region);
        } finally {
            NativeMemory.release(region, REGION_BYTES);
        }
    }
}
