package org.starling.graph;

/**
 * Lines that a program writes. They come out in the order of shards, whole or not at all: the file
 * appears under its name when the run has succeeded.
 */
public interface TextOutput {
    /** True if somebody wants the lines; otherwise there is no need to make them. */
    boolean isWanted();

    /** Appends an unsigned number of 64 bits: a count, or an id where ids are numbers. */
    TextOutput number(long value);

    /**
     * Appends an original id: a number, or in a graph whose ids are texts the text, as {@link
     * TextId#field} has it.
     *
     * @param id what {@link Vertex#id} is
     */
    default TextOutput vertex(long id) {
        return number(id);
    }

    /** Appends a character below 128. */
    TextOutput character(char value);

    /** Ends the line. */
    void endLine();
}
