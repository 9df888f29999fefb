package org.starling.compute.script;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starling.graph.InvalidInputException;

/** Durations with a unit, as configurations and scripts write them: {@code "500ms"}. */
public final class TimeSpan {
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,9})\\s*(ms|s|min|h|d)");

    private record Unit(String name, Duration length) {}

    private static final List<Unit> UNITS =
            List.of(
                    new Unit("d", Duration.ofDays(1)),
                    new Unit("h", Duration.ofHours(1)),
                    new Unit("min", Duration.ofMinutes(1)),
                    new Unit("s", Duration.ofSeconds(1)),
                    new Unit("ms", Duration.ofMillis(1)));

    private TimeSpan() {}

    /**
     * Reads a text.
     *
     * @throws InvalidInputException if it is no duration
     */
    public static Duration parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        if (matcher.matches()) {
            for (Unit unit : UNITS) {
                if (unit.name().equals(matcher.group(2))) {
                    return unit.length().multipliedBy(Long.parseLong(matcher.group(1)));
                }
            }
        }
        throw new InvalidInputException(
                "expected a duration like \"500ms\", \"10s\" or \"5min\", found \"" + text + "\"");
    }

    /** In the largest unit that makes it a whole number. */
    public static String format(Duration duration) {
        for (Unit unit : UNITS) {
            if (duration.toMillis() % unit.length().toMillis() == 0 && !duration.isZero()) {
                return duration.dividedBy(unit.length()) + unit.name();
            }
        }
        return duration.toMillis() + "ms";
    }
}
