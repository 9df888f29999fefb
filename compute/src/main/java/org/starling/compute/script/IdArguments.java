package org.starling.compute.script;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Argument;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.TaskSignature;

/**
 * Original ids among a task's arguments. Whether a text is one of a graph whose ids are texts, or a
 * number in quotation marks, shows when the graph is there; until then parameters carry it as it
 * was written. Tasks get numbers. Stateless.
 */
final class IdArguments {
    /** Of {@code graph.load}: how ids are read. */
    private static final String IDS = "ids";

    private static final String TEXT = "text";

    private IdArguments() {}

    /** A task that makes a graph has been read: notes whether its ids may be texts. */
    static void note(TaskSignature signature, Parameters values, ScriptScope scope) {
        String graph = graph(signature, values.asMap());
        boolean texts =
                TEXT.equals(values.asMap().get(IDS))
                        || (graph != null && scope.mayHaveTexts(graph));
        for (Argument argument : signature.arguments()) {
            if (texts
                    && argument.type() == Argument.Type.NEW_GRAPH
                    && values.has(argument.name())) {
                scope.addTexts(values.text(argument.name()));
            }
        }
    }

    /** Whether a value of an argument may be, or have in it, an id that is a text. */
    static boolean mayBeText(
            TaskSignature signature,
            Argument argument,
            @Nullable Object value,
            Map<String, Object> before,
            ScriptScope scope) {
        String graph = graph(signature, before);
        return isAsWritten(argument, value) && graph != null && scope.mayHaveTexts(graph);
    }

    /** Whether a value is an id that may be a text, or a list of ids some of which may be. */
    static boolean isAsWritten(Argument argument, @Nullable Object value) {
        return switch (argument.type()) {
            case ID -> value instanceof String;
            case ID_LIST ->
                    value instanceof List<?> list
                            && list.size() <= ScriptBounds.MAX_LIST_ELEMENTS
                            && list.stream()
                                    .allMatch(one -> one instanceof String || one instanceof Long)
                            && list.stream().anyMatch(String.class::isInstance);
            default -> false;
        };
    }

    /** The same arguments with a number instead of each text, for who only checks or plans. */
    static Parameters withoutTexts(TaskSignature signature, Parameters values) {
        Map<Object, Long> numbers = new HashMap<>();
        Parameters numbered = values;
        for (Argument argument : signature.arguments()) {
            Object value = values.asMap().get(argument.name());
            if (argument.type() == Argument.Type.ID && value != null) {
                numbered = numbered.with(argument.name(), number(value, numbers));
            } else if (argument.type() == Argument.Type.ID_LIST && value instanceof List<?> list) {
                numbered =
                        numbered.with(
                                argument.name(),
                                list.stream().map(one -> number(one, numbers)).toList());
            }
        }
        return numbered;
    }

    /** Another one for each text. */
    private static Long number(Object id, Map<Object, Long> numbers) {
        return id instanceof Long number
                ? number
                : numbers.computeIfAbsent(id, _ -> Long.MIN_VALUE + numbers.size());
    }

    /**
     * The arguments with ids as programs see them.
     *
     * @throws InvalidInputException if an id is of the wrong kind for the task's graph, or the
     *     graph lacks the vertex
     */
    static Parameters resolve(
            TaskSignature signature, Parameters values, Supplier<GraphSession> session) {
        Parameters resolved = values;
        for (Argument argument : signature.arguments()) {
            String name = argument.name();
            Object value = values.asMap().get(name);
            if (value == null) {
                continue;
            }
            if (argument.type() == Argument.Type.ID) {
                resolved =
                        resolved.with(
                                name,
                                numbers(signature, values, name, List.of(value), session.get())
                                        .getFirst());
            } else if (argument.type() == Argument.Type.ID_LIST && value instanceof List<?> list) {
                resolved =
                        resolved.with(name, numbers(signature, values, name, list, session.get()));
            }
        }
        return resolved;
    }

    private static List<Long> numbers(
            TaskSignature signature,
            Parameters values,
            String name,
            List<?> ids,
            GraphSession session) {
        String graph = graph(signature, values.asMap());
        try {
            if (graph == null || !session.info(graph).textIds()) {
                return ids.stream().map(ArgumentReader::id).toList();
            }
            List<String> texts = new ArrayList<>();
            for (Object id : ids) {
                if (!(id instanceof String text)) {
                    throw new InvalidInputException(
                            "the ids of graph \"%s\" are texts; write the id in quotation marks, as \"%s\""
                                    .formatted(
                                            graph,
                                            id instanceof Long number
                                                    ? Long.toUnsignedString(number)
                                                    : id));
                }
                texts.add(text);
            }
            List<Long> numbers = new ArrayList<>();
            for (long number : session.numbers(graph, texts)) {
                numbers.add(number);
            }
            return numbers;
        } catch (InvalidInputException wrong) {
            throw new InvalidInputException(
                    "\"%s\": %s".formatted(name, wrong.getMessage()), wrong);
        }
    }

    /** The graph on which the task works; null if it is not said, or there is none. */
    private static @Nullable String graph(TaskSignature signature, Map<String, ?> values) {
        return signature.arguments().stream()
                .filter(argument -> argument.type() == Argument.Type.GRAPH)
                .findFirst()
                .map(argument -> values.get(argument.name()) instanceof String name ? name : null)
                .orElse(null);
    }
}
