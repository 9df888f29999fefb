package org.starling.net;

import java.util.Arrays;
import java.util.Random;

/** Makes bad bytes of good ones, by a seed. Confined to one thread. */
public final class Mutator {

    private static final int MAX_CHANGES = 4;
    private static final int MAX_RUN_BYTES = 24;
    private static final byte[] BORDERS = {0, 1, 7, 8, 9, 0x7F, -1, -2, -128};

    private final Random random;

    public Mutator(Random random) {
        this.random = random;
    }

    /** A copy with one to four changes; it may be as good as before. */
    public byte[] mutate(byte[] good) {
        byte[] bytes = good.clone();
        for (int i = 1 + random.nextInt(MAX_CHANGES); i > 0; i--) {
            bytes = change(bytes);
        }
        return bytes;
    }

    private byte[] change(byte[] bytes) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int at = random.nextInt(bytes.length);
        int run = Math.min(1 + random.nextInt(MAX_RUN_BYTES), bytes.length - at);
        switch (random.nextInt(7)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = BORDERS[random.nextInt(BORDERS.length)];
            case 2 ->
                    Arrays.fill(
                            bytes,
                            at,
                            at + Math.min(run, 8),
                            BORDERS[random.nextInt(BORDERS.length)]);
            case 3 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 4 -> {
                return joined(bytes, at, at + run, bytes.length); // cuts a run out
            }
            case 5 -> {
                return joined(bytes, at + run, at, bytes.length); // repeats a run
            }
            default -> {
                byte[] noise = new byte[run];
                random.nextBytes(noise);
                System.arraycopy(noise, 0, bytes, at, run);
            }
        }
        return bytes;
    }

    /** The bytes before {@code end}, then those from {@code start} on. */
    private static byte[] joined(byte[] bytes, int end, int start, int length) {
        byte[] joined = Arrays.copyOf(bytes, end + length - start);
        System.arraycopy(bytes, start, joined, end, length - start);
        return joined;
    }
}
