package org.starling.compute.script;

/**
 * One thing that is wrong with a script.
 *
 * @param path JSON path from {@code $} on, line and column where the text is not JSON, or the
 *     option that is wrong
 * @param error what is wrong and what to do, without the place
 */
public record ScriptError(String path, String error) {
    /** Names are the script's: control characters in them are written as JSON writes them. */
    public ScriptError {
        path = visible(path, false);
        error = visible(error, true);
    }

    private static String visible(String text, boolean mayHaveLines) {
        StringBuilder visible = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) && !(mayHaveLines && c == '\n')) {
                visible.append("\\u%04x".formatted((int) c));
            } else {
                visible.append(c);
            }
        }
        return visible.toString();
    }

    @Override
    public String toString() {
        return path + ": " + error;
    }
}
