package org.starling.benchmarks.graph500;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Numbers as C's {@code printf} writes them with {@code %g}: as many significant digits as asked
 * for, no trailing zeros, an exponent where the number is small or large. Exact: the decimal value
 * of the double is rounded once, half to even.
 */
final class GeneralFormat {

    /** Significant digits of {@code %g}. */
    static final int DEFAULT_DIGITS = 6;

    private static final int SMALLEST_PLAIN_EXPONENT = -4;

    private GeneralFormat() {}

    /** {@code %g}. */
    static String format(double value) {
        return format(value, DEFAULT_DIGITS);
    }

    /** {@code %.<digits>g}. */
    static String format(double value, int digits) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal rounded =
                new BigDecimal(value)
                        .round(new MathContext(digits, RoundingMode.HALF_EVEN))
                        .stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= SMALLEST_PLAIN_EXPONENT && exponent < digits) {
            return rounded.toPlainString();
        }
        String mantissa = rounded.movePointLeft(exponent).toPlainString();
        return "%se%s%02d".formatted(mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
    }
}
