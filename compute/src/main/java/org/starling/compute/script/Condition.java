package org.starling.compute.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * A question about earlier results: {@code components.largest >= 1000}, {@code bfs.verified},
 * {@code not load.failed and (pr.top[0][1] < 0.5 or pr.iterations > cc.components)}. Without a
 * comparison a result must be a flag. Immutable.
 *
 * @param text as written
 * @param root the question
 */
record Condition(String text, Question root) {
    /** A part of a condition that is true or false. */
    sealed interface Question {
        /**
         * The answer.
         *
         * @param values results and variables by name
         * @throws InvalidInputException if a path leads nowhere or values can't be compared
         */
        boolean holds(Map<String, ?> values);
    }

    /** Several questions: all of them ({@code and}) or any ({@code or}); asked in their order. */
    record Several(boolean all, List<Question> questions) implements Question {
        @Override
        public boolean holds(Map<String, ?> values) {
            for (Question question : questions) {
                if (question.holds(values) != all) {
                    return !all;
                }
            }
            return all;
        }
    }

    /** The opposite of a question. */
    record Not(Question question) implements Question {
        @Override
        public boolean holds(Map<String, ?> values) {
            return !question.holds(values);
        }
    }

    /** A result that is the answer itself. */
    record Flag(Reference path) implements Question {
        @Override
        public boolean holds(Map<String, ?> values) {
            if (path.in(values) instanceof Boolean flag) {
                return flag;
            }
            throw new InvalidInputException(
                    "the result is " + Found.of(path.in(values)) + ", not true or false");
        }
    }

    /**
     * A result compared with a value.
     *
     * @param right a {@link Reference}, or a number, text, flag or null
     */
    record Compared(Reference left, Comparison comparison, @Nullable Object right)
            implements Question {
        @Override
        public boolean holds(Map<String, ?> values) {
            Object one = left.in(values);
            Object other = right instanceof Reference path ? path.in(values) : right;
            if (one instanceof Number a && other instanceof Number b) {
                return comparison.holds(order(a, b));
            }
            return switch (comparison) {
                case EQUAL -> Objects.equals(one, other);
                case UNEQUAL -> !Objects.equals(one, other);
                case AT_MOST, AT_LEAST, LESS, MORE ->
                        throw new InvalidInputException(
                                "only numbers have an order; the result is "
                                        + Found.of(one instanceof Number ? other : one));
            };
        }

        private static int order(Number left, Number right) {
            return left instanceof Long a && right instanceof Long b
                    ? Long.compare(a, b)
                    : Double.compare(left.doubleValue(), right.doubleValue());
        }
    }

    enum Comparison {
        EQUAL("=="),
        UNEQUAL("!="),
        AT_MOST("<="),
        AT_LEAST(">="),
        LESS("<"),
        MORE(">");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        static Comparison of(String sign) {
            for (Comparison comparison : values()) {
                if (comparison.sign.equals(sign)) {
                    return comparison;
                }
            }
            throw new IllegalArgumentException("no comparison " + sign);
        }

        private boolean holds(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case UNEQUAL -> order != 0;
                case AT_MOST -> order <= 0;
                case AT_LEAST -> order >= 0;
                case LESS -> order < 0;
                case MORE -> order > 0;
            };
        }
    }

    /**
     * Reads a condition.
     *
     * @throws InvalidInputException with a sentence, without the place, if it is none
     */
    static Condition parse(String text) {
        return new Condition(text, new ConditionParser(text).parse());
    }

    /** All paths that it asks for, as written. */
    List<Reference> paths() {
        List<Reference> paths = new ArrayList<>();
        for (Question asked : asked(root).toList()) {
            if (asked instanceof Flag flag) {
                paths.add(flag.path);
            } else if (asked instanceof Compared compared) {
                paths.add(compared.left);
                if (compared.right instanceof Reference path) {
                    paths.add(path);
                }
            }
        }
        return paths;
    }

    /** The paths among them that must be flags. */
    List<Reference> flags() {
        return asked(root).filter(Flag.class::isInstance).map(flag -> ((Flag) flag).path).toList();
    }

    /** The questions without others inside, in their order. */
    private static Stream<Question> asked(Question question) {
        return switch (question) {
            case Several several -> several.questions.stream().flatMap(Condition::asked);
            case Not not -> asked(not.question);
            case Flag _, Compared _ -> Stream.of(question);
        };
    }

    /**
     * Whether a step has failed, if the whole condition asks that or the opposite.
     *
     * @param name of the step's results
     * @param failed whether the condition holds if it has
     */
    record Failure(String name, boolean failed) {}

    /** See {@link Failure}. */
    Optional<Failure> asksForFailure() {
        boolean holds = true;
        Question question = root;
        while (question instanceof Not not) {
            question = not.question;
            holds = !holds;
        }
        return question instanceof Flag(Reference path)
                        && path.steps().equals(List.of(FailureRule.FAILED))
                ? Optional.of(new Failure(path.name(), holds))
                : Optional.empty();
    }

    /**
     * Answers the question.
     *
     * @param values results and variables by name
     * @throws InvalidInputException if a path leads nowhere or the values can't be compared
     */
    boolean holds(Map<String, ?> values) {
        try {
            return root.holds(values);
        } catch (InvalidInputException failed) {
            throw new InvalidInputException(
                    "condition \"" + text + "\": " + failed.getMessage(), failed);
        }
    }
}
