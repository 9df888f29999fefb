package org.starling.graph;

/**
 * Lines that a program writes. They come out in the order of shards, whole or not at all: the file
 * appears under its name when the run has succeeded.
 */
public interface TextOutput {
    /** True if somebody wants the lines; otherwise there is no need to make them. */
    boolean isWanted();

    /** Appends an unsigned number of 64 bits: an id or a count. */
    TextOutput number(long value);

    /** Appends a character below 128. */
    TextOutput character(char value);

    /** Ends the line. */
    void endLine();
}
