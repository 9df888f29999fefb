/**
 * Vertices with equal values as one vertex. Tasks call {@link
 * org.starling.algorithms.groups.QuotientGraph}; open it first.
 */
@NullMarked
package org.starling.algorithms.groups;

import org.jspecify.annotations.NullMarked;
