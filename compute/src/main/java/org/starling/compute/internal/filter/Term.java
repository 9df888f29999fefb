package org.starling.compute.internal.filter;

import java.lang.foreign.MemorySegment;

/**
 * A piece of a condition whose type is known. Answers what its kind has, and as a floating point
 * number if it is a number at all; asked for anything else it is a bug. Immutable, for all threads.
 */
abstract class Term {
    /** What a term is. */
    enum Kind {
        BOOLEAN("something that is true or false"),
        WHOLE("a whole number"),
        REAL("a floating point number"),
        TEXT("a string");

        private final String name;

        Kind(String name) {
            this.name = name;
        }

        boolean isNumber() {
            return this == WHOLE || this == REAL;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** What it is. */
    abstract Kind kind();

    boolean isTrue(Filter.Row row) {
        throw new IllegalStateException(kind() + " is not true or false");
    }

    long asLong(Filter.Row row) {
        throw new IllegalStateException(kind() + " is not whole");
    }

    double asDouble(Filter.Row row) {
        throw new IllegalStateException(kind() + " is no number");
    }

    MemorySegment utf8(Filter.Row row) {
        throw new IllegalStateException(kind() + " is no string");
    }

    /** A string in UTF-8. */
    interface Text {
        MemorySegment of(Filter.Row row);
    }

    /** True or false. */
    interface Test {
        boolean of(Filter.Row row);
    }

    /** A whole number. */
    interface Count {
        long of(Filter.Row row);
    }

    /** A floating point number. */
    interface Measure {
        double of(Filter.Row row);
    }

    static Term text(Text text) {
        return new Term() {
            @Override
            Kind kind() {
                return Kind.TEXT;
            }

            @Override
            MemorySegment utf8(Filter.Row row) {
                return text.of(row);
            }
        };
    }

    static Term bool(Test test) {
        return new Term() {
            @Override
            Kind kind() {
                return Kind.BOOLEAN;
            }

            @Override
            boolean isTrue(Filter.Row row) {
                return test.of(row);
            }
        };
    }

    static Term whole(Count count) {
        return new Term() {
            @Override
            Kind kind() {
                return Kind.WHOLE;
            }

            @Override
            long asLong(Filter.Row row) {
                return count.of(row);
            }

            @Override
            double asDouble(Filter.Row row) {
                return count.of(row);
            }
        };
    }

    static Term real(Measure measure) {
        return new Term() {
            @Override
            Kind kind() {
                return Kind.REAL;
            }

            @Override
            double asDouble(Filter.Row row) {
                return measure.of(row);
            }
        };
    }
}
