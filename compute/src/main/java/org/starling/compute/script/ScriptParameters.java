package org.starling.compute.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a script: defaults from the script, values from the command line, and their
 * places in texts. {@code ${name}} inside a text becomes the parameter's text; a text that is
 * nothing but {@code ${name}} becomes the parameter itself, number, flag or list. Immutable.
 */
final class ScriptParameters {
    /** Stands for a value whose parameter is unknown; that was reported, so it fits everywhere. */
    enum Unknown {
        /** The only one. */
        PARAMETER
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

    /** The tree with all places of parameters filled in; unknown ones are reported. */
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
        if (place.matches()) {
            return value(path, place.group(1), problems);
        }
        StringBuilder filled = new StringBuilder();
        boolean known = true;
        place.reset();
        while (place.find()) {
            Object value = value(path, place.group(1), problems);
            known &= !(value instanceof Unknown);
            place.appendReplacement(filled, Matcher.quoteReplacement(value.toString()));
        }
        return known ? place.appendTail(filled).toString() : Unknown.PARAMETER;
    }

    private Object value(String path, String name, Problems problems) {
        Object value = values.get(name);
        if (value == null) {
            problems.add(
                    path,
                    "no parameter \"" + name + "\"" + NearestName.hint(name, values.keySet()));
            return Unknown.PARAMETER;
        }
        return value;
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
