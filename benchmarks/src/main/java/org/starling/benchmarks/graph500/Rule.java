package org.starling.benchmarks.graph500;

/**
 * What a constructed graph and the result of a search must satisfy; of searches the five rules of
 * the Graph500 specification. What is broken and where goes into one word, so that an aggregator
 * can keep the first: the smaller the word, the more basic the rule.
 */
@SuppressWarnings(
        "EnumOrdinal") // the order of rules is what counts, and a word lives as long as its run
enum Rule {
    /** Every edge of the input that is no self-loop is in the row of either end. */
    MISSING("an edge of the input is not in the graph"),
    /** Nothing else is in the rows. */
    INVENTED("an edge of the graph is not in the input"),
    /** Input degrees are what the input says. */
    DEGREE("the input degree is not the number of input edges"),
    /** Every number below 2^scale is the id of one vertex. */
    IDS("the id is not one of the generator's, or another vertex has it, too"),
    /** Parents are vertices or missing. */
    RANGE("rule 1: a parent is no vertex"),
    /** The root is its own parent. */
    ROOT("rule 1: the root is not its own parent"),
    /** Following parents leads to the root. */
    TREE(
            "rule 1: following parents does not lead to the root (a cycle, or a parent not"
                    + " reached)"),
    /** Levels grow by one along tree edges. */
    LEVEL("rule 2: the level is not one more than the parent's"),
    /** Edges join neighbouring levels. */
    EDGE("rule 3: an edge joins levels that differ by more than one"),
    /** The tree covers the component. */
    SPAN("rule 4: an edge joins a vertex that was reached and one that was not"),
    /** Tree edges are edges of the graph. */
    REAL("rule 5: the parent is not a neighbour"),
    /** Both ways of counting agree. */
    COUNT("the number of traversed edges differs when it is counted again"),
    /** Distances grow along tree edges by what these weigh. */
    LENGTH("rule 2: the distance is not the parent's plus the weight of an edge between them"),
    /** No edge is a short cut. */
    SHORTER("rule 3: an edge would bring it nearer"),
    /** Distances are not negative, and finite where there is a parent. */
    DISTANCE("rule 1: the distance is none, or does not go with its parent");

    /** The word that stands for "nothing is wrong": the identity of a minimum. */
    static final long NOTHING_BROKEN = Long.MAX_VALUE;

    // Ordinals are below 2⁴².
    private static final int ORDINAL_BITS = 48;

    private final String sentence;

    Rule(String sentence) {
        this.sentence = sentence;
    }

    /** The word for this rule being broken at a vertex. */
    long brokenAt(long ordinal) {
        return ((long) ordinal() << ORDINAL_BITS) | ordinal;
    }

    /** The rule of a word. */
    static Rule of(long word) {
        return values()[(int) (word >>> ORDINAL_BITS)];
    }

    /** Ordinal of the vertex at which it is broken. */
    static long vertex(long word) {
        return word & ((1L << ORDINAL_BITS) - 1);
    }

    /** What is wrong. */
    @Override
    public String toString() {
        return sentence;
    }
}
