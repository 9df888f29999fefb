package org.starling.tasks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.starling.graph.InvalidInputException;

/**
 * Labels of vertices in a file: lines {@code id label}, separated by blanks or tabs; the label is
 * the rest of the line. Empty lines and those that begin with {@code #} are passed over.
 */
final class LabelFile {
    /** Largest number of labels. */
    static final int MAX_LABELS = 1_000_000;

    private LabelFile() {}

    /**
     * Labels by id.
     *
     * @throws InvalidInputException with file and line if one makes no sense
     */
    static Map<Long, String> read(Path file) throws IOException {
        Map<Long, String> labels = new HashMap<>();
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                String text = line.strip();
                if (!text.isEmpty() && text.charAt(0) != '#') {
                    add(text, labels, file + ":" + number);
                }
            }
        }
        if (labels.isEmpty()) {
            throw new InvalidInputException(file + " has no labels; write lines \"id label\"");
        }
        return labels;
    }

    private static void add(String text, Map<Long, String> labels, String place) {
        String[] words = text.split("\\s+", 2);
        long id;
        try {
            id = Long.parseUnsignedLong(words[0]);
        } catch (NumberFormatException e) {
            throw expected(text, place);
        }
        if (words.length < 2) {
            throw expected(text, place);
        }
        if (labels.put(id, words[1]) != null) {
            throw new InvalidInputException(
                    "%s: vertex %s has a label already".formatted(place, words[0]));
        }
        if (labels.size() > MAX_LABELS) {
            throw new InvalidInputException("%s: more than %d labels".formatted(place, MAX_LABELS));
        }
    }

    private static InvalidInputException expected(String text, String place) {
        return new InvalidInputException(
                "%s: expected a vertex id and a label, found \"%s\"".formatted(place, text));
    }
}
