package org.starling.loaders;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.loaders.table.ColumnFile;
import org.starling.loaders.table.TableColumn;

/**
 * What the columns of a file of tables are to a graph. Immutable.
 *
 * @param file the file
 * @param ends indexes of the columns of ids: source and target, or of vertices one
 * @param weight index of the column of weights; -1 if there is none
 * @param indexes of the properties' columns
 * @param properties the properties
 * @param optional of each property, whether a missing value stands for 0, false or an empty text
 */
record ColumnRoles(
        ColumnFile file,
        List<Integer> ends,
        int weight,
        List<Integer> indexes,
        List<Property> properties,
        List<Boolean> optional) {
    private static final String ID = "id";
    private static final String USUAL_WEIGHT = "weight";

    /** Columns that a sentence names. */
    private static final int SHOWN_NAMES = 20;

    /**
     * The columns of a file of edges.
     *
     * @param elsewhere names of columns that files of vertices have
     */
    static ColumnRoles ofEdges(ColumnFile file, Parameters parameters, Set<String> elsewhere) {
        Map<String, String> types = declared(parameters);
        types.keySet().stream()
                .filter(name -> !elsewhere.contains(name))
                .forEach(name -> index(file, name, ""));
        boolean textIds = SourceOptions.hasTextIds(parameters);
        List<Integer> ends =
                Stream.of(TableColumns.SOURCE, TableColumns.TARGET)
                        .map(end -> ids(file, parameters.text(end, end), textIds, end))
                        .toList();
        return of(file, ends, weight(file, types, parameters), types);
    }

    /** The columns of a file of vertices, which has a column {@code id}. */
    static ColumnRoles ofVertices(ColumnFile file, Parameters parameters) {
        boolean textIds = SourceOptions.hasTextIds(parameters);
        return of(file, List.of(ids(file, ID, textIds, "")), -1, declared(parameters));
    }

    private static ColumnRoles of(
            ColumnFile file, List<Integer> ends, int weight, Map<String, String> types) {
        List<Integer> indexes = new ArrayList<>();
        List<Property> properties = new ArrayList<>();
        List<Boolean> optional = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < file.columns().size(); i++) {
            ColumnFile.Column column = file.columns().get(i);
            String said = types.getOrDefault(column.name(), "");
            if (!names.add(column.name())) {
                throw bad(file, "there are two columns %s (rename one)", column.name());
            }
            if (ends.contains(i) || i == weight || said.equals(SourceOptions.NONE)) {
                continue;
            }
            PropertyType type = type(file, column);
            if (!said.isEmpty() && !said.equals(type.toString()) && !said.equals(type + "?")) {
                throw new InvalidInputException(
                        "%s: column %s holds %s, whatever \"columns\" says, which is %s (say %s? if values may be missing, none to leave it out, or nothing)"
                                .formatted(
                                        file.path(),
                                        Quote.of(column.name()),
                                        type,
                                        Quote.of(said),
                                        type));
            }
            indexes.add(i);
            properties.add(property(file, column.name(), type));
            optional.add(said.endsWith("?") || type == PropertyType.STRING);
        }
        return new ColumnRoles(
                file,
                ends,
                weight,
                List.copyOf(indexes),
                List.copyOf(properties),
                List.copyOf(optional));
    }

    private static Property property(ColumnFile file, String name, PropertyType type) {
        try {
            return Property.of(name, type);
        } catch (InvalidInputException wrong) {
            throw new InvalidInputException(file.path() + ": " + wrong.getMessage(), wrong);
        }
    }

    private static PropertyType type(ColumnFile file, ColumnFile.Column column) {
        TableColumn.Kind kind = column.kind();
        if (kind == null) {
            throw new InvalidInputException(
                    "%s: column %s is %s, which no property of a graph holds (leave it out: \"columns\": {%s: \"none\"})"
                            .formatted(
                                    file.path(),
                                    Quote.of(column.name()),
                                    column.type(),
                                    Quote.of(column.name())));
        }
        return switch (kind) {
            case BOOLEAN -> PropertyType.BOOLEAN;
            case INT -> PropertyType.INT;
            case LONG, ID -> PropertyType.LONG;
            case FLOAT -> PropertyType.FLOAT;
            case DOUBLE -> PropertyType.DOUBLE;
            case STRING -> PropertyType.STRING;
        };
    }

    private static Map<String, String> declared(Parameters parameters) {
        Map<String, String> types = new LinkedHashMap<>();
        if (parameters.has(TableColumns.COLUMNS)) {
            for (String column : parameters.texts(TableColumns.COLUMNS)) {
                int colon = column.lastIndexOf(':');
                types.put(column.substring(0, colon), column.substring(colon + 1));
            }
        }
        return types;
    }

    private static int index(ColumnFile file, String name, String parameter) {
        List<String> names = file.columns().stream().map(ColumnFile.Column::name).toList();
        int index = names.indexOf(name);
        if (index < 0) {
            throw new InvalidInputException(
                    "%s: there is no column %s, only %s%s"
                            .formatted(
                                    file.path(),
                                    Quote.of(name),
                                    shown(names),
                                    parameter.isEmpty()
                                            ? ""
                                            : " (say which it is: \"%s\": %s)"
                                                    .formatted(
                                                            parameter,
                                                            Quote.of(names.getFirst()))));
        }
        return index;
    }

    private static String shown(List<String> names) {
        return names.stream().limit(SHOWN_NAMES).map(Quote::bare).collect(Collectors.joining(", "))
                + (names.size() > SHOWN_NAMES ? ", …" : "");
    }

    private static int ids(ColumnFile file, String name, boolean textIds, String parameter) {
        int index = index(file, name, parameter);
        ColumnFile.Column column = file.columns().get(index);
        TableColumn.Kind kind = column.kind();
        boolean isWhole =
                kind == TableColumn.Kind.INT
                        || kind == TableColumn.Kind.LONG
                        || kind == TableColumn.Kind.ID;
        if (!isWhole && !(textIds && kind == TableColumn.Kind.STRING)) {
            throw new InvalidInputException(
                    "%s: column %s is %s, and ids of vertices are %s%s"
                            .formatted(
                                    file.path(),
                                    Quote.of(name),
                                    column.type(),
                                    textIds ? "texts or whole numbers here" : "whole numbers",
                                    kind == TableColumn.Kind.STRING
                                            ? " (say \"ids\": \"text\" if they are texts)"
                                            : " (take another column, or convert it)"));
        }
        return index;
    }

    private static int weight(ColumnFile file, Map<String, String> types, Parameters parameters) {
        if (SourceOptions.leavesOutWeights(parameters)) {
            return -1;
        }
        boolean said = parameters.has(SourceOptions.WEIGHT);
        String name = said ? parameters.text(SourceOptions.WEIGHT) : USUAL_WEIGHT;
        List<String> names = file.columns().stream().map(ColumnFile.Column::name).toList();
        if (!said
                && (!names.contains(name)
                        || SourceOptions.NONE.equals(types.getOrDefault(name, "")))) {
            return -1;
        }
        int index = index(file, name, SourceOptions.WEIGHT);
        TableColumn.Kind kind = file.columns().get(index).kind();
        boolean isNumber =
                kind != null && kind != TableColumn.Kind.BOOLEAN && kind != TableColumn.Kind.STRING;
        if (said && !isNumber) {
            throw bad(file, "column %s has no numbers, as weights are (take another one)", name);
        }
        return isNumber ? index : -1;
    }

    private static InvalidInputException bad(ColumnFile file, String wrong, String name) {
        return new InvalidInputException(file.path() + ": " + wrong.formatted(Quote.of(name)));
    }

    /** Columns to read: ends, then the weight if there is one, then the properties. */
    List<Integer> wanted() {
        List<Integer> wanted = new ArrayList<>(ends);
        if (weight >= 0) {
            wanted.add(weight);
        }
        wanted.addAll(indexes);
        return wanted;
    }

    /** Where the first property stands among the columns that are read. */
    int firstProperty() {
        return ends.size() + (weight >= 0 ? 1 : 0);
    }

    /** Whether ids in a column of ends are texts in the file. */
    boolean isText(int end) {
        return Objects.requireNonNull(file.columns().get(ends.get(end)).kind(), "a kind")
                == TableColumn.Kind.STRING;
    }
}
