package org.starling.compute.script;

/**
 * One thing that is wrong with a script.
 *
 * @param place JSON path from {@code $} on, line and column where the text is not JSON, or the
 *     option that is wrong
 * @param problem what is wrong and what to do, without the place
 */
public record ScriptError(String place, String problem) {
    @Override
    public String toString() {
        return place + ": " + problem;
    }
}
