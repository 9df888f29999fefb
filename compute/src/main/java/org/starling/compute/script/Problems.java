package org.starling.compute.script;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * Collects what is wrong with a script while it is checked. The same error at the same place counts
 * once. Confined to the thread that checks.
 */
final class Problems {
    private final SequencedSet<ScriptError> errors = new LinkedHashSet<>();

    void add(String place, String problem) {
        errors.add(new ScriptError(place, problem));
    }

    /** The same, from whoever found it. */
    void add(String place, InvalidInputException wrong) {
        add(place, String.valueOf(wrong.getMessage()));
    }

    /** Reports names that nobody knows. */
    void requireKnown(String path, Set<?> names, List<String> known, String noun) {
        for (Object member : names) {
            String name = member.toString();
            if (!known.contains(name)) {
                add(path + "." + name, "unknown " + noun + NearestName.hint(name, known));
            }
        }
    }

    /** The name that a member gives to results or a variable; null if there is none. */
    @Nullable String name(String place, String member, Map<String, @Nullable Object> members) {
        Object name = members.get(member);
        if (!members.containsKey(member) || name instanceof ScriptParameters.Unknown) {
            return null;
        }
        if (!(name instanceof String text) || !Reference.NAME.matcher(text).matches()) {
            add(place, "expected a name of letters, digits, '_' and '-', found " + Found.of(name));
            return null;
        }
        if (ConditionParser.WORDS.contains(text)) {
            add(
                    place,
                    "\"" + text + "\" has a meaning of its own in conditions; take another name");
            return null;
        }
        return text;
    }

    /** Takes over what a later look has found at places where nothing was wrong before. */
    void addLater(Problems later, String when) {
        Set<String> known = places();
        for (ScriptError error : later.errors) {
            if (!known.contains(error.path())) {
                add(error.path(), error.error() + when);
            }
        }
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
