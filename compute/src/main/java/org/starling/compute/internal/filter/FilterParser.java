package org.starling.compute.internal.filter;

import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/** Reads a condition, from left to right. Used once, by one thread. */
final class FilterParser {
    /** Longest condition. */
    static final int MAX_CHARACTERS = 10_000;

    /** Parentheses, signs and negations within one another. */
    static final int MAX_DEPTH = 100;

    /** Operators one after the other: what is checked and asked goes as deep. */
    static final int MAX_OPERATORS = 500;

    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
    private static final Set<String> SUMS = Set.of("+", "-");
    private static final Set<String> PRODUCTS = Set.of("*", "/", "%");
    private static final Pattern NUMBER =
            Pattern.compile("-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
    private static final String NO_MORE = "the end";

    private final String text;
    private int depth;
    private int operators;

    /** Where the token at hand begins, and ends. */
    private int start;

    private int end;

    FilterParser(String text) {
        this.text = text;
    }

    /**
     * The whole condition.
     *
     * @throws InvalidInputException if it is none
     */
    FilterNode parse() {
        if (text.length() > MAX_CHARACTERS) {
            throw new InvalidInputException(
                    "a condition has at most %d characters, this one has %d"
                            .formatted(MAX_CHARACTERS, text.length()));
        }
        advance();
        FilterNode whole = condition();
        if (!token().equals(NO_MORE)) {
            throw unexpected("and, or, a comparison or the end");
        }
        return whole;
    }

    private FilterNode condition() {
        return chain(Set.of("or"), () -> chain(Set.of("and"), this::negation));
    }

    private FilterNode negation() {
        if (!token().equals("not")) {
            return comparison();
        }
        int at = start;
        advance();
        return new FilterNode.Unary(at, "not", deeper(this::negation));
    }

    private FilterNode comparison() {
        FilterNode left = sum();
        if (!COMPARISONS.contains(token())) {
            return left;
        }
        int at = start;
        String operator = token();
        advance();
        FilterNode right = sum();
        if (COMPARISONS.contains(token())) {
            throw mistake("comparisons stand apart: write a < b and b < c");
        }
        return new FilterNode.Binary(at, operator, left, right);
    }

    private FilterNode sum() {
        return chain(SUMS, () -> chain(PRODUCTS, this::factor));
    }

    private FilterNode chain(Set<String> between, Supplier<FilterNode> operand) {
        FilterNode left = operand.get();
        while (between.contains(token())) {
            if (++operators > MAX_OPERATORS) {
                throw mistake("there are more than %d operators".formatted(MAX_OPERATORS));
            }
            int at = start;
            String operator = token();
            advance();
            left = new FilterNode.Binary(at, operator, left, operand.get());
        }
        return left;
    }

    private FilterNode factor() {
        int at = start;
        String token = token();
        char first = token.charAt(0);
        if (token.equals(NO_MORE)) {
            throw unexpected("a number, a string or a column");
        }
        if (token.equals("-")) {
            advance();
            if (isNumber(token().charAt(0))) {
                return number(at, "-" + token());
            }
            return new FilterNode.Unary(at, "-", deeper(this::factor));
        }
        if (token.equals("(")) {
            advance();
            FilterNode inner = deeper(this::condition);
            expect(")");
            return inner;
        }
        if (isNumber(first)) {
            return number(at, token);
        }
        if (first == '\'' || first == '"') {
            advance();
            return new FilterNode.Text(at, string(token));
        }
        if (first == '`' || Character.isLetter(first) || first == '_') {
            return name(token);
        }
        throw unexpected("a number, a string or a column");
    }

    private static String string(String token) {
        String inside = token.substring(1, token.length() - 1);
        return token.charAt(0) == '\'' ? inside : ESCAPED.matcher(inside).replaceAll("$1");
    }

    private FilterNode name(String token) {
        int at = start;
        if (token.equals("and") || token.equals("or") || token.equals("not")) {
            throw unexpected("a number, a string or a column");
        }
        advance();
        if (token.equals("true") || token.equals("false")) {
            return new FilterNode.Truth(at, token.equals("true"));
        }
        String name = token.charAt(0) == '`' ? token.substring(1, token.length() - 1) : token;
        return new FilterNode.Column(at, name, token().equals("[") ? element() : -1);
    }

    private int element() {
        advance();
        String index = token();
        if (!index.chars().allMatch(c -> c >= '0' && c <= '9') || index.length() > 4) {
            throw unexpected("the index of an element");
        }
        advance();
        expect("]");
        return Integer.parseInt(index);
    }

    /** The number at hand; what may stand before it is a sign. */
    private FilterNode number(int at, String signed) {
        FilterNode number = NUMBER.matcher(signed).matches() ? numberOf(at, signed) : null;
        if (number == null) {
            throw mistake("\"%s\" is no number of 64 bits".formatted(signed));
        }
        advance();
        return number;
    }

    private static @Nullable FilterNode numberOf(int at, String signed) {
        if (!signed.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'))) {
            double value = Double.parseDouble(signed);
            return Double.isFinite(value) ? new FilterNode.Real(at, value) : null;
        }
        try {
            return new FilterNode.Whole(at, Long.parseLong(signed));
        } catch (NumberFormatException tooLarge) {
            return null;
        }
    }

    private FilterNode deeper(Supplier<FilterNode> inner) {
        if (++depth > MAX_DEPTH) {
            throw mistake("more than %d things stand within one another".formatted(MAX_DEPTH));
        }
        FilterNode read = inner.get();
        depth--;
        return read;
    }

    private void expect(String wanted) {
        if (!token().equals(wanted)) {
            throw unexpected("\"" + wanted + "\"");
        }
        advance();
    }

    // tokens

    private String token() {
        return start == text.length() ? NO_MORE : text.substring(start, end);
    }

    private void advance() {
        start = end;
        while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
            start++;
        }
        end = start < text.length() ? tokenEnd() : start;
    }

    private int tokenEnd() {
        char first = text.charAt(start);
        int at = start + 1;
        if (isNumber(first)) {
            return numberEnd();
        }
        if (Character.isLetter(first) || first == '_') {
            while (at < text.length() && isName(text.charAt(at))) {
                at++;
            }
            return at;
        }
        if (first == '\'' || first == '"') {
            return stringEnd(first);
        }
        if (first == '`') {
            int close = text.indexOf('`', at);
            if (close <= at) {
                throw mistake(close < 0 ? "a second backquote is missing" : "a column has no name");
            }
            return close + 1;
        }
        if (at < text.length() && text.charAt(at) == '=' && "=!<>".indexOf(first) >= 0) {
            return at + 1;
        }
        if (first == '=') {
            throw mistake("to compare, write \"==\"");
        }
        if (first == '!') {
            throw mistake("write \"not\" or \"!=\"");
        }
        if (first == '&' || first == '|') {
            throw mistake("write \"%s\"".formatted(first == '&' ? "and" : "or"));
        }
        if ("<>+-*/%()[]".indexOf(first) < 0) {
            throw mistake("%s has no meaning here".formatted(shown(first)));
        }
        return at;
    }

    private int stringEnd(char quote) {
        int at = start + 1;
        while (at < text.length() && text.charAt(at) != quote) {
            boolean escape = quote == '"' && text.charAt(at) == '\\';
            if (escape && (at + 1 == text.length() || "\"\\".indexOf(text.charAt(at + 1)) < 0)) {
                throw mistake("behind a backslash stands \" or another backslash");
            }
            at += escape ? 2 : 1;
        }
        if (at >= text.length()) {
            throw mistake("a second quotation mark is missing");
        }
        return at + 1;
    }

    /** Digits, a point, and an exponent with its sign; letters behind them are no number's. */
    private int numberEnd() {
        int at = start;
        while (at < text.length()) {
            char next = text.charAt(at);
            boolean sign =
                    (next == '-' || next == '+')
                            && (text.charAt(at - 1) == 'e' || text.charAt(at - 1) == 'E');
            if (!isNumber(next) && !isName(next) && !(at > start && sign)) {
                return at;
            }
            at++;
        }
        return at;
    }

    private static boolean isNumber(char character) {
        return (character >= '0' && character <= '9') || character == '.';
    }

    private static boolean isName(char character) {
        return Character.isLetterOrDigit(character) || character == '_';
    }

    private static String shown(char character) {
        return character < ' ' ? "a control character" : "'" + character + "'";
    }

    private InvalidInputException unexpected(String expected) {
        String found = token().equals(NO_MORE) ? NO_MORE : "\"" + token() + "\"";
        return mistake("expected %s, found %s".formatted(expected, found));
    }

    private InvalidInputException mistake(String what) {
        return Filter.mistake(text, start, what);
    }
}
