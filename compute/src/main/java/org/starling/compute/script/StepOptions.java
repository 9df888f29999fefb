package org.starling.compute.script;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/** Reads what steps say beside their work: bounds, time limits, what is done on failure. */
final class StepOptions {
    static final String ON_FAILURE = "onFailure";
    static final String TIME_LIMIT = "timeLimit";
    static final String AT_MOST = "atMost";

    /** Words of {@code onFailure}. */
    static final String FAIL = "fail";

    static final String CONTINUE = "continue";
    static final String RETRY = "retry";
    static final String THEN = "then";

    private final Problems problems;

    StepOptions(Problems problems) {
        this.problems = problems;
    }

    /** A count within bounds, or {@code otherwise} if something is wrong with it. */
    int count(String path, @Nullable Object value, int most, int otherwise) {
        if (value instanceof Long number && number >= 1 && number <= most) {
            return number.intValue();
        }
        if (!(value instanceof ScriptParameters.Unknown)) {
            problems.add(
                    path,
                    "expected a whole number from 1 to %d, found %s"
                            .formatted(most, Found.of(value)));
        }
        return otherwise;
    }

    /** The time that a task may take; null if it may take any. */
    @Nullable Duration timeLimit(String path, Map<String, @Nullable Object> members) {
        Object value = members.get(TIME_LIMIT);
        if (!members.containsKey(TIME_LIMIT) || value instanceof ScriptParameters.Unknown) {
            return null;
        }
        try {
            if (!(value instanceof String text)) {
                throw new InvalidInputException(
                        "expected a duration like \"30 s\", found " + Found.of(value));
            }
            Duration limit = TimeSpan.parse(text);
            if (limit.isZero() || limit.compareTo(ScriptBounds.MAX_TIME_LIMIT) > 0) {
                throw new InvalidInputException(
                        "expected a duration from 1ms to %s, found %s"
                                .formatted(
                                        TimeSpan.format(ScriptBounds.MAX_TIME_LIMIT),
                                        Found.of(text)));
            }
            return limit;
        } catch (InvalidInputException wrong) {
            problems.add(path + "." + TIME_LIMIT, String.valueOf(wrong.getMessage()));
            return null;
        }
    }

    /** What is done on failure. */
    FailureRule onFailure(String path, Map<String, @Nullable Object> members) {
        Object value = members.get(ON_FAILURE);
        String place = path + "." + ON_FAILURE;
        if (!members.containsKey(ON_FAILURE) || value instanceof ScriptParameters.Unknown) {
            return FailureRule.FAIL;
        }
        if (value instanceof Map<?, ?> rule) {
            return retry(place, rule);
        }
        return new FailureRule(0, goesOn(place, value, ", or {\"retry\": times}"));
    }

    private FailureRule retry(String path, Map<?, ?> rule) {
        problems.requireKnown(path, rule.keySet(), List.of(RETRY, THEN), "name");
        if (!rule.containsKey(RETRY)) {
            problems.add(path, "expected {\"retry\": times}, and perhaps \"then\"");
            return FailureRule.FAIL;
        }
        int retries = count(path + "." + RETRY, rule.get(RETRY), ScriptBounds.MAX_RETRIES, 1);
        boolean goesOn = rule.containsKey(THEN) && goesOn(path + "." + THEN, rule.get(THEN), "");
        return new FailureRule(retries, goesOn);
    }

    private boolean goesOn(String path, @Nullable Object word, String orElse) {
        List<String> words = List.of(FAIL, CONTINUE);
        if (word instanceof String text && words.contains(text)) {
            return text.equals(CONTINUE);
        }
        if (!(word instanceof ScriptParameters.Unknown)) {
            problems.add(
                    path,
                    "expected \"fail\" or \"continue\"%s, found %s%s"
                            .formatted(
                                    orElse,
                                    Found.of(word),
                                    word instanceof String text
                                            ? NearestName.guess(text, words)
                                            : ""));
        }
        return false;
    }
}
