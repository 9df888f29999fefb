package org.starling.cli.plot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Elements of an SVG document, put one behind the other. All that comes from outside passes {@link
 * #escaped}: markup becomes text, and what XML can't hold becomes U+FFFD. Confined to one thread.
 */
final class SvgText {
    private static final char REPLACEMENT = '\uFFFD';

    private final StringBuilder text = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Begins an element, with attributes as names and values by turns. */
    SvgText open(String element, Object... attributes) {
        tag(element, attributes);
        text.append(">\n");
        open.push(element);
        return this;
    }

    /** Ends the element that was begun last. */
    SvgText close() {
        text.append("</").append(open.pop()).append(">\n");
        return this;
    }

    /** An element with nothing in it. */
    SvgText empty(String element, Object... attributes) {
        tag(element, attributes);
        text.append("/>\n");
        return this;
    }

    /** An element with a text in it. */
    SvgText leaf(String element, String content, Object... attributes) {
        tag(element, attributes);
        text.append('>').append(escaped(content)).append("</").append(element).append(">\n");
        return this;
    }

    /** An element with a title, which is shown where somebody points at it. */
    SvgText titled(String element, String title, Object... attributes) {
        tag(element, attributes);
        text.append("><title>")
                .append(escaped(title))
                .append("</title></")
                .append(element)
                .append(">\n");
        return this;
    }

    /** The document. */
    String document() {
        if (!open.isEmpty()) {
            throw new IllegalStateException(open + " is open");
        }
        return text.toString();
    }

    /** A length as short as it can be. */
    static String number(double value) {
        String plain = String.format(Locale.ROOT, "%.2f", value);
        return plain.replaceAll("\\.?0+$", "");
    }

    private void tag(String element, Object... attributes) {
        text.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            Object value = attributes[i + 1];
            text.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(
                            value instanceof Double length
                                    ? number(length)
                                    : escaped(value.toString()))
                    .append('"');
        }
    }

    static String escaped(String content) {
        StringBuilder escaped = new StringBuilder(content.length());
        content.codePoints()
                .forEach(point -> {
                    switch (point) {
                        case '<' -> escaped.append("&lt;");
                        case '>' -> escaped.append("&gt;");
                        case '&' -> escaped.append("&amp;");
                        case '"' -> escaped.append("&quot;");
                        case '\'' -> escaped.append("&#39;");
                        case '\t', '\n', '\r' -> escaped.append(' ');
                        default ->
                                escaped.appendCodePoint(isCharacter(point) ? point : REPLACEMENT);
                    }
                });
        return escaped.toString();
    }

    /** Whether XML can hold it; none that turns the direction of what stands around it. */
    private static boolean isCharacter(int point) {
        boolean held =
                (point >= ' ' && point < Character.MIN_SURROGATE)
                        || (point > Character.MAX_SURROGATE && point < 0xFFFE)
                        || point >= Character.MIN_SUPPLEMENTARY_CODE_POINT;
        boolean turns =
                (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
        boolean control = point >= 0x7F && point < 0xA0;
        return held && !turns && !control;
    }
}
