package org.starling.tasks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;

/**
 * Labels of vertices in a file: lines {@code id label}, separated by blanks or tabs; the label is
 * the rest of the line. An id that is a text may be in quotation marks, with those in it doubled.
 * Empty lines and those that begin with {@code #} are passed over.
 */
final class LabelFile {
    /** Largest number of labels. */
    static final int MAX_LABELS = 1_000_000;

    private static final int READ_TEXTS = 1 << 14;
    private static final Pattern NUMBER_LINE =
            Pattern.compile("([^ \\t]++)[ \\t]++(.+)", Pattern.DOTALL);
    private static final Pattern TEXT_LINE =
            Pattern.compile(
                    "(\"(?:[^\"]++|\"\")*+\"|[^\" \\t][^ \\t]*+)[ \\t]++(.+)", Pattern.DOTALL);

    private LabelFile() {}

    /**
     * Labels by id, as programs see it.
     *
     * @param graph the graph whose vertices they are
     * @throws InvalidInputException with file and line if one makes no sense
     */
    static Map<Long, String> read(Path file, GraphSession session, String graph)
            throws IOException {
        boolean textIds = session.info(graph).textIds();
        Map<String, String> labels = read(file, textIds);
        Map<Long, String> numbered = new HashMap<>();
        if (!textIds) {
            labels.forEach((id, label) -> numbered.put(Long.parseUnsignedLong(id), label));
            return numbered;
        }
        long vertices = session.info(graph).vertices();
        for (long first = 0; first < vertices; first += READ_TEXTS) {
            long[] some = LongStream.range(first, Math.min(vertices, first + READ_TEXTS)).toArray();
            List<String> texts = session.texts(graph, some);
            for (int i = 0; i < some.length; i++) {
                String label = labels.get(texts.get(i));
                if (label != null) {
                    numbered.put(some[i], label);
                }
            }
        }
        return numbered;
    }

    /** Labels by original ids: numbers without leading zeros, or texts. */
    static Map<String, String> read(Path file, boolean textIds) throws IOException {
        Map<String, String> labels = new HashMap<>();
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                String text = stripped(line);
                if (!text.isEmpty() && text.charAt(0) != '#') {
                    add(text, textIds, labels, file + ":" + number);
                }
            }
        }
        if (labels.isEmpty()) {
            throw new InvalidInputException(file + " has no labels; write lines \"id label\"");
        }
        return labels;
    }

    /** Without blanks and tabs around it; other spaces belong to ids and labels. */
    private static String stripped(String line) {
        int from = 0;
        int end = line.length();
        while (from < end && isBlank(line.charAt(from))) {
            from++;
        }
        while (from < end && isBlank(line.charAt(end - 1))) {
            end--;
        }
        return line.substring(from, end);
    }

    private static boolean isBlank(char character) {
        return character == ' ' || character == '\t';
    }

    private static void add(
            String text, boolean textIds, Map<String, String> labels, String place) {
        Matcher line = (textIds ? TEXT_LINE : NUMBER_LINE).matcher(text);
        if (!line.matches()) {
            throw expected(text, place);
        }
        String id = line.group(1);
        if (textIds) {
            id = id.startsWith("\"") ? id.substring(1, id.length() - 1).replace("\"\"", "\"") : id;
        } else {
            id = number(id, text, place);
        }
        if (labels.put(id, line.group(2)) != null) {
            throw new InvalidInputException(
                    "%s: vertex %s has a label already".formatted(place, line.group(1)));
        }
        if (labels.size() > MAX_LABELS) {
            throw new InvalidInputException("%s: more than %d labels".formatted(place, MAX_LABELS));
        }
    }

    private static String number(String id, String text, String place) {
        try {
            return Long.toUnsignedString(Long.parseUnsignedLong(id));
        } catch (NumberFormatException e) {
            throw expected(text, place);
        }
    }

    private static InvalidInputException expected(String text, String place) {
        return new InvalidInputException(
                "%s: expected a vertex id and a label, found \"%s\"".formatted(place, text));
    }
}
