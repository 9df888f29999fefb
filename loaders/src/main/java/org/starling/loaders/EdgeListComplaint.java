package org.starling.loaders;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * Says what is wrong with a line that {@link EdgeListReader} could not read: file, line, what was
 * expected, what was found and what to do. Slow: it reads the file up to the line to number it.
 */
final class EdgeListComplaint {

    private static final String COMMENT_REMEDY =
            "begin the line with # if it is a comment or a header";

    private static final String HEADER_REMEDY =
            "begin the line with # if it is a comment; if it names columns, say which are \"source\" and \"target\"";

    private static final String NUMBERS_REMEDY = "; if ids are texts, say \"ids\": \"text\"";

    private static final String TEXT_REMEDY =
            "where ids are texts, comments stand before the first edge";

    private final TextFile text;
    private final EdgeListFormat format;

    EdgeListComplaint(TextFile text, EdgeListFormat format) {
        this.text = text;
        this.format = format;
    }

    /**
     * The complaint.
     *
     * @param offset where in the text the bad line begins
     */
    InvalidInputException about(long offset) throws IOException {
        String line = text.line(offset);
        return text.complaint(offset, reason(line, offset == 0));
    }

    private String reason(String line, boolean isFirst) {
        String[] fields = format.separator().split(line);
        String quoted = Quote.of(line);
        if (fields.length < 2 || fields[1].isBlank()) {
            return "expected two vertex ids, found %s (%s)"
                    .formatted(quoted, remedy(line, isFirst));
        }
        for (int k = 0; k < 2 && !format.textIds(); k++) {
            String wrong = wrongId(fields[k].strip());
            if (wrong != null) {
                return wrong.startsWith("(")
                        ? "expected two vertex ids, found %s (%s%s)"
                                .formatted(quoted, remedy(line, isFirst), NUMBERS_REMEDY)
                        : wrong;
            }
        }
        if (fields.length < 3 || fields[2].isBlank()) {
            return ("expected a weight in the third field, as in the first line of data, found only"
                            + " %s (add it, or take the weights out of all lines)")
                    .formatted(quoted);
        }
        return ("expected a weight that is a finite number and not negative, found %s (correct it,"
                        + " or take the weights out of all lines)")
                .formatted(Quote.of(fields[2].strip()));
    }

    /** What is wrong with an id: null if nothing, a sentence, or "(" if it is no number at all. */
    private static @Nullable String wrongId(String field) {
        String digits = field.startsWith("-") ? field.substring(1) : field;
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return "(";
        }
        if (field.startsWith("-")) {
            return "expected a vertex id of 0 or more, found %s (renumber the vertices)"
                    .formatted(Quote.of(field));
        }
        try {
            Long.parseUnsignedLong(digits);
            return null;
        } catch (NumberFormatException _) {
            return "expected a vertex id up to %s, found %s (renumber the vertices)"
                    .formatted(Long.toUnsignedString(-1), Quote.of(field));
        }
    }

    private String remedy(String line, boolean isFirst) {
        Separator other = format.separator().otherIn(line);
        if (other != null && (format.textIds() || hasTwoIds(other.split(line)))) {
            return "separator is %s; use \"separator\": \"%s\""
                    .formatted(format.separator(), other.written());
        }
        String ofNumbers = isFirst ? HEADER_REMEDY : COMMENT_REMEDY;
        String remedy = format.textIds() ? TEXT_REMEDY : ofNumbers;
        return "separator is %s; %s".formatted(format.separator(), remedy);
    }

    private static boolean hasTwoIds(String[] fields) {
        return fields.length >= 2
                && wrongId(fields[0].strip()) == null
                && wrongId(fields[1].strip()) == null;
    }
}
