/**
 * Statistics of degrees. Tasks call {@link org.starling.algorithms.degrees.DegreeStatistics}; open
 * it first.
 */
@NullMarked
package org.starling.algorithms.degrees;

import org.jspecify.annotations.NullMarked;
