package org.starling.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.starling.compute.inputs.WebHosts;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.TimeSpan;
import org.starling.graph.InvalidInputException;

/**
 * A key of {@code starling.json} with its default, and how its values are read and written.
 * Immutable.
 *
 * @param key its name
 * @param otherwise what holds where nothing is said
 * @param read takes a value from JSON, or throws an {@link InvalidInputException} that says what
 *     was expected and found
 * @param write gives JSON that {@code read} takes
 */
record Setting<T>(
        String key, T otherwise, Function<Object, T> read, Function<T, @Nullable Object> write) {
    /** For values that the machine decides. */
    private static final String AUTO = "auto";

    /** {@code true} or {@code false}. */
    static Setting<Boolean> flag(String key, boolean otherwise) {
        return new Setting<>(
                key,
                otherwise,
                value -> {
                    if (value instanceof Boolean flag) {
                        return flag;
                    }
                    throw wrong("true or false", value);
                },
                flag -> flag);
    }

    /** A whole number from {@code min} to {@code max}. */
    static Setting<Integer> whole(String key, int otherwise, int min, int max) {
        return new Setting<>(key, otherwise, value -> whole(value, min, max), number -> number);
    }

    /** Ports to choose from: a number, 0 for any, or a range. */
    static Setting<PortRange> ports(String key, int otherwise) {
        return new Setting<>(
                key,
                PortRange.of(otherwise),
                value -> {
                    PortRange range = PortRange.read(value);
                    if (range == null) {
                        throw wrong(
                                "a port from 0 (any) to 65535, or a range like \"7400-7499\"",
                                value);
                    }
                    return range;
                },
                PortRange::written);
    }

    /** One of a few whole numbers. */
    static Setting<Integer> oneOf(String key, int otherwise, int other) {
        return new Setting<>(
                key,
                otherwise,
                value -> {
                    if (value.equals((long) otherwise) || value.equals((long) other)) {
                        return ((Long) value).intValue();
                    }
                    throw wrong(otherwise + " or " + other, value);
                },
                number -> number);
    }

    /** A word of an enum, in lower case. */
    static <E extends Enum<E>> Setting<E> word(String key, E otherwise) {
        return new Setting<>(
                key,
                otherwise,
                value -> word(otherwise.getDeclaringClass().getEnumConstants(), value),
                Setting::written);
    }

    /** A number of bytes, written with a unit. */
    static Setting<Long> bytes(String key, long otherwise, long min, long max) {
        return new Setting<>(key, otherwise, value -> bytes(value, min, max), ByteSize::written);
    }

    /** A span of time, written with a unit. */
    static Setting<Duration> time(String key, Duration otherwise) {
        return new Setting<>(
                key, otherwise, value -> TimeSpan.parse(text(value)), TimeSpan::format);
    }

    /** The name of a folder. */
    static Setting<String> folder(String key, String otherwise) {
        return new Setting<>(key, otherwise, Setting::folder, name -> name);
    }

    /** A text that is not blank; none where nothing is said. */
    static Setting<String> line(String key) {
        return line(key, "");
    }

    /** A text that is not blank. */
    static Setting<String> line(String key, String otherwise) {
        return new Setting<>(
                key,
                otherwise,
                value -> {
                    if (value instanceof String text && !text.isBlank()) {
                        return text.strip();
                    }
                    throw wrong("a text", value);
                },
                text -> text);
    }

    /** At most {@code max} names of folders; none where nothing is said. */
    static Setting<List<String>> folders(String key, int max) {
        return new Setting<>(
                key,
                List.of(),
                value -> {
                    if (value instanceof List<?> names && names.size() <= max) {
                        return names.stream()
                                .map(name -> folder(Objects.requireNonNullElse(name, "")))
                                .toList();
                    }
                    throw wrong("a list of at most %d folders".formatted(max), value);
                },
                names -> names);
    }

    /** Web servers; none where nothing is said. */
    static Setting<WebHosts> hosts(String key) {
        return new Setting<>(
                key,
                WebHosts.NONE,
                value -> {
                    if (!(value instanceof List<?> names)) {
                        throw wrong("a list of hosts", value);
                    }
                    return new WebHosts(
                            names.stream()
                                    .map(name -> text(Objects.requireNonNullElse(name, "")))
                                    .toList());
                },
                WebHosts::entries);
    }

    /**
     * Names with commas between them.
     *
     * @param name shape of one
     * @param what they are
     */
    static Setting<String> names(String key, String name, String what) {
        return new Setting<>(
                key,
                "",
                value -> {
                    if (text(value).matches("%s(,%s)*".formatted(name, name))) {
                        return text(value);
                    }
                    throw wrong("names of " + what, value);
                },
                names -> names);
    }

    /** The same, and {@code "auto"} for one more value, which holds where nothing is said. */
    Setting<T> orAuto(T auto) {
        return new Setting<>(
                key,
                auto,
                value -> value.equals(AUTO) ? auto : read.apply(value),
                value -> value.equals(auto) ? AUTO : write.apply(value));
    }

    /** The same for values that a check accepts. */
    Setting<T> that(Predicate<T> check, String expected) {
        return new Setting<>(
                key,
                otherwise,
                value -> {
                    T good = read.apply(value);
                    if (!check.test(good)) {
                        throw wrong(expected, value);
                    }
                    return good;
                },
                write);
    }

    /** How a word of an enum is written. */
    static String written(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    private static int whole(Object value, int min, int max) {
        if (value instanceof Long number && number >= min && number <= max) {
            return number.intValue();
        }
        throw wrong("a whole number from %d to %d".formatted(min, max), value);
    }

    private static <E extends Enum<E>> E word(E[] words, Object value) {
        String text = text(value);
        List<String> known = new ArrayList<>();
        for (E word : words) {
            if (written(word).equals(text)) {
                return word;
            }
            known.add(written(word));
        }
        throw wrong("one of " + String.join(", ", known), value);
    }

    private static long bytes(Object value, long min, long max) {
        long bytes = ByteSize.parse(text(value)).bytes();
        if (bytes < min || bytes > max) {
            throw wrong(
                    max == Long.MAX_VALUE
                            ? "at least " + new ByteSize(min)
                            : new ByteSize(min) + " to " + new ByteSize(max),
                    value);
        }
        return bytes;
    }

    private static String folder(Object value) {
        if (value instanceof String name && !name.isBlank() && name.indexOf('\0') < 0) {
            return name;
        }
        throw wrong("the name of a folder", value);
    }

    private static String text(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw wrong("a text with a unit", value);
    }

    private static InvalidInputException wrong(String expected, Object value) {
        return new InvalidInputException(
                "expected " + expected + ", found " + JsonText.write(value));
    }
}
