package org.starling.compute.internal.filter;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import org.starling.compute.internal.graph.StringsLayout;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Property;

/** Checks a condition against the types of columns, and makes terms of it. One thread. */
final class FilterChecker {
    private final String text;
    private final List<Property> columns;
    private final BiFunction<String, Collection<String>, String> hint;

    FilterChecker(
            String text,
            List<Property> columns,
            BiFunction<String, Collection<String>, String> hint) {
        this.text = text;
        this.columns = columns;
        this.hint = hint;
    }

    /**
     * The term of a piece.
     *
     * @throws InvalidInputException if a column is missing, or types don't go together
     */
    Term check(FilterNode node) {
        return switch (node) {
            case FilterNode.Whole whole -> Term.whole(_ -> whole.value());
            case FilterNode.Real real -> Term.real(_ -> real.value());
            case FilterNode.Truth truth -> Term.bool(_ -> truth.value());
            case FilterNode.Text written -> {
                MemorySegment utf8 =
                        MemorySegment.ofArray(written.value().getBytes(StandardCharsets.UTF_8));
                yield Term.text(_ -> utf8);
            }
            case FilterNode.Column column -> column(column);
            case FilterNode.Unary unary -> unary(unary);
            case FilterNode.Binary binary -> binary(binary);
        };
    }

    private Term column(FilterNode.Column named) {
        int index = 0;
        while (index < columns.size() && !columns.get(index).name().equals(named.name())) {
            index++;
        }
        if (index == columns.size()) {
            List<String> names = columns.stream().map(Property::name).toList();
            throw mistake(
                    named,
                    "there is no column \"%s\"%s"
                            .formatted(named.name(), hint.apply(named.name(), names)));
        }
        Property column = columns.get(index);
        int element = element(named, column);
        int at = index;
        return switch (column.type()) {
            case BOOLEAN -> Term.bool(row -> row.asLong(at, element) != 0);
            case INT, LONG -> Term.whole(row -> row.asLong(at, element));
            case FLOAT, DOUBLE -> Term.real(row -> row.asDouble(at, element));
            case STRING -> Term.text(row -> row.utf8(at));
        };
    }

    private int element(FilterNode.Column named, Property column) {
        if (named.element() < 0 && column.length() > 1) {
            throw mistake(
                    named,
                    "column \"%s\" is %s; name one of its elements, as %s[0]"
                            .formatted(column.name(), column.typeName(), column.name()));
        }
        if (named.element() >= 0 && (column.length() == 1 || named.element() >= column.length())) {
            throw mistake(
                    named,
                    column.length() == 1
                            ? "column \"%s\" is %s and has no elements"
                                    .formatted(column.name(), column.typeName())
                            : "column \"%s\" is %s, whose elements are 0 to %d"
                                    .formatted(
                                            column.name(), column.typeName(), column.length() - 1));
        }
        return Math.max(0, named.element());
    }

    private Term unary(FilterNode.Unary unary) {
        Term operand = check(unary.operand());
        if (unary.operator().equals("not")) {
            requireBoolean(unary.operand(), operand, "behind \"not\"");
            return Term.bool(row -> !operand.isTrue(row));
        }
        requireNumber(unary.operand(), operand, "behind \"-\"");
        return operand.kind() == Term.Kind.WHOLE
                ? Term.whole(row -> -operand.asLong(row))
                : Term.real(row -> -operand.asDouble(row));
    }

    private Term binary(FilterNode.Binary binary) {
        Term left = check(binary.left());
        Term right = check(binary.right());
        String operator = binary.operator();
        return switch (operator) {
            case "and", "or" -> {
                String where = "beside \"%s\"".formatted(operator);
                requireBoolean(binary.left(), left, where);
                requireBoolean(binary.right(), right, where);
                yield operator.equals("and")
                        ? Term.bool(row -> left.isTrue(row) && right.isTrue(row))
                        : Term.bool(row -> left.isTrue(row) || right.isTrue(row));
            }
            case "+", "-", "*", "/", "%" -> {
                String where = "beside \"%s\"".formatted(operator);
                requireNumber(binary.left(), left, where);
                requireNumber(binary.right(), right, where);
                yield arithmetic(binary, left, right);
            }
            default -> comparison(binary, left, right);
        };
    }

    private static Term arithmetic(FilterNode.Binary binary, Term left, Term right) {
        boolean whole = left.kind() == Term.Kind.WHOLE && right.kind() == Term.Kind.WHOLE;
        return switch (binary.operator()) {
            case "+" ->
                    whole
                            ? Term.whole(row -> left.asLong(row) + right.asLong(row))
                            : Term.real(row -> left.asDouble(row) + right.asDouble(row));
            case "-" ->
                    whole
                            ? Term.whole(row -> left.asLong(row) - right.asLong(row))
                            : Term.real(row -> left.asDouble(row) - right.asDouble(row));
            case "*" ->
                    whole
                            ? Term.whole(row -> left.asLong(row) * right.asLong(row))
                            : Term.real(row -> left.asDouble(row) * right.asDouble(row));
            case "/" -> Term.real(row -> left.asDouble(row) / right.asDouble(row));
            default -> {
                if (whole && binary.right() instanceof FilterNode.Whole by && by.value() != 0) {
                    yield Term.whole(row -> left.asLong(row) % by.value());
                }
                yield Term.real(row -> left.asDouble(row) % right.asDouble(row));
            }
        };
    }

    private Term comparison(FilterNode.Binary binary, Term left, Term right) {
        String operator = binary.operator();
        boolean equality = operator.equals("==") || operator.equals("!=");
        if (left.kind().isNumber() != right.kind().isNumber()
                || (!left.kind().isNumber() && left.kind() != right.kind())) {
            throw mistake(
                    binary,
                    "\"%s\" can't compare %s with %s"
                            .formatted(operator, left.kind(), right.kind()));
        }
        if (left.kind() == Term.Kind.TEXT) {
            return ofText(operator, left, right);
        }
        if (!left.kind().isNumber()) {
            if (!equality) {
                throw mistake(
                        binary,
                        "\"%s\" needs numbers or strings; true and false can be compared by == and !="
                                .formatted(operator));
            }
            boolean equal = operator.equals("==");
            return Term.bool(row -> (left.isTrue(row) == right.isTrue(row)) == equal);
        }
        return left.kind() == Term.Kind.WHOLE && right.kind() == Term.Kind.WHOLE
                ? ofWhole(operator, left, right)
                : ofReal(operator, left, right);
    }

    private static Term ofWhole(String operator, Term left, Term right) {
        return switch (operator) {
            case "==" -> Term.bool(row -> left.asLong(row) == right.asLong(row));
            case "!=" -> Term.bool(row -> left.asLong(row) != right.asLong(row));
            case "<" -> Term.bool(row -> left.asLong(row) < right.asLong(row));
            case "<=" -> Term.bool(row -> left.asLong(row) <= right.asLong(row));
            case ">" -> Term.bool(row -> left.asLong(row) > right.asLong(row));
            default -> Term.bool(row -> left.asLong(row) >= right.asLong(row));
        };
    }

    private static Term ofText(String operator, Term left, Term right) {
        return switch (operator) {
            case "==" -> Term.bool(row -> left.utf8(row).mismatch(right.utf8(row)) < 0);
            case "!=" -> Term.bool(row -> left.utf8(row).mismatch(right.utf8(row)) >= 0);
            case "<" -> Term.bool(row -> order(left, right, row) < 0);
            case "<=" -> Term.bool(row -> order(left, right, row) <= 0);
            case ">" -> Term.bool(row -> order(left, right, row) > 0);
            default -> Term.bool(row -> order(left, right, row) >= 0);
        };
    }

    private static int order(Term left, Term right, Filter.Row row) {
        return StringsLayout.compare(left.utf8(row), right.utf8(row));
    }

    private static Term ofReal(String operator, Term left, Term right) {
        return switch (operator) {
            case "==" -> Term.bool(row -> left.asDouble(row) == right.asDouble(row));
            case "!=" -> Term.bool(row -> left.asDouble(row) != right.asDouble(row));
            case "<" -> Term.bool(row -> left.asDouble(row) < right.asDouble(row));
            case "<=" -> Term.bool(row -> left.asDouble(row) <= right.asDouble(row));
            case ">" -> Term.bool(row -> left.asDouble(row) > right.asDouble(row));
            default -> Term.bool(row -> left.asDouble(row) >= right.asDouble(row));
        };
    }

    private void requireBoolean(FilterNode node, Term term, String where) {
        if (term.kind() != Term.Kind.BOOLEAN) {
            throw mistake(
                    node,
                    "expected %s %s, found %s".formatted(Term.Kind.BOOLEAN, where, term.kind()));
        }
    }

    private void requireNumber(FilterNode node, Term term, String where) {
        if (!term.kind().isNumber()) {
            throw mistake(node, "expected a number %s, found %s".formatted(where, term.kind()));
        }
    }

    private InvalidInputException mistake(FilterNode node, String what) {
        return Filter.mistake(text, node.position(), what);
    }
}
