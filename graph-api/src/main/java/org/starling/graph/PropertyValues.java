package org.starling.graph;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Values of all properties of one vertex or edge, on their way from an {@link EdgeSource} into the
 * graph. Sources fill one again and again; what is not set since {@link #clear} is 0 or false.
 * Confined to one thread.
 */
public final class PropertyValues {
    private final List<Property> properties;
    private final int[] firstElements;
    private final long[] bits;

    /** Room for values of these properties. */
    public PropertyValues(List<Property> properties) {
        this.properties = List.copyOf(properties);
        this.firstElements = new int[properties.size() + 1];
        for (int i = 0; i < properties.size(); i++) {
            firstElements[i + 1] = firstElements[i] + properties.get(i).length();
        }
        this.bits = new long[firstElements[properties.size()]];
    }

    /** What there are values of. */
    public List<Property> properties() {
        return properties;
    }

    /** All values are 0 or false again. */
    public void clear() {
        Arrays.fill(bits, 0);
    }

    /**
     * Sets a whole number, or whether a boolean is true (everything but 0 is).
     *
     * @param property its index
     * @param element index of the element, 0 unless the property is a vector
     * @throws IllegalArgumentException if the number is too large for the property's type
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
                    case BOOLEAN, INT, LONG ->
                            throw new IllegalArgumentException(
                                    "%s is %s, which has no %s"
                                            .formatted(
                                                    properties.get(property).name(), type, value));
                };
    }

    /**
     * The bits of an element: whole numbers as they are, floating point numbers raw.
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
