package org.starling.benchmarks.graph500;

/** What the result of a search must satisfy: the five rules of the Graph500 specification. */
enum SearchRule {
    /** Parents are vertices or missing. */
    RANGE(0, 1, "a parent is no vertex"),
    /** The root is its own parent. */
    ROOT(1, 1, "the root is not its own parent"),
    /** Following parents leads to the root. */
    TREE(2, 1, "following parents does not lead to the root (a cycle, or a parent not reached)"),
    /** Levels grow by one along tree edges. */
    LEVEL(3, 2, "the level is not one more than the parent's"),
    /** Edges join neighbouring levels. */
    EDGE(4, 3, "an edge joins levels that differ by more than one"),
    /** The tree covers the component. */
    SPAN(5, 4, "an edge joins a vertex that was reached and one that was not"),
    /** Tree edges are edges of the graph. */
    REAL(6, 5, "the parent is not a neighbour"),
    /** Distances grow along tree edges by what these weigh. */
    LENGTH(8, 2, "the distance is not the parent's plus the weight of an edge between them"),
    /** No edge is a short cut. */
    SHORTER(9, 3, "an edge would bring it nearer"),
    /** Distances are not negative, and finite where there is a parent. */
    DISTANCE(10, 1, "the distance is none, or does not go with its parent"),
    /** Both ways of counting agree. */
    COUNT(7, 0, "the number of traversed edges differs when it is counted again");

    private final int code;
    private final int number;
    private final String sentence;

    SearchRule(int code, int number, String sentence) {
        this.code = code;
        this.number = number;
        this.sentence = sentence;
    }

    /** The word for this rule being broken at a vertex. */
    long brokenAt(long ordinal) {
        return Violation.of(code, ordinal);
    }

    /** The rule of a word. */
    static SearchRule of(long violation) {
        for (SearchRule rule : values()) {
            if (rule.code == Violation.rule(violation)) {
                return rule;
            }
        }
        throw new IllegalArgumentException("no rule in " + violation);
    }

    /** The rule's number in the specification, 0 if it has none, and what is wrong. */
    @Override
    public String toString() {
        return number == 0 ? sentence : "rule %d: %s".formatted(number, sentence);
    }
}
