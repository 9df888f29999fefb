package org.starling.benchmarks.studies.calls;

import java.util.Arrays;
import org.starling.net.MalformedMessageException;

/**
 * What a call asks: single number or vector in, single number or vector out, plain or with work for
 * the server. As a {@link Service}, each answers its own calls.
 */
public enum CallPattern implements Service {
    /** Single in, single out: the first number comes back. */
    ECHO_NUMBER(1, false, false, false) {
        @Override
        public Answer answer(Call call) {
            return Answer.of(call.first());
        }
    },
    /** Single in, vector out: the numbers from the first on, as many as the second says. */
    COUNT_UP(2, false, true, false) {
        @Override
        public Answer answer(Call call) {
            long[] numbers = new long[size(call)];
            Arrays.setAll(numbers, i -> call.first() + i);
            return Answer.of(numbers);
        }
    },
    /** Vector in, single out: its length. */
    MEASURE_LENGTH(3, true, false, false) {
        @Override
        public Answer answer(Call call) {
            return Answer.of(call.vector().length);
        }
    },
    /** Vector in, vector out: the same comes back. */
    ECHO_VECTOR(4, true, true, false) {
        @Override
        public Answer answer(Call call) {
            return Answer.of(call.vector());
        }
    },
    /** Single in, single out: the greatest common divisor of both numbers. */
    GREATEST_COMMON_DIVISOR(5, false, false, true) {
        @Override
        public Answer answer(Call call) {
            long a = call.first();
            long b = call.second();
            while (b != 0) {
                long rest = a % b;
                a = b;
                b = rest;
            }
            return Answer.of(a);
        }
    },
    /**
     * Single in, vector out: the smallest factor above 1 of the first number and its successors, as
     * many as the second number says.
     */
    FACTORS(6, false, true, true) {
        @Override
        public Answer answer(Call call) {
            long[] factors = new long[size(call)];
            Arrays.setAll(factors, i -> smallestFactor(call.first() + i));
            return Answer.of(factors);
        }
    },
    /** Vector in, single out: the element that would stand in the middle if it were sorted. */
    PICK_ELEMENT(7, true, false, true) {
        @Override
        public Answer answer(Call call) {
            long[] sorted = call.vector().clone();
            Arrays.sort(sorted);
            return Answer.of(sorted[sorted.length / 2]);
        }
    },
    /** Vector in, vector out: back to front. */
    REVERSE(8, true, true, true) {
        @Override
        public Answer answer(Call call) {
            long[] numbers = call.vector();
            long[] reversed = new long[numbers.length];
            Arrays.setAll(reversed, i -> numbers[numbers.length - 1 - i]);
            return Answer.of(reversed);
        }
    };

    /** Largest vector that is asked for. */
    public static final int MAX_VECTOR = 1 << 20;

    private static final CallPattern[] ALL = values();
    private static final long FIRST = 100_000;
    private static final long FIBONACCI_80 = 23_416_728_348_467_685L;
    private static final long FIBONACCI_79 = 14_472_334_024_676_221L;
    private static final int MULTIPLIER = 40_503;

    private final int code;
    private final boolean vectorIn;
    private final boolean vectorOut;
    private final boolean work;

    CallPattern(int code, boolean vectorIn, boolean vectorOut, boolean work) {
        this.code = code;
        this.vectorIn = vectorIn;
        this.vectorOut = vectorOut;
        this.work = work;
    }

    /**
     * The pattern of a number on the wire.
     *
     * @throws MalformedMessageException if there is none
     */
    static CallPattern of(int code) {
        for (CallPattern pattern : ALL) {
            if (pattern.code == code) {
                return pattern;
            }
        }
        throw new MalformedMessageException("no call pattern " + code);
    }

    /** Its number on the wire. */
    int code() {
        return code;
    }

    /** Whether its calls or its answers have vectors. */
    public boolean hasVectors() {
        return vectorIn || vectorOut;
    }

    /** Whether the server does more than answering. */
    public boolean hasWork() {
        return work;
    }

    /** For tables: {@code single>vector}. */
    public String shape() {
        return (vectorIn ? "vector" : "single") + ">" + (vectorOut ? "vector" : "single");
    }

    /**
     * A call whose vectors have {@code size} elements; small and large numbers mixed, the same for
     * the same size.
     */
    public Call call(int size) {
        if (vectorIn) {
            long[] vector = new long[size];
            Arrays.setAll(vector, i -> (long) i * MULTIPLIER % 65_537);
            return new Call(this, 0, 0, vector);
        }
        return vectorOut ? new Call(this, FIRST, size) : new Call(this, FIBONACCI_80, FIBONACCI_79);
    }

    private static int size(Call call) {
        if (call.second() < 0 || call.second() > MAX_VECTOR) {
            throw new IllegalArgumentException(
                    "a vector has 0 to %d elements, asked for %d"
                            .formatted(MAX_VECTOR, call.second()));
        }
        return (int) call.second();
    }

    private static long smallestFactor(long number) {
        for (long factor = 2; factor * factor <= number; factor++) {
            if (number % factor == 0) {
                return factor;
            }
        }
        return number;
    }
}
