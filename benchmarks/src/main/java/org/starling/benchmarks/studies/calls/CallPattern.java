package org.starling.benchmarks.studies.calls;

import java.util.Arrays;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import org.starling.net.MalformedMessageException;

/**
 * What a call asks: single number or vector in, single number or vector out, plain or with work for
 * the server. Its number on a wire is its ordinal.
 */
enum CallPattern {
    /** The first number comes back. */
    ECHO_NUMBER(false, false, false, call -> Answer.of(call.first())),

    /** The numbers from the first on, as many as the second says. */
    COUNT_UP(false, true, false, call -> vector(call.second(), i -> call.first() + i)),

    /** The length of the vector. */
    MEASURE_LENGTH(true, false, false, call -> Answer.of(call.vector().length)),

    /** The vector comes back. */
    ECHO_VECTOR(true, true, false, call -> Answer.of(call.vector())),

    /** The greatest common divisor of both numbers. */
    GREATEST_COMMON_DIVISOR(
            false, false, true, call -> Answer.of(commonDivisor(call.first(), call.second()))),

    /**
     * The smallest factor above 1 of the first number and its successors, as many as the second
     * number says.
     */
    FACTORS(false, true, true, call -> vector(call.second(), i -> factor(call.first() + i))),

    /** The element that would stand in the middle if the vector were sorted. */
    PICK_ELEMENT(true, false, true, call -> Answer.of(middle(call.vector()))),

    /** The vector comes back to front. */
    REVERSE(
            true,
            true,
            true,
            call ->
                    vector(
                            call.vector().length,
                            i -> call.vector()[call.vector().length - 1 - i]));

    /** Largest vector that is asked for. */
    static final int MAX_VECTOR = 1 << 20;

    private static final CallPattern[] ALL = values();
    private static final long FIRST = 100_000;
    private static final long FIBONACCI_80 = 23_416_728_348_467_685L;
    private static final long FIBONACCI_79 = 14_472_334_024_676_221L;
    private static final int MULTIPLIER = 40_503;

    private final boolean vectorIn;
    private final boolean vectorOut;
    private final boolean work;
    private final Function<Call, Answer> answer;

    CallPattern(
            boolean vectorIn, boolean vectorOut, boolean work, Function<Call, Answer> answer) {
        this.vectorIn = vectorIn;
        this.vectorOut = vectorOut;
        this.work = work;
        this.answer = answer;
    }

    /**
     * The pattern of a number on a wire.
     *
     * @throws MalformedMessageException if there is none
     */
    static CallPattern of(int number) {
        if (number < 0 || number >= ALL.length) {
            throw new MalformedMessageException("no call pattern " + number);
        }
        return ALL[number];
    }

    /** What a server answers. */
    static Answer answer(Call call) {
        return call.pattern().answer.apply(call);
    }

    /** Whether its calls or its answers have vectors. */
    boolean hasVectors() {
        return vectorIn || vectorOut;
    }

    /** Whether the server does more than answering. */
    boolean hasWork() {
        return work;
    }

    /** For tables: {@code single>vector}. */
    String shape() {
        return (vectorIn ? "vector" : "single") + ">" + (vectorOut ? "vector" : "single");
    }

    /**
     * A call whose vectors have {@code size} elements; small and large numbers mixed, the same for
     * the same size.
     */
    Call call(int size) {
        long[] vector = new long[vectorIn ? size : 0];
        Arrays.setAll(vector, i -> (long) i * MULTIPLIER % 65_537);
        return hasVectors()
                ? new Call(this, FIRST, size, vector)
                : new Call(this, FIBONACCI_80, FIBONACCI_79, vector);
    }

    private static Answer vector(long size, IntToLongFunction element) {
        if (size < 0 || size > MAX_VECTOR) {
            throw new IllegalArgumentException(
                    "a vector has 0 to %d elements, asked for %d".formatted(MAX_VECTOR, size));
        }
        long[] vector = new long[(int) size];
        Arrays.setAll(vector, element);
        return Answer.of(vector);
    }

    private static long commonDivisor(long first, long second) {
        long a = first;
        long b = second;
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    private static long factor(long number) {
        for (long factor = 2; factor * factor <= number; factor++) {
            if (number % factor == 0) {
                return factor;
            }
        }
        return number;
    }

    private static long middle(long[] vector) {
        long[] sorted = vector.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
