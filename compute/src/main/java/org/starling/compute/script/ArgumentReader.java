package org.starling.compute.script;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.starling.compute.inputs.OtherInputs;
import org.starling.compute.internal.filter.Filter;
import org.starling.compute.objects.ObjectName;
import org.starling.compute.script.ScriptScope.Presence;
import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;

/**
 * Turns the JSON value of an argument into what {@link org.starling.graph.Parameters} carry, or
 * throws {@link InvalidInputException} with what is wrong. Changes the scope as the task would:
 * graphs appear and disappear, files are written. Confined to the thread that checks.
 */
final class ArgumentReader {
    private static final BigInteger MAX_UNSIGNED =
            BigInteger.TWO.pow(Long.SIZE).subtract(BigInteger.ONE);

    private final ScriptFiles files;
    private final TaskCatalog.JarNames jars;

    ArgumentReader(ScriptFiles files, TaskCatalog.JarNames jars) {
        this.files = files;
        this.jars = jars;
    }

    /** The value as parameters carry it. */
    Object read(Argument argument, @Nullable Object value, ScriptScope scope) {
        return switch (argument.type()) {
            case TEXT -> text(value, "a text");
            case TEXT_LIST -> list(value, "texts", element -> text(element, "a text"));
            case INTEGER -> integer(value);
            case ID -> id(value);
            case ID_LIST, UNSIGNED_LIST -> unsignedList(value);
            case NUMBER -> number(value);
            case FLAG -> flag(value);
            case CHOICE -> choice(argument.choices(), value);
            case GRAPH -> graph(value, scope);
            case GRAPH_LIST -> list(value, "names of graphs", element -> graph(element, scope));
            case NEW_GRAPH -> newGraph(value, scope);
            case DROPPED_GRAPH -> droppedGraph(value, scope);
            case INPUT_FILE -> inputFile(value, scope);
            case INPUT_FILE_LIST -> list(value, "file names", element -> inputFile(element, scope));
            case INPUT_FILES ->
                    value instanceof String
                            ? List.of(inputFiles(value, scope))
                            : list(
                                    value,
                                    "file names, or one of them",
                                    element -> inputFiles(element, scope));
            case COLUMN_TYPES -> columnTypes(value);
            case OUTPUT_FILE -> outputFile(value, scope);
            case CONDITION -> condition(value);
            case EDGE_SOURCE -> ofJars("an edge source", value, jars.edgeSources());
            case PROGRAM -> ofJars("a program", value, jars.programs());
            case PARAMETERS -> parameters(value);
        };
    }

    private static String text(@Nullable Object value, String expected) {
        if (value instanceof String text) {
            return text;
        }
        throw wrongType(expected, value);
    }

    /** Whether the columns exist is asked when the graph is there. */
    private static String condition(@Nullable Object value) {
        return Filter.parse(text(value, "a condition as a text")).toString();
    }

    private static Long integer(@Nullable Object value) {
        return switch (value) {
            case Long integer -> integer;
            case BigInteger large ->
                    throw new InvalidInputException(large + " does not fit into 64 bits");
            case null, default -> throw wrongType("a whole number", value);
        };
    }

    private static Double number(@Nullable Object value) {
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw wrongType("a number", value);
    }

    private static Boolean flag(@Nullable Object value) {
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrongType("true or false", value);
    }

    private static String choice(List<String> choices, @Nullable Object value) {
        String text = text(value, "one of " + String.join(", ", choices));
        if (!choices.contains(text)) {
            throw new InvalidInputException(
                    "expected one of %s, found %s%s"
                            .formatted(
                                    String.join(", ", choices),
                                    Found.of(text),
                                    NearestName.guess(text, choices)));
        }
        return text;
    }

    private static List<Long> unsignedList(@Nullable Object value) {
        List<Long> integers = new ArrayList<>();
        for (Object element : elements(value, "whole numbers")) {
            integers.add(unsigned(element, integers.size()));
        }
        return integers;
    }

    private static List<String> list(
            @Nullable Object value, String expected, Function<@Nullable Object, String> read) {
        List<String> texts = new ArrayList<>();
        for (Object element : elements(value, expected)) {
            texts.add(read.apply(element));
        }
        return texts;
    }

    private static List<?> elements(@Nullable Object value, String expected) {
        if (!(value instanceof List<?> list)) {
            throw wrongType("a list of " + expected, value);
        }
        if (list.size() > ScriptBounds.MAX_LIST_ELEMENTS) {
            throw new InvalidInputException(
                    "more than " + ScriptBounds.MAX_LIST_ELEMENTS + " elements");
        }
        return list;
    }

    /** An id that is a number. */
    static Long id(@Nullable Object value) {
        return unsigned(value)
                .orElseThrow(() ->
                        new InvalidInputException(
                                "expected an id, a whole number from 0 to 2^64 - 1, found "
                                        + Found.of(value)));
    }

    private static Long unsigned(@Nullable Object element, int index) {
        return unsigned(element)
                .orElseThrow(() ->
                        new InvalidInputException(
                                "expected whole numbers from 0 to 2^64 - 1, found %s at [%d]"
                                        .formatted(Found.of(element), index)));
    }

    private static Optional<Long> unsigned(@Nullable Object element) {
        Optional<BigInteger> whole =
                switch (element) {
                    case Long integer -> Optional.of(BigInteger.valueOf(integer));
                    case BigInteger large -> Optional.of(large);
                    case String text -> unsignedText(text);
                    case null, default -> Optional.empty();
                };
        return whole.filter(one -> one.signum() >= 0 && one.compareTo(MAX_UNSIGNED) <= 0)
                .map(BigInteger::longValue);
    }

    private static Optional<BigInteger> unsignedText(String text) {
        boolean hexadecimal = text.startsWith("0x") || text.startsWith("0X");
        String digits = hexadecimal ? text.substring(2) : text;
        Predicate<Integer> isDigit = c -> Character.digit(c, hexadecimal ? 16 : 10) >= 0 && c < 128;
        if (digits.isEmpty()
                || digits.length() > ScriptBounds.MAX_QUOTED_CHARACTERS
                || !digits.chars().boxed().allMatch(isDigit)) {
            return Optional.empty();
        }
        return Optional.of(new BigInteger(digits, hexadecimal ? 16 : 10));
    }

    private static String graph(@Nullable Object value, ScriptScope scope) {
        String name = graphName(value);
        switch (scope.graph(name)) {
            case PRESENT, EXCUSED -> scope.use(name);
            case UNSURE ->
                    throw new InvalidInputException(
                            "graph \"%s\" may be missing here: it depends on an earlier \"if\", \"while\", \"forEach\" or \"onFailure\""
                                    .formatted(name));
            case DROPPED ->
                    throw new InvalidInputException(
                            "graph \"%s\" was dropped by an earlier task%s"
                                    .formatted(name, NearestName.hint(name, scope.usableGraphs())));
            case ABSENT ->
                    throw new InvalidInputException(
                            "no earlier task makes a graph \"%s\"%s"
                                    .formatted(name, NearestName.hint(name, scope.usableGraphs())));
        }
        return name;
    }

    private static String newGraph(@Nullable Object value, ScriptScope scope) {
        String name = graphName(value);
        Presence before = scope.graph(name);
        scope.setGraph(name, Presence.PRESENT);
        if (before == Presence.PRESENT) {
            throw new InvalidInputException(
                    "graph \"" + name + "\" already exists; drop it before or take another name");
        }
        if (before == Presence.UNSURE) {
            throw new InvalidInputException(
                    "graph \"%s\" may already exist: it depends on an earlier \"if\", \"while\", \"forEach\" or \"onFailure\""
                            .formatted(name));
        }
        return name;
    }

    private static String droppedGraph(@Nullable Object value, ScriptScope scope) {
        String name = graph(value, scope);
        scope.setGraph(name, Presence.DROPPED);
        return name;
    }

    private static String graphName(@Nullable Object value) {
        String name = text(value, "the name of a graph");
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > ScriptBounds.MAX_NAME_BYTES) {
            throw new InvalidInputException(
                    "a graph's name has 1 to %s bytes, not %s"
                            .formatted(ScriptBounds.MAX_NAME_BYTES, bytes));
        }
        return name;
    }

    private String inputFile(@Nullable Object value, ScriptScope scope) {
        String name = text(value, "a file's name");
        if (OtherInputs.isName(name)) {
            checkOther(name, scope);
        } else if (!isWritten(name, scope)) {
            scope.addRead(files.input(name));
        }
        return name;
    }

    private String inputFiles(@Nullable Object value, ScriptScope scope) {
        String name = text(value, "a file's name");
        if (OtherInputs.isName(name)) {
            checkOther(name, scope);
        } else if (!isWritten(name, scope)) {
            files.inputs(name).forEach(scope::addRead);
        }
        return name;
    }

    private void checkOther(String name, ScriptScope scope) {
        files.others().check(name);
        if (ObjectName.isName(name)) {
            scope.addRead(ScriptFiles.standIn(ObjectName.parse(name)));
        }
    }

    private static List<String> columnTypes(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> types)) {
            throw wrongType("an object of columns and their types", value);
        }
        if (types.size() > ScriptBounds.MAX_LIST_ELEMENTS) {
            throw new InvalidInputException(
                    "more than " + ScriptBounds.MAX_LIST_ELEMENTS + " columns");
        }
        List<String> columns = new ArrayList<>();
        for (Map.Entry<?, ?> column : types.entrySet()) {
            String type = text(column.getValue(), "the type of a column as a text");
            columns.add(column.getKey() + ":" + type);
        }
        return columns;
    }

    private static String ofJars(String kind, @Nullable Object value, Set<String> names) {
        String name = text(value, "the name of " + kind);
        if (!names.contains(name)) {
            throw new InvalidInputException(
                    names.isEmpty()
                            ? "no jar of this job brings %s; give one that does by --jar"
                                    .formatted(kind)
                            : "no jar of this job brings %s %s, but %s%s"
                                    .formatted(
                                            kind,
                                            Found.of(name),
                                            String.join(", ", new TreeSet<>(names)),
                                            NearestName.hint(name, names)));
        }
        return name;
    }

    /** Names and values in turns. */
    private static List<Object> parameters(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> members)) {
            throw wrongType("an object of named values", value);
        }
        if (members.size() > ScriptBounds.MAX_LIST_ELEMENTS) {
            throw new InvalidInputException(
                    "more than " + ScriptBounds.MAX_LIST_ELEMENTS + " values");
        }
        List<Object> turns = new ArrayList<>();
        members.forEach((name, member) -> {
            turns.add(String.valueOf(name));
            turns.add(
                    member instanceof List<?>
                            ? elements(member, "values").stream()
                                    .map(element -> single(name, element))
                                    .toList()
                            : single(name, member));
        });
        return turns;
    }

    private static Object single(@Nullable Object name, @Nullable Object value) {
        return switch (value) {
            case String text -> text;
            case Boolean flag -> flag;
            case Long integer -> integer;
            case Double number -> number;
            case null, default ->
                    throw new InvalidInputException(
                            "\"%s\" must be a text, a number of 64 bits, true or false, or a list of these; found %s"
                                    .formatted(name, Found.of(value)));
        };
    }

    private boolean isWritten(String name, ScriptScope scope) {
        try {
            return scope.isWritten(files.output(name));
        } catch (InvalidInputException notWritable) {
            return false;
        }
    }

    private String outputFile(@Nullable Object value, ScriptScope scope) {
        String name = text(value, "a file's name");
        Path file = files.output(name);
        scope.addWritten(file);
        return name;
    }

    private static InvalidInputException wrongType(String expected, @Nullable Object value) {
        return new InvalidInputException("expected " + expected + ", found " + Found.of(value));
    }
}
