package org.starling.compute.script;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.ForecastSession;
import org.starling.compute.ForecastSession.Forecast;
import org.starling.graph.Argument;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.TaskContext;

/**
 * What a script would do, step by step, and what memory that takes as far as it can be told without
 * running anything. Immutable.
 *
 * @param script its name
 * @param taskRuns how many tasks run at most
 * @param steps its steps in the order in which they were written
 */
public record ScriptPlan(String script, long taskRuns, List<Line> steps) implements JsonRecord {
    /**
     * A step.
     *
     * @param path its JSON path
     * @param depth blocks around it
     * @param step what it is, for people
     * @param work graphs that a task makes and programs that it runs, as far as is known
     * @param memoryBytes most that a task takes beside the graphs that are there, on all peers
     *     together; null for a block, and where it is not known before it runs
     */
    public record Line(
            String path, int depth, String step, List<String> work, @Nullable Number memoryBytes) {
        /** Whether it is a task, not a block. */
        public boolean isTask() {
            return !step.endsWith(":");
        }
    }

    /** Copies the list. */
    public ScriptPlan {
        steps = List.copyOf(steps);
    }

    /** The plan of a script that was checked; runs nothing. */
    public static ScriptPlan of(Script script, ForecastSession session) {
        List<Line> lines = new ArrayList<>();
        add(script.steps(), 0, session, lines);
        return new ScriptPlan(script.name(), script.taskRuns(), lines);
    }

    private static void add(
            List<Step> steps, int depth, ForecastSession session, List<Line> lines) {
        for (Step step : steps) {
            switch (step) {
                case Step.Call call -> lines.add(line(call, depth, session));
                case Step.Guarded guarded -> add(List.of(guarded.step()), depth, session, lines);
                case Step.Choice choice -> {
                    lines.add(block(step, depth, "if " + choice.condition().text()));
                    add(choice.then(), depth + 1, session, lines);
                    if (!choice.otherwise().isEmpty()) {
                        lines.add(block(step, depth, "else"));
                        add(choice.otherwise(), depth + 1, session, lines);
                    }
                }
                case Step.Each each -> {
                    lines.add(
                            block(
                                    step,
                                    depth,
                                    "for each of %d %s (the first one is shown)"
                                            .formatted(each.elements().size(), each.variable())));
                    each.bodies().stream()
                            .findFirst()
                            .ifPresent(body -> add(body, depth + 1, session, lines));
                }
                case Step.Parallel parallel -> {
                    for (List<Step> branch : parallel.branches()) {
                        lines.add(block(step, depth, "a branch of parallel"));
                        add(branch, depth + 1, session, lines);
                    }
                }
                default -> {
                    lines.add(block(step, depth, words(step)));
                    add(step.inside(), depth + 1, session, lines);
                }
            }
        }
    }

    private static String words(Step step) {
        return switch (step) {
            case Step.Rounds rounds -> "repeat " + rounds.rounds() + " times";
            case Step.While loop ->
                    "while %s, at most %d times".formatted(loop.condition().text(), loop.atMost());
            case Step.EachOf each ->
                    "for each %s in %s, at most %d"
                            .formatted(each.variable(), each.list(), each.atMost());
            case Step.Include include ->
                    "included" + (include.as() == null ? "" : " as " + include.as());
            default -> "block";
        };
    }

    private static Line block(Step step, int depth, String words) {
        return new Line(step.path(), depth, words + ":", List.of(), null);
    }

    private static Line line(Step.Call call, int depth, ForecastSession session) {
        String name = call.task().signature().name();
        List<Forecast> forecasts = forecasts(call, session);
        return new Line(
                call.path(),
                depth,
                call.as() == null ? name : name + " (" + call.as() + ")",
                forecasts.stream().map(Forecast::work).toList(),
                forecasts.stream()
                        .mapToLong(Forecast::bytes)
                        .boxed()
                        .max(Long::compare)
                        .orElse(null));
    }

    /**
     * What a task says that it would do; where it needs what is not there, so far as it came. Which
     * vertex it begins with does not matter for memory.
     */
    private static List<Forecast> forecasts(Step.Call call, ForecastSession session) {
        Parameters arguments = call.arguments();
        for (Argument argument : call.task().signature().arguments()) {
            if (argument.type() == Argument.Type.ID && call.open().containsKey(argument.name())) {
                arguments = arguments.with(argument.name(), 0);
            }
        }
        try {
            call.task()
                    .plan(
                            new Planned(session, call.files()),
                            IdArguments.withoutTexts(call.task().signature(), arguments));
        } catch (IOException | RuntimeException unknown) {
            return session.take();
        }
        return session.take();
    }

    /** What tasks see that are asked for their plans. */
    private record Planned(GraphSession graphs, ScriptFiles files) implements TaskContext {
        @Override
        public Path inputFile(String name) {
            return files.input(name);
        }

        @Override
        public List<Path> inputFiles(String name) {
            return files.inputs(name);
        }

        @Override
        public Path outputFile(String name) {
            return files.output(name);
        }

        @Override
        public void progress(String what, long done, long total) {}

        @Override
        public void checkCancelled() {}

        @Override
        public int peers() {
            return 1;
        }

        @Override
        public boolean separateProcesses() {
            return false;
        }

        @Override
        public List<Long> peakResidentBytes() {
            return List.of();
        }
    }
}
