package org.starling.loaders;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.starling.graph.PropertyType;

/** A file of vertices and edges with attributes, which is read from its beginning to its end. */
interface ElementFile {
    /**
     * Reads it all.
     *
     * @return what it says of the whole
     */
    Said walk(Elements to) throws IOException;

    /** File and place of the element that is being given, for people. */
    String place() throws IOException;

    /**
     * What a file says of the whole.
     *
     * @param directed whether edges have directions, if they don't say so themselves
     * @param nodes types of the attributes of vertices, in the order in which they are named
     * @param edges types of the attributes of edges
     */
    record Said(boolean directed, Types nodes, Types edges) {}

    /** Types of attributes. Confined to one thread. */
    final class Types {
        private final Map<String, PropertyType> types = new LinkedHashMap<>();
        private final Set<String> left = new HashSet<>();

        /** Most attributes that vertices, or edges, may have. */
        static final int MAX_ATTRIBUTES = 1000;

        /** Notes a type; one that holds the values of both if there is another one. */
        void note(String name, PropertyType type) {
            types.merge(name, type, Types::holdingBoth);
        }

        /** Leaves out an attribute that has more than one value somewhere. */
        void remove(String name) {
            types.remove(name);
            left.add(name);
        }

        /** Whether an attribute was left out. */
        boolean isLeftOut(String name) {
            return left.contains(name);
        }

        Map<String, PropertyType> all() {
            return types;
        }

        static PropertyType holdingBoth(PropertyType one, PropertyType other) {
            if (one == other) {
                return one;
            }
            boolean numbers = isNumber(one) && isNumber(other);
            if (!numbers) {
                return PropertyType.STRING;
            }
            return isWhole(one) && isWhole(other) ? PropertyType.LONG : PropertyType.DOUBLE;
        }

        static boolean isNumber(PropertyType type) {
            return type != PropertyType.STRING && type != PropertyType.BOOLEAN;
        }

        private static boolean isWhole(PropertyType type) {
            return type == PropertyType.INT || type == PropertyType.LONG;
        }
    }
}
