package org.starling.compute.internal.structure;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.starling.graph.ElementType;
import org.starling.graph.InvalidInputException;

/**
 * What a structure is: its kind and the types of what it holds, as they are written with it.
 *
 * @param kind what it is
 * @param names of a table's columns; {@code key} and {@code value} otherwise
 * @param types names of the types, one for each name
 */
public record StructureType(Kind kind, List<String> names, List<String> types) {
    /** Most columns of a table. */
    private static final int MAX_COLUMNS = 1000;

    /** What there is. */
    public enum Kind {
        /** Values by keys. */
        MAP,
        /** Values by places. */
        LIST,
        /** Rows by places. */
        TABLE,
        /** One value. */
        VALUE
    }

    /** Checks the columns. */
    public StructureType {
        names = List.copyOf(names);
        types = List.copyOf(types);
        if (names.size() != types.size() || names.isEmpty() || names.size() > MAX_COLUMNS) {
            throw new InvalidInputException(
                    "a table has 1 to %d columns, not %d".formatted(MAX_COLUMNS, names.size()));
        }
        if (names.stream().distinct().count() < names.size()) {
            throw new InvalidInputException("two columns of a table have the same name");
        }
        types.forEach(StructureType::element);
    }

    /** The types of its columns. */
    List<ElementType<?>> elements() {
        return types.stream().<ElementType<?>>map(StructureType::element).toList();
    }

    private static ElementType<?> element(String name) {
        return ElementType.named(name)
                .orElseThrow(() -> new IllegalArgumentException("no type " + name));
    }

    /** For people. */
    String text() {
        return switch (kind) {
            case MAP -> "a map of %s to %s".formatted(types.get(0), types.get(1));
            case LIST -> "a list of " + types.getFirst();
            case VALUE -> "a value of type " + types.getFirst();
            case TABLE ->
                    IntStream.range(0, names.size())
                            .mapToObj(i -> names.get(i) + " " + types.get(i))
                            .collect(Collectors.joining(", ", "a table of (", ")"));
        };
    }
}
