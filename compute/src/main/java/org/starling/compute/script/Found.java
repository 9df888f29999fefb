package org.starling.compute.script;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How error messages name a JSON value that stands where it should not. */
final class Found {
    private Found() {}

    static String of(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String text -> "\"" + shorten(text) + "\"";
            case Template text -> "\"" + shorten(text.toString()) + "\"";
            case List<?> list -> "a list";
            case Map<?, ?> map -> "an object";
            default -> shorten(value.toString());
        };
    }

    static String shorten(String text) {
        return text.length() <= ScriptBounds.MAX_QUOTED_CHARACTERS
                ? text
                : text.substring(0, ScriptBounds.MAX_QUOTED_CHARACTERS) + "…";
    }
}
