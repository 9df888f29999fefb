package org.starling.graph;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Values of all properties of one vertex or edge, on their way from an {@link EdgeSource} into the
 * graph. Sources fill one again and again; what is not set since {@link #clear} is 0, false or an
 * empty string. Confined to one thread.
 */
public final class PropertyValues {
    private final List<Property> properties;
    private final int[] firstElements;
    private final long[] bits;
    private final String[] strings;

    /** Room for values of these properties. */
    public PropertyValues(List<Property> properties) {
        this.properties = List.copyOf(properties);
        this.firstElements = new int[properties.size() + 1];
        for (int i = 0; i < properties.size(); i++) {
            firstElements[i + 1] = firstElements[i] + properties.get(i).length();
        }
        this.bits = new long[firstElements[properties.size()]];
        this.strings = new String[properties.size()];
        Arrays.fill(strings, "");
    }

    /** What there are values of. */
    public List<Property> properties() {
        return properties;
    }

    /** All values are 0, false or empty again. */
    public void clear() {
        Arrays.fill(bits, 0);
        Arrays.fill(strings, "");
    }

    /**
     * Sets a whole number, or whether a boolean is true (everything but 0 is).
     *
     * @param property its index
     * @param element index of the element, 0 unless the property is a vector
     * @throws IllegalArgumentException if the number is too large for the property's type, or that
     *     is a string
     */
    public void setLong(int property, int element, long value) {
        PropertyType type = properties.get(property).type();
        int at = at(property, element);
        bits[at] =
                switch (type) {
                    case BOOLEAN -> value == 0 ? 0 : 1;
                    case INT -> {
                        if (value != (int) value) {
                            throw new IllegalArgumentException(value + " is no int");
                        }
                        yield value;
                    }
                    case LONG -> value;
                    case FLOAT -> Float.floatToRawIntBits((float) value);
                    case DOUBLE -> Double.doubleToRawLongBits((double) value);
                    case STRING -> throw hasNo(property, value);
                };
    }

    /**
     * Sets a floating point number.
     *
     * @param property its index
     * @param element index of the element, 0 unless the property is a vector
     * @throws IllegalArgumentException if the property's type has none
     */
    public void setDouble(int property, int element, double value) {
        PropertyType type = properties.get(property).type();
        int at = at(property, element);
        bits[at] =
                switch (type) {
                    case FLOAT -> Float.floatToRawIntBits((float) value);
                    case DOUBLE -> Double.doubleToRawLongBits(value);
                    case BOOLEAN, INT, LONG, STRING -> throw hasNo(property, value);
                };
    }

    /**
     * Sets a string.
     *
     * @param property its index
     * @throws IllegalArgumentException if the property is of another type
     * @throws InvalidInputException if the string takes more than {@link Property#MAX_STRING_BYTES}
     *     in UTF-8, or has a line break: values are read from lines, and written to lines
     */
    public void setString(int property, String value) {
        Property of = properties.get(property);
        if (of.type() != PropertyType.STRING) {
            throw hasNo(property, "string");
        }
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Property.MAX_STRING_BYTES) {
            throw new InvalidInputException(
                    "a string of %d bytes for \"%s\"; %d are possible"
                            .formatted(bytes, of.name(), Property.MAX_STRING_BYTES));
        }
        if (value.indexOf('\n') >= 0 || value.indexOf('\r') >= 0) {
            throw new InvalidInputException(
                    "a string with a line break for \"%s\"; leave it out".formatted(of.name()));
        }
        strings[property] = value;
    }

    /**
     * A string.
     *
     * @param property its index
     * @throws IllegalArgumentException if the property is of another type
     */
    public String string(int property) {
        if (properties.get(property).type() != PropertyType.STRING) {
            throw hasNo(property, "string");
        }
        return strings[property];
    }

    private IllegalArgumentException hasNo(int property, Object value) {
        Property of = properties.get(property);
        return new IllegalArgumentException(
                "%s is %s, which has no %s".formatted(of.name(), of.type(), value));
    }

    /**
     * The bits of an element: whole numbers as they are, floating point numbers raw, of strings 0.
     *
     * @param property its index
     * @param element index of the element
     */
    public long bits(int property, int element) {
        return bits[at(property, element)];
    }

    private int at(int property, int element) {
        return firstElements[property]
                + Objects.checkIndex(element, properties.get(property).length());
    }
}
