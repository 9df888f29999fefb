package org.starling.compute.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * The parameters of a script: defaults from the script, values from the command line, and their
 * places in texts. {@code ${name}} inside a text becomes the parameter's text; a text that is
 * nothing but {@code ${name}} becomes the parameter itself, number, flag or list. What is no
 * parameter may be a path into results: it becomes a {@link Template}. Immutable.
 */
final class ScriptParameters {
    /** Stands for a value whose parameter is unknown; that was reported, so it fits everywhere. */
    enum Unknown {
        /** The only one. */
        PARAMETER
    }

    /**
     * A value that only the run knows.
     *
     * @param path of the place that gives it
     * @param tree with {@link Template}s
     * @param kind what it must be
     */
    record Open(String path, Object tree, String kind) {
        /**
         * What it becomes.
         *
         * @throws InvalidInputException with the path, if it is of another kind than the default
         */
        Object in(Map<String, ?> known) {
            Object value;
            try {
                value = Template.fill(tree, known);
            } catch (InvalidInputException wrong) {
                throw new InvalidInputException(path + ": " + wrong.getMessage(), wrong);
            }
            if (value == null || !isPlain(value) || !ScriptParameters.kind(value).equals(kind)) {
                throw new InvalidInputException(
                        "%s: expected %s, found %s".formatted(path, kind, Found.of(value)));
            }
            return value;
        }
    }

    private static final Pattern PLACE = Pattern.compile("\\$\\{([^}]*)}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

    private final Map<String, Object> values;

    private ScriptParameters(Map<String, Object> values) {
        this.values = values;
    }

    /**
     * Reads the defaults and puts overrides in their place.
     *
     * @param defaults what the script has under {@code parameters}; null if nothing
     * @param overrides texts by name; each takes the type of the default
     */
    static ScriptParameters read(
            @Nullable Object defaults, Map<String, String> overrides, Problems problems) {
        Map<String, Object> values = new LinkedHashMap<>();
        if (defaults instanceof Map<?, ?> map) {
            map.forEach((name, value) -> readDefault(name.toString(), value, values, problems));
        } else if (defaults != null) {
            problems.add(
                    "$.parameters",
                    "expected an object of names and defaults, found " + Found.of(defaults));
        }
        overrides.forEach((name, text) -> override(name, text, values, problems));
        return new ScriptParameters(values);
    }

    /**
     * The parameters of a script that another one includes.
     *
     * @param defaults what the included script has under {@code parameters}
     * @param given what the other one gives; a value that only the run knows stays open
     * @param path of what it gives
     * @param inside gets what is wrong with the defaults
     */
    static ScriptParameters included(
            @Nullable Object defaults,
            Map<String, Object> given,
            String path,
            Problems inside,
            Problems problems) {
        Map<String, Object> values = new LinkedHashMap<>(read(defaults, Map.of(), inside).values);
        given.forEach((name, value) -> give(path + "." + name, name, value, values, problems));
        return new ScriptParameters(values);
    }

    /** Their names. */
    Set<String> names() {
        return values.keySet();
    }

    /** Those whose values only the run knows. */
    Map<String, Open> open() {
        Map<String, Open> open = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            if (value instanceof Open later) {
                open.put(name, later);
            }
        });
        return open;
    }

    /** The tree with all places of parameters filled in; what can be none is reported. */
    @Nullable Object fill(String path, @Nullable Object tree, Problems problems) {
        return switch (tree) {
            case null -> null;
            case String text -> fillText(path, text, problems);
            case List<?> list -> {
                List<@Nullable Object> filled = new ArrayList<>();
                for (Object element : list) {
                    filled.add(fill(path + "[" + filled.size() + "]", element, problems));
                }
                yield filled;
            }
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> filled = new LinkedHashMap<>();
                map.forEach((name, member) ->
                        filled.put(name.toString(), fill(path + "." + name, member, problems)));
                yield filled;
            }
            default -> tree;
        };
    }

    private Object fillText(String path, String text, Problems problems) {
        Matcher place = PLACE.matcher(text);
        List<Object> parts = new ArrayList<>();
        boolean known = true;
        int end = 0;
        while (place.find()) {
            addText(parts, text.substring(end, place.start()));
            Object value = value(path, place.group(1), problems);
            known &= !(value instanceof Unknown);
            if (place.start() == 0 && place.end() == text.length()) {
                return value instanceof Reference open ? new Template(List.of(open)) : value;
            }
            if (value instanceof Reference open) {
                parts.add(open);
            } else {
                addText(parts, value.toString());
            }
            end = place.end();
        }
        if (!known) {
            return Unknown.PARAMETER;
        }
        addText(parts, text.substring(end));
        return parts.stream().anyMatch(Reference.class::isInstance)
                ? new Template(parts)
                : String.join("", parts.stream().map(Object::toString).toList());
    }

    private static void addText(List<Object> parts, String text) {
        if (!text.isEmpty()) {
            parts.add(text);
        }
    }

    /** A parameter's value, or a {@link Reference} to what only the run knows. */
    private Object value(String path, String name, Problems problems) {
        Object value = values.get(name);
        if (value instanceof Open) {
            return new Reference(name, name, List.of());
        }
        if (value != null) {
            return value;
        }
        Optional<Reference> reference = Reference.parse(name);
        if (reference.isPresent()) {
            return reference.get();
        }
        problems.add(
                path, "no parameter \"" + name + "\"" + NearestName.hint(name, values.keySet()));
        return Unknown.PARAMETER;
    }

    private static void give(
            String path, String name, Object value, Map<String, Object> values, Problems problems) {
        Object usual = values.get(name);
        if (usual == null) {
            problems.add(
                    path,
                    "the included script has no parameter \"%s\"%s"
                            .formatted(name, NearestName.hint(name, values.keySet())));
        } else if (Template.isIn(value) && !(usual instanceof Unknown)) {
            values.put(name, new Open(path, value, kind(usual)));
        } else if (value instanceof Unknown || usual instanceof Unknown) {
            values.put(name, Unknown.PARAMETER);
        } else if (isPlain(value) && kind(value).equals(kind(usual))) {
            values.put(name, value);
        } else {
            problems.add(path, "expected %s, found %s".formatted(kind(usual), Found.of(value)));
        }
    }

    private static void readDefault(
            String name, @Nullable Object value, Map<String, Object> values, Problems problems) {
        String path = "$.parameters." + name;
        boolean plain = value != null && isPlain(value);
        if (!NAME.matcher(name).matches()) {
            problems.add(path, "a parameter's name is letters, digits, '_', '-' and '.'");
        }
        if (!plain) {
            problems.add(
                    path,
                    "expected a text, a number, a flag or a list of these as default, found "
                            + Found.of(value));
        }
        values.put(name, plain && value != null ? value : Unknown.PARAMETER);
    }

    private static boolean isPlain(Object value) {
        return value instanceof String
                || value instanceof Number
                || value instanceof Boolean
                || (value instanceof List<?> list
                        && list.stream()
                                .allMatch(element ->
                                        element != null
                                                && !(element instanceof List<?>)
                                                && isPlain(element)));
    }

    private static void override(
            String name, String text, Map<String, Object> values, Problems problems) {
        String option = "-P " + name;
        Object usual = values.get(name);
        if (usual == null) {
            problems.add(
                    option,
                    "the script has no parameter \"%s\"%s"
                            .formatted(name, NearestName.hint(name, values.keySet())));
            return;
        }
        if (usual instanceof Unknown) {
            return;
        }
        Object value = usual instanceof String ? text : literal(text);
        if (kind(value).equals(kind(usual))) {
            values.put(name, value);
        } else {
            problems.add(
                    option,
                    "expected %s, found \"%s\"".formatted(kind(usual), Found.shorten(text)));
        }
    }

    /** Number, flag or list when the text is one; otherwise the text. */
    private static Object literal(String text) {
        try {
            Object value = JsonText.parse(text);
            return value != null && isPlain(value) ? value : text;
        } catch (InvalidJsonException plainText) {
            return text;
        }
    }

    private static String kind(Object value) {
        return switch (value) {
            case Number number -> "a number";
            case Boolean flag -> "true or false";
            case List<?> list -> "a list like [1, 2]";
            default -> "a text";
        };
    }
}
