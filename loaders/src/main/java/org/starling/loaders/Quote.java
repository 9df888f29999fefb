package org.starling.loaders;

/** Pieces of input in sentences for people. */
final class Quote {

    private static final int MAX_CHARACTERS = 60;

    private Quote() {}

    /** The text in quotation marks, cut if it is long, with a dot for what can't be shown. */
    static String of(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.chars()
                .limit(MAX_CHARACTERS)
                .forEach(c -> shown.append(c == '\t' || (c >= ' ' && c < 127) ? (char) c : '.'));
        return shown.append(text.length() > MAX_CHARACTERS ? "…\"" : "\"").toString();
    }
}
