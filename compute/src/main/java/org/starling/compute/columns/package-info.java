/**
 * Columns of kept graphs, whole and in batches: what they are ({@link
 * org.starling.compute.columns.ColumnField}), one that is open ({@link
 * org.starling.compute.columns.ColumnTable}) and what comes of it ({@link
 * org.starling.compute.columns.ColumnBatch}). Superpeers make them of what lies in the store; API
 * endpoints write them out. Start with {@code ColumnTable}.
 */
@NullMarked
package org.starling.compute.columns;

import org.jspecify.annotations.NullMarked;
