package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.net.Mutator;

/**
 * The fuzz targets of this room over what is known: good bytes, the inputs in {@code
 * fuzz/TARGET.hex} (one a line), and changes of both that are drawn from a seed.
 */
@Timeout(60)
class NetFuzzTest {

    private static final long SEED = Long.getLong("starling.fuzz.seed", 1);

    @ParameterizedTest
    @EnumSource
    void takesKnownInputsAndTheirChanges(NetFuzz target) throws IOException {
        replay(target, 3_000);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void takesManyMoreChanges(NetFuzz target) throws IOException {
        replay(target, 50_000);
    }

    private static void replay(NetFuzz target, int changes) throws IOException {
        List<byte[]> inputs = new ArrayList<>(target.samples());
        inputs.addAll(corpus(target));
        inputs.forEach(input -> check(target, input));
        Random random = new Random(SEED);
        Mutator mutator = new Mutator(random);
        for (int i = 0; i < changes; i++) {
            check(target, mutator.mutate(inputs.get(random.nextInt(inputs.size()))));
        }
    }

    private static void check(NetFuzz target, byte[] input) {
        assertThatCode(() -> target.run(input))
                .as("%s of %s", target, HexFormat.of().formatHex(input))
                .doesNotThrowAnyException();
    }

    private static List<byte[]> corpus(NetFuzz target) throws IOException {
        String name = "/fuzz/" + target.name().toLowerCase(Locale.ROOT) + ".hex";
        try (InputStream in = NetFuzzTest.class.getResourceAsStream(name)) {
            String text =
                    new String(
                            Objects.requireNonNull(in, name).readAllBytes(),
                            StandardCharsets.US_ASCII);
            List<byte[]> inputs = text.lines().map(HexFormat.of()::parseHex).toList();
            assertThat(inputs).as(name).isNotEmpty();
            return inputs;
        }
    }
}
