package org.starling.benchmarks.graph500;

/** What a constructed graph must satisfy. */
enum ConstructionRule {
    /** Every edge of the input that is no self-loop is in the row of either end. */
    MISSING(0, "an edge of the input is not in the graph"),
    /** Nothing else is in the rows. */
    INVENTED(1, "an edge of the graph is not in the input"),
    /** Input degrees are what the input says. */
    DEGREE(2, "the input degree is not the number of input edges"),
    /** Every number below 2^scale is the id of one vertex. */
    IDS(3, "the id is not one of the generator's, or another vertex has it, too");

    private final int code;
    private final String sentence;

    ConstructionRule(int code, String sentence) {
        this.code = code;
        this.sentence = sentence;
    }

    /** The word for this rule being broken at a vertex. */
    long brokenAt(long ordinal) {
        return Violation.of(code, ordinal);
    }

    /** The rule of a word. */
    static ConstructionRule of(long violation) {
        for (ConstructionRule rule : values()) {
            if (rule.code == Violation.rule(violation)) {
                return rule;
            }
        }
        throw new IllegalArgumentException("no rule in " + violation);
    }

    /** What is wrong. */
    @Override
    public String toString() {
        return sentence;
    }
}
