package org.starling.cli.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * From values to places on paper. It is logarithmic where positive values span more than three
 * decades and none is negative; a zero then stands one step below the least power of ten.
 * Immutable.
 */
final class Axis {
    private static final double MAX_LINEAR_DECADES = 3;
    private static final int WANTED_STEPS = 5;
    private static final int MAX_DECADES = 8;
    private static final double[] NICE = {1, 2, 5, 10};
    private static final double EXACT = 1e15;
    private static final double LARGE = 1e6;
    private static final double SMALL = 1e-3;
    private static final int DIGITS = 4;
    private static final double TOLERANCE = 1e-9;
    private static final double TINY = 1e-300;
    private static final String RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    /**
     * A value that is written beside the axis.
     *
     * @param value the value
     * @param text how it is written
     */
    record Tick(double value, String text) {}

    private final boolean logarithmic;
    private final double low;
    private final double high;
    private final double from;
    private final double to;
    private final List<Tick> ticks;

    private Axis(
            boolean logarithmic,
            double low,
            double high,
            double from,
            double to,
            List<Tick> ticks) {
        this.logarithmic = logarithmic;
        this.low = low;
        this.high = high;
        this.from = from;
        this.to = to;
        this.ticks = List.copyOf(ticks);
    }

    /**
     * An axis for values.
     *
     * @param values at least one, all finite; where all are whole, so is what is written
     * @param mayBeLogarithmic whether it may be
     * @param withZero whether zero belongs to it if it is not logarithmic
     * @param from where the least value stands
     * @param to where the greatest stands
     */
    static Axis of(
            double[] values, boolean mayBeLogarithmic, boolean withZero, double from, double to) {
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        double leastPositive = Double.POSITIVE_INFINITY;
        boolean whole = true;
        for (double value : values) {
            whole &= value == Math.rint(value);
            least = Math.min(least, value);
            greatest = Math.max(greatest, value);
            leastPositive = value > 0 ? Math.min(leastPositive, value) : leastPositive;
        }
        boolean wide =
                least >= 0 && Math.log10(greatest) - Math.log10(leastPositive) > MAX_LINEAR_DECADES;
        if (mayBeLogarithmic && wide) {
            return logarithmic(least == 0, leastPositive, greatest, from, to);
        }
        return withZero
                ? linear(Math.min(0, least), Math.max(0, greatest), whole, from, to)
                : linear(least, greatest, whole, from, to);
    }

    private static Axis linear(
            double least, double greatest, boolean whole, double from, double to) {
        double span = greatest - least;
        double magnitude = Math.max(Math.abs(least), Math.abs(greatest));
        double room = span > Math.max(magnitude * TOLERANCE, TINY) ? span : Math.max(1, magnitude);
        double step = Math.max(whole ? 1 : 0, niceStep(room / WANTED_STEPS));
        double low = Math.floor(least / step + TOLERANCE) * step;
        double high = Math.ceil(greatest / step - TOLERANCE) * step;
        if (high <= low) {
            high = low + room;
        }
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; low + i * step <= high + step * TOLERANCE; i++) {
            double value = rounded(low + i * step, step);
            ticks.add(new Tick(value, text(value)));
        }
        return new Axis(false, low, high, from, to, ticks);
    }

    /** Without the last bits, in which sums of steps are wrong. */
    private static double rounded(double value, double step) {
        return Math.abs(value) < step / 2
                ? 0
                : new BigDecimal(value).round(new MathContext(DIGITS + DIGITS)).doubleValue();
    }

    private static double niceStep(double atLeast) {
        double power = Math.pow(10, Math.floor(Math.log10(atLeast)));
        for (double nice : NICE) {
            if (nice * power >= atLeast * (1 - TOLERANCE)) {
                return nice * power;
            }
        }
        return NICE[NICE.length - 1] * power;
    }

    private static Axis logarithmic(
            boolean zero, double least, double greatest, double from, double to) {
        int first = (int) Math.floor(Math.log10(least) + TOLERANCE);
        int last = (int) Math.ceil(Math.log10(greatest) - TOLERANCE);
        int step = Math.ceilDiv(last - first, MAX_DECADES);
        List<Tick> ticks = new ArrayList<>();
        if (zero) {
            ticks.add(new Tick(0, "0"));
        }
        for (int power = first; power <= last; power += step) {
            double value = Math.pow(10, power);
            ticks.add(new Tick(value, text(value)));
        }
        return new Axis(true, zero ? first - step : first, last, from, to, ticks);
    }

    boolean isLogarithmic() {
        return logarithmic;
    }

    List<Tick> ticks() {
        return ticks;
    }

    /** Where a value stands. */
    double at(double value) {
        double measure = value;
        if (logarithmic) {
            measure = value > 0 ? Math.log10(value) : low;
        }
        return from + (to - from) * ((measure - low) / (high - low));
    }

    /** A number for people. */
    static String text(double value) {
        double magnitude = Math.abs(value);
        if (value == Math.rint(value) && magnitude < LARGE) {
            return String.format(Locale.ROOT, "%,d", (long) value);
        }
        if (magnitude >= LARGE || magnitude < SMALL) {
            return power(value);
        }
        return digits(value).toPlainString();
    }

    /** A number with all its digits where it is whole. */
    static String exact(double value) {
        return value == Math.rint(value) && Math.abs(value) < EXACT
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : text(value);
    }

    private static BigDecimal digits(double value) {
        return new BigDecimal(value).round(new MathContext(DIGITS)).stripTrailingZeros();
    }

    /** Digits, and a raised power of ten. */
    private static String power(double value) {
        BigDecimal digits = digits(value);
        int exponent = digits.precision() - digits.scale() - 1;
        String mantissa = digits.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        StringBuilder text = new StringBuilder();
        if (!mantissa.equals("1")) {
            text.append(mantissa).append("·");
        }
        text.append("10").append(exponent < 0 ? "⁻" : "");
        for (char digit : Integer.toString(Math.abs(exponent)).toCharArray()) {
            text.append(RAISED.charAt(digit - '0'));
        }
        return text.toString();
    }
}
