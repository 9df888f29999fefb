package org.starling.tasks.graphalytics;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.starling.graph.InvalidInputException;
import org.starling.graph.VertexId;

/**
 * An output of the suite in memory: lines {@code id value}, sorted by id. Costs 16 bytes a line.
 * Immutable.
 */
final class OutputColumn {
    private static final int FIRST_CAPACITY = 1 << 10;

    private final Path file;
    private final boolean numbers;

    /** Unsigned, ascending; the same id may stand here twice. */
    private final long[] ids;

    /** Unsigned integers, or the bits of floating point numbers. */
    private final long[] values;

    private OutputColumn(Path file, boolean numbers, long[] ids, long[] values) {
        this.file = file;
        this.numbers = numbers;
        this.ids = ids;
        this.values = values;
    }

    /**
     * Reads a file.
     *
     * @param numbers whether values are floating point numbers
     * @throws InvalidInputException with file and line if it is no output of the suite
     */
    static OutputColumn read(Path file, boolean numbers) throws IOException {
        long[] ids = new long[FIRST_CAPACITY];
        long[] values = new long[FIRST_CAPACITY];
        int count = 0;
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    if (count == ids.length) {
                        ids = Arrays.copyOf(ids, 2 * count);
                        values = Arrays.copyOf(values, 2 * count);
                    }
                    String[] fields = line.strip().split("[ \t]+", -1);
                    try {
                        ids[count] = Long.parseUnsignedLong(fields[0]);
                        values[count++] = value(fields, numbers);
                    } catch (NumberFormatException _) {
                        throw new InvalidInputException(
                                "%s:%d: expected a vertex id and a %s, found \"%s\""
                                        .formatted(
                                                file,
                                                number,
                                                numbers ? "number" : "whole number",
                                                line.strip()));
                    }
                }
                number++;
            }
        }
        return sorted(file, numbers, Arrays.copyOf(ids, count), Arrays.copyOf(values, count));
    }

    /** Says if some vertex stands here more than once. */
    Optional<String> twice() {
        for (int i = 1; i < ids.length; i++) {
            if (ids[i] == ids[i - 1]) {
                return Optional.of("%s: vertex %s stands there twice".formatted(file, id(i)));
            }
        }
        return Optional.empty();
    }

    /** Says if the first vertex that only one of two columns has is not here. */
    Optional<String> missing(OutputColumn other) {
        int at = Arrays.mismatch(ids, other.ids);
        boolean isMissing =
                at >= 0
                        && at < other.ids.length
                        && (at == ids.length || Long.compareUnsigned(other.ids[at], ids[at]) < 0);
        return isMissing
                ? Optional.of("%s: vertex %s is missing".formatted(file, other.id(at)))
                : Optional.empty();
    }

    /** Says where another column, of the same vertices, first differs. */
    Optional<String> firstDifference(OutputColumn actual, MatchRule.ValueMatch match) {
        for (int i = 0; i < ids.length; i++) {
            if (!match.matches(values[i], actual.values[i])) {
                return Optional.of(
                        "vertex %s has %s, but %s says %s"
                                .formatted(id(i), actual.value(i), file, value(i)));
            }
        }
        return Optional.empty();
    }

    private static long value(String[] fields, boolean numbers) {
        if (fields.length != 2) {
            throw new NumberFormatException("not two fields");
        }
        String text = fields[1];
        if (!numbers) {
            return Long.parseUnsignedLong(text);
        }
        boolean infinite = text.equalsIgnoreCase("infinity") || text.equalsIgnoreCase("inf");
        return Double.doubleToRawLongBits(
                infinite ? Double.POSITIVE_INFINITY : Double.parseDouble(text));
    }

    private static OutputColumn sorted(Path file, boolean numbers, long[] ids, long[] values) {
        boolean ascending = true;
        for (int i = 1; i < ids.length && ascending; i++) {
            ascending = Long.compareUnsigned(ids[i - 1], ids[i]) <= 0;
        }
        if (ascending) {
            return new OutputColumn(file, numbers, ids, values);
        }
        int[] order =
                IntStream.range(0, ids.length)
                        .boxed()
                        .sorted((one, other) -> Long.compareUnsigned(ids[one], ids[other]))
                        .mapToInt(Integer::intValue)
                        .toArray();
        return new OutputColumn(
                file,
                numbers,
                Arrays.stream(order).mapToLong(i -> ids[i]).toArray(),
                Arrays.stream(order).mapToLong(i -> values[i]).toArray());
    }

    private String id(int index) {
        return VertexId.text(ids[index]);
    }

    private String value(int index) {
        return numbers
                ? Double.toString(Double.longBitsToDouble(values[index]))
                : Long.toUnsignedString(values[index]);
    }
}
