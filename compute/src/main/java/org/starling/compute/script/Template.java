package org.starling.compute.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * A text of a script with places that only the run fills: {@code "bfs-${vertex}.txt"}, {@code
 * "${search.top[0][0]}"}. One that is nothing but a place becomes the value itself. Immutable.
 *
 * @param parts texts ({@link String}) and places ({@link Reference}), at least one place
 */
record Template(List<Object> parts) {
    Template {
        parts = List.copyOf(parts);
    }

    /** Whether it is nothing but a place. */
    boolean isWhole() {
        return parts.size() == 1;
    }

    /** Its places. */
    List<Reference> places() {
        return parts.stream()
                .filter(Reference.class::isInstance)
                .map(Reference.class::cast)
                .toList();
    }

    /**
     * What it becomes.
     *
     * @throws InvalidInputException if a place leads nowhere, or to what is no part of a text
     */
    @Nullable Object in(Map<String, ?> values) {
        if (parts.getFirst() instanceof Reference whole && isWhole()) {
            return value(whole, values);
        }
        StringBuilder text = new StringBuilder();
        for (Object part : parts) {
            text.append(part instanceof Reference place ? word(place, values) : part);
        }
        return text.toString();
    }

    /** The same with the value of a variable; a plain value if nothing else is open. */
    @Nullable Object with(String variable, @Nullable Object value) {
        if (parts.getFirst() instanceof Reference whole
                && isWhole()
                && whole.name().equals(variable)) {
            return whole.inside(value);
        }
        List<Object> filled = new ArrayList<>();
        boolean open = false;
        for (Object part : parts) {
            boolean known = part instanceof Reference place && place.name().equals(variable);
            open |= part instanceof Reference && !known;
            filled.add(
                    known && part instanceof Reference place
                            ? word(place.text(), place.inside(value))
                            : part);
        }
        return open
                ? new Template(filled)
                : filled.stream().map(Object::toString).collect(Collectors.joining());
    }

    /** Whether a text, or one in a list or an object, has places that only the run fills. */
    static boolean isIn(@Nullable Object tree) {
        return switch (tree) {
            case Template template -> true;
            case List<?> list -> list.stream().anyMatch(Template::isIn);
            case Map<?, ?> members -> members.values().stream().anyMatch(Template::isIn);
            case null, default -> false;
        };
    }

    /** A text, list or object with all its places filled. */
    static @Nullable Object fill(@Nullable Object tree, Map<String, ?> values) {
        return JsonText.withLeaves(
                tree, leaf -> leaf instanceof Template template ? template.in(values) : leaf);
    }

    /** As it was written. */
    @Override
    public String toString() {
        return parts.stream()
                .map(part -> part instanceof Reference place ? written(place) : part.toString())
                .collect(Collectors.joining());
    }

    private static String written(Reference place) {
        return "${" + place.text() + "}";
    }

    private static @Nullable Object value(Reference place, Map<String, ?> values) {
        try {
            return place.in(values);
        } catch (InvalidInputException nowhere) {
            throw new InvalidInputException(written(place) + ": " + nowhere.getMessage(), nowhere);
        }
    }

    private static String word(Reference place, Map<String, ?> values) {
        return word(place.text(), value(place, values));
    }

    private static String word(String place, @Nullable Object value) {
        if (value instanceof String || value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        throw new InvalidInputException(
                "${%s}: only a text, a number or a flag can be a part of a text, found %s"
                        .formatted(place, Found.of(value)));
    }
}
