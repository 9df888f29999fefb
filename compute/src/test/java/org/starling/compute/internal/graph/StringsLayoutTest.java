package org.starling.compute.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/** Dictionaries of strings: their bytes, and what is found in them. */
@Timeout(60)
final class StringsLayoutTest {
    @Test
    void hasTheseBytes() {
        List<String> strings = List.of("", "b", "\u00E9x");

        byte[] written = new byte[24];
        within(
                strings,
                (chunk, codes) -> {
                    assertThat(codes - chunk).isEqualTo(24);
                    assertThat(StringsLayout.dictionaryBytes(3, 4)).isEqualTo(24);
                    NativeMemory.copyToArray(chunk, written, 0, written.length);
                });

        assertThat(HexFormat.of().formatHex(written))
                .isEqualTo(
                        "03000000"
                                + "00000000"
                                + "00000000"
                                + "01000000"
                                + "04000000"
                                + "62c3a978");
    }

    @Test
    void findsWhatIsThereAndNothingElse() {
        Random random = new Random(5);
        TreeSet<String> some = new TreeSet<>(StringsLayoutTest::compare);
        some.add("");
        for (int i = 0; i < 500; i++) {
            some.add(random(random));
        }

        within(
                List.copyOf(some),
                (chunk, codes) -> {
                    assertThat(StringsLayout.codes(chunk)).isEqualTo(codes);
                    assertThat(StringsLayout.size(chunk)).isEqualTo(some.size());
                    int code = 0;
                    for (String one : some) {
                        assertThat(StringsLayout.string(chunk, code)).isEqualTo(one);
                        assertThat(StringsLayout.find(chunk, utf8(one))).isEqualTo(code++);
                    }
                    for (int i = 0; i < 500; i++) {
                        String other = random(random);
                        assertThat(StringsLayout.find(chunk, utf8(other)) >= 0)
                                .isEqualTo(some.contains(other));
                    }
                });
    }

    private interface Look {
        void at(long chunk, long codes);
    }

    private static void within(List<String> strings, Look look) {
        long room = NativeMemory.reserve(1 << 20);
        long texts = NativeMemory.reserve(1 << 20);
        try {
            long[] addresses = new long[strings.size()];
            int[] lengths = new int[strings.size()];
            long next = texts;
            for (int i = 0; i < addresses.length; i++) {
                byte[] bytes = utf8(strings.get(i));
                NativeMemory.copyFromArray(bytes, 0, next, bytes.length);
                addresses[i] = next;
                lengths[i] = bytes.length;
                next += bytes.length;
            }
            look.at(
                    room,
                    StringsLayout.write(
                            room,
                            new TextIdsLayout.Texts() {
                                @Override
                                public int size() {
                                    return addresses.length;
                                }

                                @Override
                                public long address(int code) {
                                    return addresses[code];
                                }

                                @Override
                                public int bytes(int code) {
                                    return lengths[code];
                                }
                            }));
        } finally {
            NativeMemory.release(room, 1 << 20);
            NativeMemory.release(texts, 1 << 20);
        }
    }

    private static String random(Random random) {
        String letters = "ab\u00E9\uFF5E\uD83D\uDC26";
        StringBuilder made = new StringBuilder();
        int[] points = letters.codePoints().toArray();
        for (int i = random.nextInt(6); i > 0; i--) {
            made.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return made.toString();
    }

    private static int compare(String a, String b) {
        return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
