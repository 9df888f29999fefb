package org.starling.algorithms;

/**
 * A vertex and what it was ranked by.
 *
 * @param id original id
 * @param score the larger, the better
 */
public record Score(long id, double score) {}
