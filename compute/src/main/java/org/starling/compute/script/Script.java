package org.starling.compute.script;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.starling.graph.Argument;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * A script that was read and checked whole, ready to run. Immutable.
 *
 * <p>Its JSON: {@code {"$schema"?, "name"?, "parameters"?: {name: default}, "explain"?: flag,
 * "tasks": [step…]}}, where a step is a task, {@code {"task": name, "as"?: name, "timeLimit"?:
 * duration, argument: value…}}, or a block: {@code {"if": condition, "then": [step…], "else"?:
 * [step…]}}, {@code {"repeat": rounds, "tasks": [step…]}}, {@code {"while": condition, "atMost":
 * rounds, "tasks": [step…]}}, {@code {"forEach": variable, "in": list, "atMost"?: elements,
 * "tasks": [step…]}}, {@code {"parallel": [[step…]…]}}, {@code {"include": file, "parameters"?:
 * {name: value}, "as"?: name}} or {@code {"tasks": [step…]}}. Every step may have {@code
 * "onFailure"}. Values may be places {@code ${name}} of parameters, variables and results.
 */
public final class Script {
    private static final List<String> MEMBERS =
            List.of("$schema", "name", "parameters", "explain", "tasks");

    private final String name;
    private final List<Step> steps;
    private final boolean explained;
    private final List<String> jars;

    private Script(String name, List<Step> steps, boolean explained, List<String> jars) {
        this.jars = jars;
        this.name = name;
        this.steps = List.copyOf(steps);
        this.explained = explained;
    }

    /**
     * Checks a script.
     *
     * @param label what error messages call it; also its name if it has none
     * @param parameters texts by name, instead of the script's defaults
     * @throws InvalidScriptException if anything is wrong with it
     */
    public static Script parse(
            String label,
            String text,
            ScriptFiles files,
            Map<String, String> parameters,
            TaskCatalog tasks) {
        return parse(
                label, text, files, parameters, tasks, Includes.ofFiles(), ExistingGraphs.NONE);
    }

    /**
     * Checks a script.
     *
     * @param includes texts of scripts that it includes
     * @param existing graphs that are there before its first task
     */
    static Script parse(
            String label,
            String text,
            ScriptFiles files,
            Map<String, String> parameters,
            TaskCatalog tasks,
            Includes includes,
            ExistingGraphs existing) {
        Problems problems = new Problems();
        Map<?, ?> members = members(label, text);
        problems.requireKnown("$", members.keySet(), MEMBERS, "name");
        String name = name(label, members, problems);
        if (members.containsKey("parameters") && members.get("parameters") == null) {
            problems.add("$.parameters", "expected an object of names and defaults, found null");
        }
        ScriptParameters values =
                ScriptParameters.read(members.get("parameters"), parameters, problems);
        boolean explained = flag("explain", members, problems);
        List<Step> steps = List.of();
        if (members.containsKey("tasks")) {
            Object filled = values.fill("$.tasks", members.get("tasks"), problems);
            CheckContext context =
                    new CheckContext(tasks, files, includes, List.of(), new CheckContext.Counts());
            steps =
                    new StepChecker(context, problems, new ResultNames(values))
                            .check(filled, existing);
        } else {
            problems.add("$", "a script needs \"tasks\" with a list of tasks");
        }
        if (!problems.isEmpty()) {
            throw new InvalidScriptException(label, problems.errors());
        }
        return new Script(name, steps, explained, tasks.jars());
    }

    /** Its name for people. */
    public String name() {
        return name;
    }

    /** Whether the report tells what each program's run took, superstep by superstep. */
    public boolean explained() {
        return explained;
    }

    /** The same script, with what its programs' runs took in the report. */
    public Script withExplanation() {
        return new Script(name, steps, true, jars);
    }

    /** Digests of the jars whose tasks it may name. */
    public List<String> jars() {
        return jars;
    }

    /** How many tasks will run at most. */
    public long taskRuns() {
        return Step.sum(steps);
    }

    /**
     * Files that its tasks can write, without links; those of branches that are not taken, too, but
     * not those that only the run names.
     */
    public Set<Path> outputs() {
        Set<Path> outputs = new TreeSet<>();
        addOutputs(steps, outputs);
        return outputs;
    }

    List<Step> steps() {
        return steps;
    }

    private static void addOutputs(List<Step> some, Set<Path> outputs) {
        for (Step step : some) {
            if (step instanceof Step.Call call) {
                addOutputs(call, outputs);
            }
            addOutputs(step.inside(), outputs);
        }
    }

    private static void addOutputs(Step.Call call, Set<Path> outputs) {
        for (Argument argument : call.task().signature().arguments()) {
            if (argument.type() == Argument.Type.OUTPUT_FILE
                    && call.arguments().has(argument.name())) {
                outputs.add(call.files().output(call.arguments().text(argument.name())));
            }
        }
    }

    private static Map<?, ?> members(String label, String text) {
        Object tree;
        try {
            tree = JsonText.parse(text);
        } catch (InvalidJsonException wrong) {
            throw new InvalidScriptException(
                    label, List.of(new ScriptError(wrong.place(), wrong.problem())));
        }
        if (tree instanceof Map<?, ?> members) {
            return members;
        }
        throw new InvalidScriptException(
                label,
                List.of(
                        new ScriptError(
                                "$",
                                "expected an object with \"tasks\", found " + Found.of(tree))));
    }

    private static String name(String label, Map<?, ?> members, Problems problems) {
        if (members.get("name") instanceof String text) {
            return text;
        }
        if (members.containsKey("name")) {
            problems.add("$.name", "expected a text, found " + Found.of(members.get("name")));
        }
        return label;
    }

    private static boolean flag(String name, Map<?, ?> members, Problems problems) {
        if (members.get(name) instanceof Boolean flag) {
            return flag;
        }
        if (members.containsKey(name)) {
            problems.add(
                    "$." + name, "expected true or false, found " + Found.of(members.get(name)));
        }
        return false;
    }

    static String text(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw new InvalidInputException("there is no script " + file);
            }
            if (Files.size(file) > ScriptBounds.MAX_SCRIPT_BYTES) {
                throw new InvalidInputException(
                        "%s is larger than %d bytes, too large for a script"
                                .formatted(file, ScriptBounds.MAX_SCRIPT_BYTES));
            }
            byte[] bytes = Files.readAllBytes(file);
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException malformed) {
            throw new InvalidInputException(file + " is not UTF-8 text", malformed);
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "read", unreadable);
        }
    }
}
