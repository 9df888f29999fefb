package org.starling.compute.internal.filter;

import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Property;

/**
 * A condition as somebody has written it. Immutable.
 *
 * <pre>
 *   condition  = conjunction { "or" conjunction }
 *   conjunction = negation { "and" negation }
 *   negation   = "not" negation | comparison
 *   comparison = sum [ ("==" | "!=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;=") sum ]
 *   sum        = product { ("+" | "-") product }
 *   product    = factor { ("*" | "/" | "%") factor }
 *   factor     = "-" factor | number | string | "true" | "false" | column [ "[" index "]" ] | "(" condition ")"
 *   column     = letters, digits and "_", or anything between backquotes
 *   string     = anything between single quotes, or between double quotes, where \" and \\ stand for " and \
 * </pre>
 *
 * There are whole numbers of 64 bits, floating point numbers of 64 bits, booleans, and strings,
 * which can be compared with each other: they are in the order of their code points. {@code +},
 * {@code -}, {@code *} of whole numbers are whole and wrap around; {@code /} is always floating
 * point; {@code %} is whole if both are and the right one is a number other than 0, and otherwise
 * floating point; a sign before a number is the number's. So no row can fail.
 */
public final class Filter {
    private final String text;
    private final FilterNode root;

    private Filter(String text, FilterNode root) {
        this.text = text;
        this.root = root;
    }

    /**
     * Reads a condition.
     *
     * @throws InvalidInputException if it is none; the sentence says at which character
     */
    public static Filter parse(String text) {
        return new Filter(text, new FilterParser(text).parse());
    }

    /**
     * Checks the condition against columns.
     *
     * @param columns in the order in which rows have them
     * @param hint the end of a sentence about a name that is none of some
     * @throws InvalidInputException if a column is missing, or types don't go together
     */
    public RowTest over(
            List<Property> columns, BiFunction<String, Collection<String>, String> hint) {
        Term term = new FilterChecker(text, columns, hint).check(root);
        if (term.kind() != Term.Kind.BOOLEAN) {
            throw mistake(
                    text,
                    root.position(),
                    "expected something that is true or false, such as a comparison, found "
                            + term.kind());
        }
        return term::isTrue;
    }

    /** Names of the columns that it asks. */
    public Set<String> columns() {
        Set<String> names = new TreeSet<>();
        collect(root, names);
        return names;
    }

    private static void collect(FilterNode node, Set<String> names) {
        switch (node) {
            case FilterNode.Column column -> names.add(column.name());
            case FilterNode.Unary unary -> collect(unary.operand(), names);
            case FilterNode.Binary binary -> {
                collect(binary.left(), names);
                collect(binary.right(), names);
            }
            case FilterNode.Whole _, FilterNode.Real _, FilterNode.Truth _, FilterNode.Text _ -> {}
        }
    }

    /** Values of a row's columns. */
    public interface Row {
        /** A whole number, or a boolean as 0 or 1. */
        long asLong(int column, int element);

        /** A number of any type as a floating point number. */
        double asDouble(int column, int element);

        /** A string in UTF-8. */
        MemorySegment utf8(int column);
    }

    /** A condition that was checked; safe for all threads. */
    public interface RowTest {
        /** Whether the condition holds. */
        boolean holds(Row row);
    }

    @Override
    public String toString() {
        return text;
    }

    /** A sentence about a mistake; positions count from 1. */
    static InvalidInputException mistake(String text, int position, String what) {
        return new InvalidInputException(
                "at character %d of \"%s\": %s".formatted(position + 1, text, what));
    }
}
