package org.starling.compute.script;

import java.util.List;
import java.util.stream.Collectors;
import org.starling.graph.InvalidInputException;

/**
 * A script that was refused before anything ran. The message has one line per error, each with the
 * script's name, the place and what is wrong there.
 */
public final class InvalidScriptException extends InvalidInputException {
    private static final long serialVersionUID = 1L;

    private final String script;
    private final transient List<ScriptError> errors;

    /** All that is wrong with the script of that name; at least one error. */
    public InvalidScriptException(String script, List<ScriptError> errors) {
        super(
                errors.stream()
                        .map(error -> script + ": " + error)
                        .collect(Collectors.joining("\n")));
        this.script = script;
        this.errors = List.copyOf(errors);
    }

    /** What the messages call the script. */
    public String script() {
        return script;
    }

    /** The errors, in the order of the script. */
    public List<ScriptError> errors() {
        return errors;
    }
}
