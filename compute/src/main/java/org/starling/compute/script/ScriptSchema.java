package org.starling.compute.script;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Argument;
import org.starling.graph.TaskSignature;

/**
 * The language of scripts as a JSON Schema (draft 2020-12), so that editors complete names of tasks
 * and arguments. It knows shapes and types; what hangs together (which graph exists where) only the
 * check of a script knows.
 */
public final class ScriptSchema {
    /** The draft that the schema is written in. */
    public static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";

    private static final String NAME = "^[A-Za-z_][A-Za-z0-9_-]*$";

    /** A text that is nothing but a place of a parameter, variable or result. */
    private static final Map<String, Object> PLACE =
            object(
                    "type", "string",
                    "pattern", "^\\$\\{[^}]+\\}$",
                    "description",
                            "a parameter, variable or earlier result: ${name}, ${search.top[0][0]}");

    private ScriptSchema() {}

    /** The schema as a JSON tree. */
    public static Map<String, @Nullable Object> of(Collection<TaskSignature> tasks) {
        Map<String, Object> definitions = new LinkedHashMap<>();
        List<Object> steps = new ArrayList<>();
        for (TaskSignature task : tasks) {
            definitions.put(task.name(), task(task));
            steps.add(reference(task.name()));
        }
        definitions.put("named", namedTask());
        steps.add(reference("named"));
        blocks().forEach((name, block) -> {
            definitions.put(name, block);
            steps.add(reference(name));
        });
        definitions.put(
                "step",
                object(
                        "type", "object",
                        "description", "a task, or a block of tasks",
                        "anyOf", steps));
        definitions.put(
                "steps",
                object(
                        "type", "array",
                        "description", "tasks and blocks, run one after another",
                        "items", reference("step")));
        definitions.put("onFailure", onFailure());

        Map<String, Object> members = new LinkedHashMap<>();
        members.put("$schema", described(object("type", "string"), "where this schema lies"));
        members.put("name", described(object("type", "string"), "what reports call the script"));
        members.put("parameters", parameters());
        members.put(
                "explain",
                described(
                        object("type", "boolean"),
                        "whether the report tells what every program's run took"));
        members.put("tasks", reference("steps"));
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        schema.put("$schema", DRAFT);
        schema.put("title", "Starling script");
        schema.putAll(closed(members, "tasks"));
        schema.put("$defs", definitions);
        return schema;
    }

    private static Map<String, Object> task(TaskSignature task) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("task", described(object("const", task.name()), task.summary()));
        members.put("as", name("what later steps call its results: " + results(task)));
        List<String> required = new ArrayList<>(List.of("task"));
        for (Argument argument : task.arguments()) {
            members.put(argument.name(), argument(argument));
            if (argument.required()) {
                required.add(argument.name());
            }
        }
        members.put(StepOptions.ON_FAILURE, reference("onFailure"));
        members.put(
                StepOptions.TIME_LIMIT,
                orPlace(
                        described(
                                object("type", "string", "pattern", "^\\d{1,9}\\s*(ms|s|min|h)$"),
                                "how long the task may take, like 30 s or 5 min")));
        return described(closed(members, required.toArray(String[]::new)), task.summary());
    }

    /** A task that a parameter or variable names: its arguments can be any. */
    private static Map<String, Object> namedTask() {
        return object(
                "type", "object",
                "properties", object("task", PLACE),
                "required", List.of("task"));
    }

    private static String results(TaskSignature task) {
        return task.results().isEmpty()
                ? "it has none"
                : String.join(
                        ", ", task.results().stream().map(TaskSignature.Result::name).toList());
    }

    private static Map<String, Object> argument(Argument argument) {
        Map<String, Object> integerOrText = object("type", List.of("integer", "string"));
        Map<String, Object> text = object("type", "string");
        Map<String, Object> type =
                switch (argument.type()) {
                    case TEXT,
                            GRAPH,
                            NEW_GRAPH,
                            DROPPED_GRAPH,
                            INPUT_FILE,
                            OUTPUT_FILE,
                            CONDITION,
                            EDGE_SOURCE,
                            PROGRAM ->
                            text;
                    case INTEGER -> orPlace(object("type", "integer"));
                    case ID -> integerOrText;
                    case NUMBER -> orPlace(object("type", "number"));
                    case FLAG -> orPlace(object("type", "boolean"));
                    case CHOICE -> orPlace(object("enum", argument.choices()));
                    case ID_LIST, UNSIGNED_LIST ->
                            orPlace(object("type", "array", "items", integerOrText));
                    case INPUT_FILES ->
                            object("anyOf", List.of(text, object("type", "array", "items", text)));
                    case COLUMN_TYPES ->
                            orPlace(object("type", "object", "additionalProperties", text));
                    case PARAMETERS -> orPlace(object("type", "object"));
                    case TEXT_LIST, GRAPH_LIST, INPUT_FILE_LIST ->
                            orPlace(object("type", "array", "items", text));
                };
        Map<String, Object> described = described(type, argument.summary());
        Object otherwise = argument.otherwise();
        if (otherwise != null) {
            described.put("default", otherwise);
        }
        return described;
    }

    private static Map<String, Map<String, Object>> blocks() {
        Map<String, Object> steps = reference("steps");
        Map<String, Object> condition =
                described(
                        object("type", "string"),
                        "a condition like cc.components > 1 and not bfs.verified");
        Map<String, Map<String, Object>> blocks = new LinkedHashMap<>();
        blocks.put(
                "if", block(object("if", condition, "then", steps, "else", steps), "if", "then"));
        blocks.put(
                "repeat",
                block(
                        object("repeat", count(ScriptBounds.MAX_ROUNDS), "tasks", steps),
                        "repeat",
                        "tasks"));
        blocks.put(
                "while",
                block(
                        object(
                                "while",
                                condition,
                                StepOptions.AT_MOST,
                                count(ScriptBounds.MAX_ROUNDS),
                                "tasks",
                                steps),
                        "while",
                        StepOptions.AT_MOST,
                        "tasks"));
        blocks.put(
                "forEach",
                block(
                        object(
                                "forEach",
                                name("the variable"),
                                "in",
                                orPlace(object("type", "array")),
                                StepOptions.AT_MOST,
                                count(ScriptBounds.MAX_ROUNDS),
                                "tasks",
                                steps),
                        "forEach",
                        "in",
                        "tasks"));
        Map<String, Object> branches =
                object("type", "array", "items", steps, "maxItems", ScriptBounds.MAX_BRANCHES);
        blocks.put("parallel", block(object("parallel", branches), "parallel"));
        blocks.put(
                "include",
                block(
                        object(
                                "include",
                                        described(
                                                object("type", "string"),
                                                "the file of another script"),
                                "parameters", object("type", "object")),
                        "include"));
        blocks.put("block", block(object("tasks", steps), "tasks"));
        return blocks;
    }

    private static Map<String, Object> block(Map<String, Object> members, String... required) {
        Map<String, Object> all = new LinkedHashMap<>(members);
        all.put("as", name("what later steps call it"));
        all.put(StepOptions.ON_FAILURE, reference("onFailure"));
        return closed(all, required);
    }

    private static Map<String, Object> onFailure() {
        Map<String, Object> word = object("enum", List.of(StepOptions.FAIL, StepOptions.CONTINUE));
        Map<String, Object> retry =
                closed(
                        object(
                                StepOptions.RETRY,
                                count(ScriptBounds.MAX_RETRIES),
                                StepOptions.THEN,
                                word),
                        StepOptions.RETRY);
        return object(
                "description",
                "what is done when it fails: fail, continue, or {\"retry\": times}",
                "anyOf",
                List.of(word, retry, PLACE));
    }

    private static Map<String, Object> parameters() {
        List<String> plain = List.of("string", "number", "boolean");
        Map<String, Object> list = object("type", "array", "items", object("type", plain));
        return object(
                "type", "object",
                "description", "names and defaults; ${name} stands for the value",
                "additionalProperties", object("anyOf", List.of(object("type", plain), list)));
    }

    private static Map<String, Object> count(int most) {
        return orPlace(object("type", "integer", "minimum", 1, "maximum", most));
    }

    private static Map<String, Object> name(String meaning) {
        return orPlace(described(object("type", "string", "pattern", NAME), meaning));
    }

    private static Map<String, Object> orPlace(Map<String, Object> type) {
        return object("anyOf", List.of(type, PLACE));
    }

    private static Map<String, Object> reference(String definition) {
        return object("$ref", "#/$defs/" + definition);
    }

    private static Map<String, Object> described(Map<String, Object> type, String meaning) {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("description", meaning);
        described.putAll(type);
        return described;
    }

    private static Map<String, Object> closed(Map<String, Object> members, String... required) {
        return object(
                "type",
                "object",
                "properties",
                members,
                "required",
                List.of(required),
                "additionalProperties",
                false);
    }

    private static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            object.put(
                    namesAndValues[i].toString(),
                    value instanceof Integer number ? Long.valueOf(number) : value);
        }
        return object;
    }
}
