package org.starling.loaders;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.graph.PropertyValues;

/**
 * Columns that a file's header names: {@code name:type}, {@code name:type[length]} for vectors.
 * Immutable.
 *
 * @param properties in the order of the fields, without the weight
 * @param weight index of the field that holds an edge's weight, among those behind the ids; -1 if
 *     there is none
 */
record PropertyColumns(List<Property> properties, int weight) {
    private static final String WEIGHT = "weight";
    private static final String TYPES =
            Arrays.stream(PropertyType.values())
                    .map(PropertyType::toString)
                    .collect(Collectors.joining(", "));
    private static final Pattern COLUMN =
            Pattern.compile("([^:]+)(?::\\s*([a-z]+)\\s*(?:\\[(\\d{1,6})\\])?)?");
    private static final Pattern ELEMENTS = Pattern.compile("[ \\t;]+");
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,19}");
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,5})?");

    /** No columns. */
    static final PropertyColumns NONE = new PropertyColumns(List.of(), -1);

    /**
     * The columns that fields of a header name.
     *
     * @param where file and line, for people
     * @param fields those behind the ids
     * @param ofEdges whether {@code weight} is the weight of an edge
     * @throws InvalidInputException if one is no column
     */
    static PropertyColumns of(String where, List<String> fields, boolean ofEdges) {
        List<Property> properties = new ArrayList<>();
        int weight = -1;
        for (int i = 0; i < fields.size(); i++) {
            Matcher column = COLUMN.matcher(fields.get(i).strip());
            if (!column.matches()) {
                throw new InvalidInputException(
                        "%s: expected a column as name:type, found %s (types are %s, and [n] behind one for vectors)"
                                .formatted(where, Quote.of(fields.get(i)), TYPES));
            }
            String name = column.group(1).strip();
            if (ofEdges && name.equals(WEIGHT)) {
                requireWeight(where, column);
                weight = i;
            } else {
                properties.add(property(where, name, column));
            }
        }
        for (int i = 0; i < properties.size(); i++) {
            String name = properties.get(i).name();
            if (properties.subList(0, i).stream().anyMatch(one -> one.name().equals(name))) {
                throw new InvalidInputException(
                        "%s: there are two columns %s (rename one)"
                                .formatted(where, Quote.of(name)));
            }
        }
        return new PropertyColumns(List.copyOf(properties), weight);
    }

    private static void requireWeight(String where, Matcher column) {
        if (column.group(3) != null
                || (column.group(2) != null && !column.group(2).equals("float"))) {
            throw new InvalidInputException(
                    "%s: the weight of edges is a float, not %s (write weight:float, or give the column another name)"
                            .formatted(where, Quote.of(column.group())));
        }
    }

    private static Property property(String where, String name, Matcher column) {
        String type = column.group(2);
        for (PropertyType one : PropertyType.values()) {
            if (one.toString().equals(type)) {
                int length = column.group(3) == null ? 1 : Integer.parseInt(column.group(3));
                try {
                    return new Property(name, one, length);
                } catch (InvalidInputException wrong) {
                    throw new InvalidInputException(where + ": " + wrong.getMessage(), wrong);
                }
            }
        }
        throw new InvalidInputException(
                type == null
                        ? "%s: column %s says no type (write for example %s:int; types are %s)"
                                .formatted(where, Quote.of(name), name, TYPES)
                        : "%s: column %s has the type %s, which is none (types are %s)"
                                .formatted(where, Quote.of(name), Quote.of(type), TYPES));
    }

    /** Number of fields behind the ids. */
    int fields() {
        return properties.size() + (weight < 0 ? 0 : 1);
    }

    /** Whether any of them holds strings. */
    boolean hasStrings() {
        return properties.stream().anyMatch(property -> property.type() == PropertyType.STRING);
    }

    /** Whether a field, by its index among those behind the ids, holds strings. */
    boolean isString(int field) {
        return field != weight && properties.get(propertyOf(field)).type() == PropertyType.STRING;
    }

    private int propertyOf(int field) {
        return weight >= 0 && field > weight ? field - 1 : field;
    }

    /**
     * Takes the value of a field.
     *
     * @param field its index among those behind the ids, which is not that of the weight
     * @return what is wrong with it; null if nothing is
     */
    @Nullable String read(int field, String text, PropertyValues into) {
        int index = propertyOf(field);
        Property property = properties.get(index);
        if (property.type() == PropertyType.STRING) {
            return readString(index, text, into);
        }
        if (property.length() == 1) {
            return read(property, index, 0, text, into);
        }
        String[] elements = text.isEmpty() ? new String[0] : ELEMENTS.split(text);
        if (elements.length != property.length()) {
            return "expected %d elements of %s, with blanks between them, found %s"
                    .formatted(property.length(), Quote.of(property.name()), Quote.of(text));
        }
        for (int i = 0; i < elements.length; i++) {
            String wrong = read(property, index, i, elements[i], into);
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    private static @Nullable String readString(int index, String text, PropertyValues into) {
        try {
            into.setString(index, text);
            return null;
        } catch (InvalidInputException tooLong) {
            return tooLong.getMessage();
        }
    }

    private static @Nullable String read(
            Property property, int index, int element, String text, PropertyValues into) {
        boolean done =
                switch (property.type()) {
                    case BOOLEAN -> readBoolean(index, element, text, into);
                    case INT, LONG -> readWhole(property.type(), index, element, text, into);
                    case FLOAT, DOUBLE -> readNumber(property.type(), index, element, text, into);
                    case STRING -> throw new IllegalStateException("read before");
                };
        return done
                ? null
                : "expected %s for %s, found %s"
                        .formatted(
                                expected(property.type()),
                                Quote.of(property.name()),
                                Quote.of(text));
    }

    private static String expected(PropertyType type) {
        return switch (type) {
            case BOOLEAN -> "true or false";
            case INT -> "a whole number of 32 bits";
            case LONG -> "a whole number of 64 bits";
            case FLOAT, DOUBLE -> "a finite number";
            case STRING -> "a string";
        };
    }

    private static boolean readBoolean(int index, int element, String text, PropertyValues into) {
        boolean yes = text.equals("1") || text.toLowerCase(Locale.ROOT).equals("true");
        boolean no = text.equals("0") || text.toLowerCase(Locale.ROOT).equals("false");
        into.setLong(index, element, yes ? 1 : 0);
        return yes || no;
    }

    private static boolean readWhole(
            PropertyType type, int index, int element, String text, PropertyValues into) {
        if (!WHOLE.matcher(text).matches()) {
            return false;
        }
        try {
            long value = type == PropertyType.INT ? Integer.parseInt(text) : Long.parseLong(text);
            into.setLong(index, element, value);
            return true;
        } catch (NumberFormatException tooLarge) {
            return false;
        }
    }

    private static boolean readNumber(
            PropertyType type, int index, int element, String text, PropertyValues into) {
        if (!NUMBER.matcher(text).matches()) {
            return false;
        }
        double value =
                type == PropertyType.FLOAT ? Float.parseFloat(text) : Double.parseDouble(text);
        into.setDouble(index, element, value);
        return Double.isFinite(value);
    }
}
