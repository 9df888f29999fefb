package org.starling.loaders;

/** Pieces of input in sentences for people. */
final class Quote {
    private static final int MAX_CHARACTERS = 60;

    /** What bytes become that are no text. */
    private static final int REPLACEMENT = 0xFFFD;

    private Quote() {}

    /** The text in quotation marks, cut if it is long, with a dot for what can't be shown. */
    static String of(String text) {
        return '"' + bare(text) + '"';
    }

    /** The same without quotation marks. */
    static String bare(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(MAX_CHARACTERS)
                .map(c -> c == '\t' || isShown(c) ? c : '.')
                .forEach(shown::appendCodePoint);
        return shown.append(text.length() > MAX_CHARACTERS ? "…" : "").toString();
    }

    /** Nothing that ends a line, changes what a terminal does, or is of no script. */
    private static boolean isShown(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> c != REPLACEMENT;
        };
    }
}
