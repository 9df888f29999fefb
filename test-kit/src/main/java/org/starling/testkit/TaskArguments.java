package org.starling.testkit;

import org.starling.graph.Argument;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.TaskSignature;

/** Completes the arguments of a task as a script's check does. Static functions only. */
final class TaskArguments {
    private TaskArguments() {}

    /**
     * These arguments, the defaults, and the graph of the trial.
     *
     * @throws InvalidInputException if one is unknown, or is missing and has no default
     */
    static Parameters complete(TaskSignature signature, Parameters given) {
        Parameters complete = given;
        for (Argument argument : signature.arguments()) {
            boolean isGraph = argument.type() == Argument.Type.GRAPH;
            Object otherwise = isGraph && argument.required() ? Trial.GRAPH : argument.otherwise();
            if (!complete.has(argument.name()) && otherwise != null) {
                complete = complete.with(argument.name(), otherwise);
            }
            if (!complete.has(argument.name()) && argument.required()) {
                throw new InvalidInputException(
                        "task %s needs the argument \"%s\""
                                .formatted(signature.name(), argument.name()));
            }
        }
        for (String name : given.asMap().keySet()) {
            if (signature.arguments().stream().noneMatch(a -> a.name().equals(name))) {
                throw new InvalidInputException(
                        "task %s has no argument \"%s\"; it has %s"
                                .formatted(
                                        signature.name(),
                                        name,
                                        signature.arguments().stream()
                                                .map(Argument::name)
                                                .toList()));
            }
        }
        return complete;
    }
}
