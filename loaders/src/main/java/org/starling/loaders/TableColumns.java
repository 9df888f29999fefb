package org.starling.loaders;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;

/**
 * What the columns of a table of edges are, in any order and with any names. Immutable.
 *
 * @param names of all columns, in the order of the fields
 * @param source field of the edge's source
 * @param target field of its target
 * @param weight field of its weight; -1 if there is none
 * @param properties fields of the properties, in the order of {@code columns}
 * @param optional of each property, whether an empty field stands for 0, false or an empty text
 * @param columns the properties
 */
record TableColumns(
        List<String> names,
        int source,
        int target,
        int weight,
        List<Integer> properties,
        List<Boolean> optional,
        PropertyColumns columns) {
    /** Parameter: the name of the column of sources. */
    static final String SOURCE = "source";

    /** Parameter: the name of the column of targets. */
    static final String TARGET = "target";

    /** Parameter: types, as texts {@code name:type}. */
    static final String COLUMNS = "columns";

    private static final String USUAL_WEIGHT = "weight";

    /** Lines that types are guessed from. */
    private static final int SAMPLE_LINES = 10_000;

    /** Bytes of these at most. */
    private static final long SAMPLE_BYTES = 4 << 20;

    private static final Pattern TYPE =
            Pattern.compile("(boolean|int|long|float|double|string)(?:\\[(\\d{1,6})\\])?(\\?)?");

    /** A type as people write it, with {@code ?} behind it where fields may be empty. */
    private record Declared(PropertyType type, int length, boolean optional) {}

    /**
     * The columns of a header.
     *
     * @param fields of the header
     * @param header where it begins
     * @throws InvalidInputException if sources or targets are missing, or a type is none
     */
    static TableColumns of(
            TextFile text,
            Separator separator,
            List<String> fields,
            long header,
            Parameters parameters)
            throws IOException {
        String where = text.where(header);
        Map<String, @Nullable String> types = new LinkedHashMap<>();
        for (String field : fields) {
            int colon = field.lastIndexOf(':');
            boolean typed = colon > 0 && TYPE.matcher(field.substring(colon + 1).strip()).matches();
            String name = (typed ? field.substring(0, colon) : field).strip();
            if (types.containsKey(name)) {
                throw new InvalidInputException(
                        "%s: there are two columns %s (rename one)"
                                .formatted(where, Quote.of(name)));
            }
            types.put(name, typed ? field.substring(colon + 1).strip() : null);
        }
        List<String> names = List.copyOf(types.keySet());
        int source = index(where, names, parameters.text(SOURCE, SOURCE), SOURCE);
        int target = index(where, names, parameters.text(TARGET, TARGET), TARGET);
        declare(where, types, parameters);
        Guesses guesses = new Guesses(text, separator, names.size(), header);
        int weight = weight(where, names, types, parameters, guesses);
        List<Property> properties = new ArrayList<>();
        List<Integer> at = new ArrayList<>();
        List<Boolean> optional = new ArrayList<>();
        for (int field = 0; field < names.size(); field++) {
            String name = names.get(field);
            String type = types.get(name);
            boolean taken = field == source || field == target || field == weight;
            if (taken || SourceOptions.NONE.equals(type)) {
                continue;
            }
            Declared declared = type == null ? guesses.of(field) : declared(where, name, type);
            properties.add(property(where, name, declared));
            at.add(field);
            optional.add(declared.optional || declared.type == PropertyType.STRING);
        }
        return new TableColumns(
                names,
                source,
                target,
                weight,
                List.copyOf(at),
                List.copyOf(optional),
                new PropertyColumns(List.copyOf(properties), -1));
    }

    private static Property property(String where, String name, Declared declared) {
        try {
            return new Property(name, declared.type, declared.length);
        } catch (InvalidInputException wrong) {
            throw new InvalidInputException(where + ": " + wrong.getMessage(), wrong);
        }
    }

    private static int index(String where, List<String> names, String name, String parameter) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new InvalidInputException(
                    "%s: there is no column %s in the header, which has %s (say which it is: \"%s\": \"%s\")"
                            .formatted(
                                    where,
                                    Quote.of(name),
                                    String.join(", ", names),
                                    parameter,
                                    names.getFirst()));
        }
        return index;
    }

    private static void declare(
            String where, Map<String, @Nullable String> types, Parameters parameters) {
        if (!parameters.has(COLUMNS)) {
            return;
        }
        for (String column : parameters.texts(COLUMNS)) {
            int colon = column.lastIndexOf(':');
            String name = column.substring(0, colon);
            if (!types.containsKey(name)) {
                throw new InvalidInputException(
                        "%s: \"columns\" names %s, which is not in the header (it has %s)"
                                .formatted(
                                        where, Quote.of(name), String.join(", ", types.keySet())));
            }
            types.put(name, column.substring(colon + 1));
        }
    }

    private static Declared declared(String where, String name, String type) {
        Matcher parts = TYPE.matcher(type);
        if (!parts.matches()) {
            throw new InvalidInputException(
                    "%s: column %s has the type %s, which is none (types are boolean, int, long, float, double, string, with [n] behind one for vectors, with ? where fields may be empty, and none to leave the column out)"
                            .formatted(where, Quote.of(name), Quote.of(type)));
        }
        return new Declared(
                PropertyType.valueOf(parts.group(1).toUpperCase(Locale.ROOT)),
                parts.group(2) == null ? 1 : Integer.parseInt(parts.group(2)),
                parts.group(3) != null);
    }

    private static int weight(
            String where,
            List<String> names,
            Map<String, @Nullable String> types,
            Parameters parameters,
            Guesses guesses)
            throws IOException {
        if (SourceOptions.leavesOutWeights(parameters)) {
            return -1;
        }
        if (parameters.has(SourceOptions.WEIGHT)) {
            return index(where, names, parameters.text(SourceOptions.WEIGHT), SourceOptions.WEIGHT);
        }
        int usual = names.indexOf(USUAL_WEIGHT);
        if (usual < 0) {
            return -1;
        }
        String type = types.get(USUAL_WEIGHT);
        Declared declared =
                type == null || type.equals(SourceOptions.NONE)
                        ? guesses.of(usual)
                        : declared(where, USUAL_WEIGHT, type);
        boolean isNumber = ElementFile.Types.isNumber(declared.type) && declared.length == 1;
        return isNumber && !SourceOptions.NONE.equals(type) ? usual : -1;
    }

    /** Types of columns from the first lines below the header; read when first needed. */
    private static final class Guesses {
        private final Kept<List<TypeGuess>> guesses;

        Guesses(TextFile text, Separator separator, int columns, long header) {
            this.guesses = new Kept<>(() -> guesses(text, separator, columns, header));
        }

        Declared of(int field) throws IOException {
            TypeGuess guess = guesses.get().get(field);
            return new Declared(guess.type(), 1, guess.hasEmpties());
        }
    }

    /** What the first lines below a header say of each column. */
    static List<TypeGuess> guesses(TextFile text, Separator separator, int columns, long header)
            throws IOException {
        List<TypeGuess> guesses = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            guesses.add(new TypeGuess());
        }
        FieldReader fields = new FieldReader(separator);
        int[] lines = {0};
        try (ByteCursor cursor = text.cursorAt(header)) {
            cursor.skipLine();
            DataLines.read(
                    cursor,
                    header + SAMPLE_BYTES,
                    () -> {
                        List<String> line =
                                lines[0]++ < SAMPLE_LINES ? fields.readLine(cursor) : null;
                        for (int i = 0; line != null && i < Math.min(columns, line.size()); i++) {
                            guesses.get(i).look(line.get(i).strip());
                        }
                        cursor.skipLine();
                    });
        }
        return guesses;
    }

    /** Names that may stand for a header's first column, so that it is known for one. */
    static boolean isHeader(List<String> fields, Parameters parameters) {
        Set<String> names = Set.copyOf(fields.stream().map(TableColumns::bare).distinct().toList());
        return names.contains(parameters.text(SOURCE, SOURCE))
                && names.contains(parameters.text(TARGET, TARGET));
    }

    private static String bare(String field) {
        int colon = field.lastIndexOf(':');
        return (colon > 0 ? field.substring(0, colon) : field).strip();
    }
}
