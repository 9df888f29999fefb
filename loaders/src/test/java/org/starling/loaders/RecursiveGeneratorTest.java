package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RecursiveGeneratorTest {

    private static final long[] FIRST_DRAWS = {
        322227026, 531570115, 1424981115, 1111973825, 147993513, 1522609102
    };

    @Test
    void expandsTheSeedsOfTheBenchmark() {
        assertThat(RecursiveGenerator.seeded(2, 3).state()).containsExactly(3, 1, 4, 1, 1);
    }

    @Test
    void expandsSeedsThatUseAllBits() {
        RecursiveGenerator generator =
                RecursiveGenerator.seeded(0xdeadbeefcafebabeL, 0x123456789abcdefL);

        assertThat(generator.state())
                .containsExactly(184466111, 985070528, 162254320, 76354975, 14);
    }

    @Test
    void drawsWhatTheReferenceDraws() {
        RecursiveGenerator generator = RecursiveGenerator.seeded(2, 3);

        for (long expected : FIRST_DRAWS) {
            assertThat(generator.next()).isEqualTo(expected);
        }
    }

    @Test
    void jumpsByTwoToThe64AsTheReferenceDoes() {
        RecursiveGenerator generator = RecursiveGenerator.seeded(2, 3);

        generator.skip(0, 1, 0);

        assertThat(generator.state())
                .containsExactly(1179132795, 1245280163, 1454495194, 816691580, 2062335085);
        assertThat(generator.next()).isEqualTo(1900908018);
        assertThat(generator.next()).isEqualTo(1088465978);
        assertThat(generator.next()).isEqualTo(529361355);
        assertThat(generator.next()).isEqualTo(852529359);
    }

    @Test
    void knowsTheBottomRowsOfLargePowers() {
        assertThat(bottomRow(64))
                .containsExactly(76622690, 1262953926, 691591548, 1420879705, 677234486);
        assertThat(bottomRow(128))
                .containsExactly(223523295, 1025489125, 1401138388, 1931651083, 397527729);
    }

    @Test
    void jumpsToTheScramblingValues() {
        RecursiveGenerator generator = RecursiveGenerator.seeded(2, 3);

        generator.skip(50, 7, 0);

        assertThat(generator.state())
                .containsExactly(757422177, 831824171, 951118470, 74315092, 319471992);
        assertThat(generator.next()).isEqualTo(1655662177);
    }

    @Test
    void jumpsWhereStepsWouldLead() {
        long seed = 20261120;
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            int steps = random.nextInt(2000);
            RecursiveGenerator walked = RecursiveGenerator.seeded(random.nextLong(), round);
            RecursiveGenerator jumped = walked.copy();

            for (int step = 0; step < steps; step++) {
                walked.next();
            }
            jumped.skip(0, 0, steps);

            assertThat(jumped.state())
                    .as("seed %d, steps %d", seed, steps)
                    .isEqualTo(walked.state());
        }
    }

    @Test
    void drawsDoublesFromTwoWords() {
        RecursiveGenerator generator = RecursiveGenerator.seeded(2, 3);
        generator.skip(2, 0, 0);

        assertThat(generator.nextDouble()).isEqualTo(0.410212082829285);
        assertThat(generator.nextDouble()).isEqualTo(0.037614701324416445);
    }

    @Test
    void roundsFloatsAsTheReferenceDoes() {
        assertThat(Float.floatToIntBits(RecursiveGenerator.toFloat(147993513)))
                .isEqualTo(0x3d8d233b);
        assertThat(RecursiveGenerator.toFloat(0)).isZero();
        assertThat(RecursiveGenerator.toFloat(RecursiveGenerator.MODULUS - 1)).isEqualTo(1f);
    }

    @Test
    void reducesTheLargestWord() {
        long word = -1L;

        long residue = RecursiveGenerator.residue(RecursiveGenerator.fold(word));

        assertThat(residue).isEqualTo(Long.remainderUnsigned(word, RecursiveGenerator.MODULUS));
    }

    private static long[] bottomRow(int exponent) {
        RecurrenceMatrix power = RecurrenceMatrix.ofPowerOfTwo(exponent);
        long[] row = new long[RecurrenceMatrix.ORDER];
        for (int column = 0; column < row.length; column++) {
            row[column] = power.entry(RecurrenceMatrix.ORDER - 1, column);
        }
        return row;
    }
}
