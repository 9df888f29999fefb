/**
 * Conditions on columns of vertices and edges, as {@code graph.project} takes them: {@code age > 30
 * and not (country_code == 7)}. A condition is parsed, checked against the types of columns, and
 * then asked row by row.
 *
 * <p>Called by {@code script}, which checks how conditions are written, and by {@code group} and
 * {@code build}, which use them. Open {@link org.starling.compute.internal.filter.Filter} first.
 */
@NullMarked
package org.starling.compute.internal.filter;

import org.jspecify.annotations.NullMarked;
