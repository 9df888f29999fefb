package org.starling.compute.internal.build;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Property;
import org.starling.graph.PropertyValues;
import org.starling.net.NativeMemory;

/**
 * Where values of the properties of one vertex, or one edge, lie behind one another while a graph
 * is made: property by property, each as wide as in its column. Immutable.
 */
final class PropertyLayout {
    /** The most that the values of one vertex or edge may take: they travel in one piece. */
    static final int MAX_BYTES = 8 << 10;

    private final List<Property> properties;
    private final List<StateType> types = new ArrayList<>();
    private final int[] offsets;

    /** Offsets of codes of strings. */
    private final int[] strings;

    /**
     * A layout of properties.
     *
     * @throws InvalidInputException if they take too much, or two have one name
     */
    PropertyLayout(List<Property> properties) {
        this.properties = properties;
        this.offsets = new int[properties.size() + 1];
        for (int i = 0; i < properties.size(); i++) {
            StateType type = StoredProperty.type(properties.get(i));
            types.add(type);
            offsets[i + 1] = offsets[i] + type.width();
            checkName(i);
            if (offsets[i + 1] > MAX_BYTES) {
                throw new InvalidInputException(
                        "properties up to \"%s\" take %d bytes together; %d are possible"
                                .formatted(properties.get(i).name(), offsets[i + 1], MAX_BYTES));
            }
        }
        this.strings = offsetsOfStrings();
    }

    private int[] offsetsOfStrings() {
        return IntStream.range(0, types.size())
                .filter(this::isString)
                .map(property -> offsets[property])
                .toArray();
    }

    private void checkName(int index) {
        String name = properties.get(index).name();
        if (properties.subList(0, index).stream().anyMatch(one -> one.name().equals(name))) {
            throw new InvalidInputException(
                    "there are two columns \"%s\"; rename one".formatted(name));
        }
    }

    /** Number of properties. */
    int count() {
        return properties.size();
    }

    /** Bytes of the values of one vertex or edge. */
    int bytes() {
        return offsets[properties.size()];
    }

    /** Where values of a property begin. */
    int offset(int property) {
        return offsets[property];
    }

    /** How values of a property are stored. */
    StateType type(int property) {
        return types.get(property);
    }

    /** The properties as they stand in a graph. */
    List<StoredProperty> stored(boolean ofEdges) {
        return properties.stream().map(one -> StoredProperty.of(one, ofEdges)).toList();
    }

    /** Whether a property is a string: what lies here is its code. */
    boolean isString(int property) {
        return types.get(property).element() == ColumnType.STRING;
    }

    /** Whether any property is. */
    boolean hasStrings() {
        return strings.length > 0;
    }

    /** Where codes of strings begin. */
    int[] stringOffsets() {
        return strings;
    }

    /**
     * Writes values.
     *
     * @param strings gets those that are, and says their codes
     */
    void write(long at, PropertyValues values, StringDictionary strings) {
        for (int property = 0; property < types.size(); property++) {
            StateType type = types.get(property);
            long to = at + offsets[property];
            if (isString(property)) {
                NativeMemory.putInt(to, strings.code(values.string(property)));
                continue;
            }
            for (int element = 0; element < type.length(); element++) {
                type.element().write(to, values.bits(property, element));
                to += type.element().width();
            }
        }
    }

    /** Writes 0, false and the code of the empty string, 0, for all. */
    void clear(long at) {
        NativeMemory.fill(at, bytes(), (byte) 0);
    }

    /**
     * Compares two edges' values, property by property: of duplicates the least one stays. Codes of
     * strings must be in the order of these.
     */
    int compare(long left, long right) {
        for (int property = 0; property < types.size(); property++) {
            StateType type = types.get(property);
            for (int element = 0; element < type.length(); element++) {
                int at = offsets[property] + element * type.element().width();
                int order = compare(type.element(), left + at, right + at);
                if (order != 0) {
                    return order;
                }
            }
        }
        return 0;
    }

    private static int compare(ColumnType type, long left, long right) {
        long one = type.read(left);
        long other = type.read(right);
        return switch (type) {
            case BOOLEAN, INT, LONG, VERTEX, ID, STRING -> Long.compare(one, other);
            case FLOAT, DOUBLE -> Double.compare(type.asDouble(one), type.asDouble(other));
        };
    }
}
