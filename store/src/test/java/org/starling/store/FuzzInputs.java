package org.starling.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;

/**
 * What fuzz targets are run over in every build: good bytes, the inputs in {@code fuzz/TARGET.hex}
 * (one a line), both cut anywhere, and both with bytes changed that are drawn from a seed.
 */
public final class FuzzInputs {
    private static final long SEED = Long.getLong("starling.fuzz.seed", 1);
    private static final int CHANGES = 6_000;
    private static final byte[] BORDERS = {0, 1, 2, 0x7F, -1, -128};

    private FuzzInputs() {}

    /** Runs a target over all of it; a failure names the input. */
    public static void replay(Enum<?> target, List<byte[]> samples, Consumer<byte[]> run)
            throws IOException {
        List<byte[]> inputs = new ArrayList<>(samples);
        inputs.addAll(corpus(target));
        for (byte[] input : inputs) {
            int step = Math.max(1, input.length / 200);
            for (int cut = input.length; cut >= 0; cut -= step) {
                check(target, Arrays.copyOf(input, cut), run);
            }
        }
        Random random = new Random(SEED);
        for (int i = 0; i < CHANGES; i++) {
            check(target, changed(inputs.get(random.nextInt(inputs.size())), random), run);
        }
    }

    private static byte[] changed(byte[] input, Random random) {
        byte[] changed = Arrays.copyOf(input, input.length + random.nextInt(3));
        for (int i = random.nextInt(4); i >= 0 && changed.length > 0; i--) {
            int at = random.nextInt(changed.length);
            changed[at] =
                    random.nextBoolean()
                            ? BORDERS[random.nextInt(BORDERS.length)]
                            : (byte) random.nextInt();
        }
        return changed;
    }

    private static void check(Enum<?> target, byte[] input, Consumer<byte[]> run) {
        try {
            run.accept(input);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    target + " of " + HexFormat.of().formatHex(input) + " (seed " + SEED + ")", e);
        }
    }

    private static List<byte[]> corpus(Enum<?> target) throws IOException {
        String name = "/fuzz/" + target.name().toLowerCase(Locale.ROOT) + ".hex";
        try (InputStream in = FuzzInputs.class.getResourceAsStream(name)) {
            return new String(
                            Objects.requireNonNull(in, name).readAllBytes(),
                            StandardCharsets.US_ASCII)
                    .lines()
                    .map(HexFormat.of()::parseHex)
                    .toList();
        }
    }
}
