package org.starling.compute.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/** Pieces of dictionaries of ids that are texts: their bytes, and what is found in them. */
@Timeout(60)
final class TextIdsLayoutTest {
    private static final String COMPOSED = "\u00E9";
    private static final String DECOMPOSED = "e\u0301";

    @Test
    void hasTheseBytes() {
        byte[] written = new byte[34];

        within(
                List.of("ab", "abc", "a".repeat(15) + "b"),
                chunk -> NativeMemory.copyToArray(chunk, written, 0, written.length),
                size -> assertThat(size).isEqualTo(34));

        assertThat(HexFormat.of().formatHex(written))
                .isEqualTo(
                        "03000000"
                                + "00000000"
                                + "16000000"
                                + ("0f01" + "61".repeat(15) + "62")
                                + "1162"
                                + "2163");
    }

    @Test
    void keepsTextsApartThatLookAlike() {
        List<String> alike =
                List.of(
                        "7",
                        "007",
                        "a b",
                        "a\tb",
                        " a",
                        "a ",
                        "\"a\"",
                        "a",
                        COMPOSED,
                        DECOMPOSED,
                        "\uD83D\uDE00",
                        "\uFFFD",
                        "\uFB01",
                        "fi",
                        "\u0000",
                        "A");

        within(
                alike,
                chunk -> {
                    List<String> sorted = sorted(alike);
                    assertThat(TextIdsLayout.size(chunk)).isEqualTo(alike.size());
                    for (int i = 0; i < sorted.size(); i++) {
                        assertThat(TextIdsLayout.text(chunk, i)).isEqualTo(sorted.get(i));
                        assertThat(TextIdsLayout.find(chunk, utf8(sorted.get(i)))).isEqualTo(i);
                    }
                    assertThat(TextIdsLayout.find(chunk, utf8("07"))).isEqualTo(-1);
                    assertThat(TextIdsLayout.find(chunk, utf8(""))).isEqualTo(-1);
                },
                _ -> {});
    }

    @Test
    void findsWhatIsThereAndThePlaceOfWhatIsNot() {
        Random random = new Random(5);
        for (int size : new int[] {0, 1, 15, 16, 17, 32, 33, 1_000}) {
            TreeSet<String> some = new TreeSet<>(TextIdsLayoutTest::compare);
            while (some.size() < size) {
                some.add(random(random));
            }
            List<String> sorted = List.copyOf(some);

            within(
                    sorted,
                    chunk -> {
                        for (int i = 0; i < 500; i++) {
                            String any = random(random);
                            boolean there = some.contains(any);
                            int place = some.headSet(any).size();
                            assertThat(TextIdsLayout.atLeast(chunk, utf8(any))).isEqualTo(place);
                            assertThat(TextIdsLayout.find(chunk, utf8(any)))
                                    .isEqualTo(there ? place : -1);
                        }
                        for (int i = 0; i < sorted.size(); i++) {
                            assertThat(TextIdsLayout.find(chunk, utf8(sorted.get(i)))).isEqualTo(i);
                        }
                    },
                    _ -> {});
        }
    }

    @Test
    void readsForwardsAndBackwards() {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            texts.add("https://example.org/people/%06d".formatted(i * 7));
        }
        texts.add("z".repeat(65_000));

        within(
                texts,
                chunk -> {
                    TextIdsLayout.Reader reader = new TextIdsLayout.Reader(chunk);
                    Random random = new Random(3);
                    for (int i = 0; i < 2_000; i++) {
                        int index = random.nextInt(texts.size());
                        reader.moveTo(index);
                        assertThat(reader.text()).isEqualTo(texts.get(index));
                    }
                    reader.moveTo(0);
                    for (int i = 1; i < texts.size(); i++) {
                        reader.next();
                        assertThat(reader.text()).isEqualTo(texts.get(i));
                    }
                },
                size -> assertThat(size).isLessThan(65_000 + 300L * 8));
    }

    @Test
    void takesNoMoreThanTheTextsAndAHalfAlsoWhereTheyShareNothing() {
        Random random = new Random(7);
        for (int length : new int[] {2, 4, 8, 36}) {
            TreeSet<String> some = new TreeSet<>();
            while (some.size() < 700) {
                some.add(letters(random, length));
            }

            within(
                    List.copyOf(some),
                    _ -> {},
                    size -> assertThat(size).isLessThan((long) (1.5 * 700 * length)));
        }
    }

    private static String letters(Random random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('!' + random.nextInt(90)));
        }
        return text.toString();
    }

    private static String random(Random random) {
        int[] points = new int[1 + random.nextInt(4)];
        int[] alphabet = {'a', 'b', 0xE9, 0x301, 0x1F600, 0xFFFD, ' ', '0'};
        Arrays.setAll(points, _ -> alphabet[random.nextInt(alphabet.length)]);
        return new String(points, 0, points.length);
    }

    private static List<String> sorted(List<String> texts) {
        return texts.stream().sorted(TextIdsLayoutTest::compare).toList();
    }

    private static int compare(String left, String right) {
        return Arrays.compareUnsigned(utf8(left), utf8(right));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Writes texts in their order and lets somebody look. */
    private static void within(List<String> texts, LongConsumer look, Consumer<Long> bytes) {
        List<byte[]> sorted = sorted(texts).stream().map(TextIdsLayoutTest::utf8).toList();
        long all = sorted.stream().mapToLong(one -> one.length).sum() + 1;
        long strings = NativeMemory.reserve(all);
        long[] addresses = new long[sorted.size()];
        long next = strings;
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = next;
            NativeMemory.copyFromArray(sorted.get(i), 0, next, sorted.get(i).length);
            next += sorted.get(i).length;
        }
        TextIdsLayout.Texts written =
                new TextIdsLayout.Texts() {
                    @Override
                    public int size() {
                        return addresses.length;
                    }

                    @Override
                    public long address(int index) {
                        return addresses[index];
                    }

                    @Override
                    public int bytes(int index) {
                        return sorted.get(index).length;
                    }
                };
        long size = TextIdsLayout.bytes(written);
        bytes.accept(size);
        long chunk = NativeMemory.reserve(size + 64);
        NativeMemory.fill(chunk, size + 64, (byte) 0x5A);
        try {
            TextIdsLayout.write(chunk, written);
            assertThat(NativeMemory.getLong(chunk + size)).isEqualTo(0x5A5A5A5A5A5A5A5AL);
            look.accept(chunk);
        } finally {
            NativeMemory.release(chunk, size + 64);
            NativeMemory.release(strings, all);
        }
    }
}
