package org.starling.loaders;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.PropertyType;

/** Guesses the type of a column from some of its values. Confined to one thread. */
final class TypeGuess {
    /** Numbers with zeros before them are names: they would come back without them. */
    private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9]\\d{0,17})");

    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(0|[1-9]\\d*)?(\\.\\d+)?([eE][+-]?\\d{1,3})?");
    private static final Pattern DIGITS = Pattern.compile("[+-]?\\d+");
    private static final Pattern FLAG = Pattern.compile("(?i)true|false");

    private @Nullable PropertyType type;
    private boolean empties;

    /** Takes a value into account. */
    void look(String value) {
        if (value.isEmpty()) {
            empties = true;
        } else if (type != PropertyType.STRING) {
            PropertyType one = of(value);
            type = type == null ? one : ElementFile.Types.holdingBoth(type, one);
        }
    }

    private static PropertyType of(String value) {
        if (WHOLE.matcher(value).matches()) {
            long number = Long.parseLong(value);
            return number == (int) number ? PropertyType.INT : PropertyType.LONG;
        }
        if (DIGITS.matcher(value).matches()) {
            return PropertyType.STRING; // more of them than any number keeps, or zeros before
        }
        if (NUMBER.matcher(value).matches()
                && Character.isDigit(value.charAt(value.length() - 1))) {
            return PropertyType.DOUBLE;
        }
        return FLAG.matcher(value).matches() ? PropertyType.BOOLEAN : PropertyType.STRING;
    }

    /** The smallest type that holds all values; strings if there was none. */
    PropertyType type() {
        PropertyType found = type;
        return found == null ? PropertyType.STRING : found;
    }

    /** Whether a value was empty. */
    boolean hasEmpties() {
        return empties;
    }
}
