package org.starling.graph;

import java.util.List;
import java.util.Optional;

/**
 * Type of what structures hold. Values are as good as their own copies: an array that was given
 * away must not be changed.
 *
 * @param <T> the type in Java
 */
public final class ElementType<T> {
    /** True or false. */
    public static final ElementType<Boolean> BOOLEAN = new ElementType<>("boolean", Boolean.class);

    /** Integers of 32 bits. */
    public static final ElementType<Integer> INT = new ElementType<>("int", Integer.class);

    /** Integers of 64 bits. */
    public static final ElementType<Long> LONG = new ElementType<>("long", Long.class);

    /** Floating point numbers of 32 bits. */
    public static final ElementType<Float> FLOAT = new ElementType<>("float", Float.class);

    /** Floating point numbers of 64 bits. */
    public static final ElementType<Double> DOUBLE = new ElementType<>("double", Double.class);

    /** Texts, stored as UTF-8. */
    public static final ElementType<String> TEXT = new ElementType<>("text", String.class);

    /** Anything else. */
    public static final ElementType<byte[]> BYTES = new ElementType<>("bytes", byte[].class);

    private static final List<ElementType<?>> ALL =
            List.of(BOOLEAN, INT, LONG, FLOAT, DOUBLE, TEXT, BYTES);

    private final String name;
    private final Class<T> type;

    private ElementType(String name, Class<T> type) {
        this.name = name;
        this.type = type;
    }

    /** The type of that name; empty if there is none. */
    public static Optional<ElementType<?>> named(String name) {
        return ALL.stream().filter(one -> one.name.equals(name)).findFirst();
    }

    /** Its name, as it is written with structures. */
    public String name() {
        return name;
    }

    /**
     * A value of it.
     *
     * @throws IllegalArgumentException if it is of another type
     */
    public T cast(Object value) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    "expected a value of type %s, found %s"
                            .formatted(name, value.getClass().getSimpleName()));
        }
        return type.cast(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
