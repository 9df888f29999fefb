package org.starling.compute.internal.filter;

/** A piece of a condition, as it was written. */
sealed interface FilterNode {
    /** Where it begins, from 0. */
    int position();

    /** A whole number. */
    record Whole(int position, long value) implements FilterNode {}

    /** A floating point number. */
    record Real(int position, double value) implements FilterNode {}

    /** A string. */
    record Text(int position, String value) implements FilterNode {}

    /** True or false. */
    record Truth(int position, boolean value) implements FilterNode {}

    /**
     * A column, or an element of one.
     *
     * @param element index of the element; -1 if none was named
     */
    record Column(int position, String name, int element) implements FilterNode {}

    /** {@code not}, or {@code -}. */
    record Unary(int position, String operator, FilterNode operand) implements FilterNode {}

    /** Two operands and what stands between them; the position is the operator's. */
    record Binary(int position, String operator, FilterNode left, FilterNode right)
            implements FilterNode {}
}
