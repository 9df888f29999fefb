package org.starling.graph;

import org.jspecify.annotations.Nullable;

/**
 * A vertex' value of a column.
 *
 * @param type of the column, in lower case; {@code float[3]} for vectors of three
 * @param value as results of tasks have it: a number, a boolean, a list of them, a string, an id;
 *     null for none, and for a number that is not finite
 */
public record VertexValue(String type, @Nullable Object value) {}
