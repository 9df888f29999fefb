package org.starling.compute.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.net.MessageType;

/**
 * The messages over the inputs in {@code fuzz/TARGET.hex} (one a line), and over bytes drawn from a
 * seed: small ones, as counts and lengths are, more often than others.
 */
@Timeout(60)
final class MessageFuzzTest {
    private static final long SEED = Long.getLong("starling.fuzz.seed", 1);
    private static final int DRAWS = 300;
    private static final int MAX_BYTES = 90;

    @ParameterizedTest
    @EnumSource
    void takesKnownInputsAndDrawnOnes(MessageFuzz target) throws IOException {
        corpus(target).forEach(input -> check(target, input));
        assertThat(target.types().size()).isGreaterThan(20);
        Random random = new Random(SEED);
        for (int type = 0; type < target.types().size(); type++) {
            for (int i = 0; i < DRAWS; i++) {
                byte[] input = new byte[1 + random.nextInt(MAX_BYTES)];
                random.nextBytes(input);
                for (int at = 0; at < input.length; at++) {
                    input[at] = random.nextInt(4) == 0 ? input[at] : (byte) (input[at] & 3);
                }
                input[0] = (byte) type;
                check(target, input);
            }
            check(target, Arrays.copyOf(new byte[] {(byte) type}, MAX_BYTES));
        }
    }

    @Test
    void givesEachTypeAnIdOfItsOwn() {
        List<MessageType<?>> types =
                Arrays.stream(MessageFuzz.values())
                        .<MessageType<?>>flatMap(target -> target.types().stream())
                        .toList();

        assertThat(types).extracting(MessageType::id).doesNotHaveDuplicates();
    }

    private static void check(MessageFuzz target, byte[] input) {
        assertThatCode(() -> target.run(input))
                .as("%s of %s, seed %d", target, HexFormat.of().formatHex(input), SEED)
                .doesNotThrowAnyException();
    }

    private static List<byte[]> corpus(MessageFuzz target) throws IOException {
        String name = "/fuzz/" + target.name().toLowerCase(Locale.ROOT) + ".hex";
        try (InputStream in = MessageFuzzTest.class.getResourceAsStream(name)) {
            return new String(
                            Objects.requireNonNull(in, name).readAllBytes(),
                            StandardCharsets.US_ASCII)
                    .lines()
                    .map(HexFormat.of()::parseHex)
                    .toList();
        }
    }
}
