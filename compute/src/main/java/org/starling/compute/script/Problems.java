package org.starling.compute.script;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Collects what is wrong with a script while it is checked. The same error at the same place counts
 * once. Confined to the thread that checks.
 */
final class Problems {
    private final SequencedSet<ScriptError> errors = new LinkedHashSet<>();

    void add(String place, String problem) {
        errors.add(new ScriptError(place, problem));
    }

    boolean isEmpty() {
        return errors.isEmpty();
    }

    int count() {
        return errors.size();
    }

    /** Places that something is wrong with. */
    Set<String> places() {
        return errors.stream().map(ScriptError::path).collect(Collectors.toSet());
    }

    List<ScriptError> errors() {
        return List.copyOf(errors);
    }
}
