package org.starling.tasks.graphalytics;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** How the suite compares a result with a reference output. */
enum MatchRule {
    /** Equal values. */
    EXACT {
        @Override
        ValueMatch match() {
            return (expected, actual) -> expected == actual;
        }
    },
    /** Equal but for the names of labels: what has one label here has one label there. */
    EQUIVALENCE {
        @Override
        ValueMatch match() {
            Map<Long, Long> there = new HashMap<>();
            Map<Long, Long> here = new HashMap<>();
            return (expected, actual) -> {
                Long known = there.putIfAbsent(expected, actual);
                Long back = here.putIfAbsent(actual, expected);
                return (known == null || known == actual) && (back == null || back == expected);
            };
        }
    },
    /** Equal up to a relative difference of {@value #EPSILON_DIFFERENCE}; infinities are equal. */
    EPSILON {
        @Override
        ValueMatch match() {
            return (expectedBits, actualBits) -> {
                double expected = Double.longBitsToDouble(expectedBits);
                double actual = Double.longBitsToDouble(actualBits);
                double difference = Math.abs(actual - expected);
                return expected == actual
                        || (Double.isFinite(expected)
                                && difference <= EPSILON_DIFFERENCE * Math.abs(expected));
            };
        }

        @Override
        boolean comparesNumbers() {
            return true;
        }
    };

    /** Largest relative difference. */
    static final double EPSILON_DIFFERENCE = 1e-4;

    /** Compares values of one file with those of another, vertex after vertex. */
    @FunctionalInterface
    interface ValueMatch {
        /** True if a value is as it should be. */
        boolean matches(long expected, long actual);
    }

    /** A comparison of two files from their first vertices on. */
    abstract ValueMatch match();

    /** True if values are floating point numbers, of which the bits are compared. */
    boolean comparesNumbers() {
        return false;
    }

    /**
     * Compares an output with a reference. Both must have every vertex once.
     *
     * @return what is wrong, or nothing
     * @throws org.starling.graph.InvalidInputException if a file is no output of the suite
     */
    Optional<String> problem(Path reference, Path output) throws java.io.IOException {
        OutputColumn expected = OutputColumn.read(reference, comparesNumbers());
        OutputColumn actual = OutputColumn.read(output, comparesNumbers());
        return expected.twice()
                .or(actual::twice)
                .or(() -> expected.missing(actual))
                .or(() -> actual.missing(expected))
                .or(() -> expected.firstDifference(actual, match()));
    }
}
