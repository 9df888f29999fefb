package org.starling.compute.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.Condition.Comparison;
import org.starling.compute.script.Condition.Question;
import org.starling.graph.InvalidInputException;

/**
 * Reads a {@link Condition} by recursive descent: {@code or} binds less than {@code and}, that less
 * than {@code not}; parentheses group. Used once.
 */
final class ConditionParser {
    private static final String EXAMPLE = "expected a condition like \"name.result > 1\"";
    private static final Pattern BLANKS = Pattern.compile("\\s*");
    private static final Pattern SIGN = Pattern.compile("==|!=|<=|>=|<|>");
    private static final Pattern PATH = Pattern.compile(Reference.SHAPE);
    private static final Pattern LITERAL =
            Pattern.compile(
                    "-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|\"(?:[^\"\\\\]|\\\\.)*+\"|'[^']*'");

    /** Words with a meaning of their own; no result is called so. */
    static final List<String> WORDS = List.of("and", "or", "not", "true", "false", "null");

    private final String text;
    private int at;
    private int depth;

    ConditionParser(String text) {
        this.text = text;
    }

    Question parse() {
        skipBlanks();
        if (at == text.length()) {
            throw new InvalidInputException(EXAMPLE + ", found " + Found.of(text));
        }
        Question question = any();
        if (at < text.length()) {
            throw expected("\"and\", \"or\" or the end");
        }
        return question;
    }

    private Question any() {
        return several("or", () -> several("and", this::one));
    }

    private Question several(String word, Supplier<Question> part) {
        List<Question> questions = new ArrayList<>(List.of(part.get()));
        while (takeWord(word)) {
            questions.add(part.get());
        }
        return questions.size() == 1
                ? questions.getFirst()
                : new Condition.Several(word.equals("and"), List.copyOf(questions));
    }

    private Question one() {
        if (++depth > ScriptBounds.MAX_CONDITION_DEPTH) {
            throw new InvalidInputException(
                    "expected a condition nested at most %d levels deep"
                            .formatted(ScriptBounds.MAX_CONDITION_DEPTH));
        }
        try {
            if (takeWord("not")) {
                return new Condition.Not(one());
            }
            if (take("(")) {
                Question inside = any();
                if (!take(")")) {
                    throw expected("\"and\", \"or\" or \")\"");
                }
                return inside;
            }
            return comparison();
        } finally {
            depth--;
        }
    }

    private Question comparison() {
        Reference left = path();
        if (left == null) {
            throw expected("a result like \"name.result\"");
        }
        String sign = token(SIGN);
        return sign == null
                ? new Condition.Flag(left)
                : new Condition.Compared(left, Comparison.of(sign), operand(sign));
    }

    private @Nullable Object operand(String sign) {
        for (Map.Entry<String, Boolean> flag : Map.of("true", true, "false", false).entrySet()) {
            if (takeWord(flag.getKey())) {
                return flag.getValue();
            }
        }
        if (takeWord("null")) {
            return null;
        }
        String literal = token(LITERAL);
        if (literal != null) {
            return literal(literal);
        }
        Reference path = path();
        if (path == null) {
            throw expected(
                    "a number, a text in quotes, true, false, null or a result behind \""
                            + sign
                            + "\"");
        }
        return path;
    }

    private static @Nullable Object literal(String literal) {
        if (literal.startsWith("'")) {
            return literal.substring(1, literal.length() - 1);
        }
        try {
            return JsonText.parse(literal);
        } catch (InvalidJsonException none) {
            throw new InvalidInputException(
                    "expected a number or a text in quotes to compare with, found "
                            + Found.shorten(literal),
                    none);
        }
    }

    private @Nullable Reference path() {
        int before = at;
        String path = token(PATH);
        if (path == null || WORDS.contains(path)) {
            at = before;
            return null;
        }
        return Reference.parse(path).orElseThrow();
    }

    private boolean takeWord(String word) {
        int end = at + word.length();
        boolean there =
                text.startsWith(word, at)
                        && (end == text.length() || !isNamePart(text.charAt(end)));
        if (there) {
            at = end;
            skipBlanks();
        }
        return there;
    }

    private static boolean isNamePart(char c) {
        return (c < 128 && Character.isLetterOrDigit(c)) || c == '_' || c == '-' || c == '.';
    }

    private boolean take(String sign) {
        boolean there = text.startsWith(sign, at);
        if (there) {
            at += sign.length();
            skipBlanks();
        }
        return there;
    }

    private @Nullable String token(Pattern pattern) {
        Matcher token = pattern.matcher(text).region(at, text.length());
        if (!token.lookingAt()) {
            return null;
        }
        at = token.end();
        skipBlanks();
        return token.group();
    }

    private void skipBlanks() {
        Matcher blanks = BLANKS.matcher(text).region(at, text.length());
        at = blanks.lookingAt() ? blanks.end() : at;
    }

    private InvalidInputException expected(String what) {
        String rest = at == text.length() ? "the end" : Found.of(text.substring(at));
        return new InvalidInputException(
                "expected %s at character %d of %s, found %s"
                        .formatted(what, at + 1, Found.of(text), rest));
    }
}
