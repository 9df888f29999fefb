package org.starling.compute.script;

/**
 * One thing that is wrong with a script.
 *
 * @param path JSON path from {@code $} on, line and column where the text is not JSON, or the
 *     option that is wrong
 * @param error what is wrong and what to do, without the place
 */
public record ScriptError(String path, String error) {
    @Override
    public String toString() {
        return path + ": " + error;
    }
}
