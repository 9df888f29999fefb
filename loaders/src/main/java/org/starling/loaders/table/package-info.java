/**
 * Tables as files: rows of typed columns, as CSV, TSV, JSON lines, Parquet and Arrow. Tasks write
 * columns of vertices this way, conversions write edges, and sources of edges read such files.
 *
 * <p>Start with {@link org.starling.loaders.table.TableFormat}, which makes a {@link
 * org.starling.loaders.table.TableWriter}; rows go through a {@link
 * org.starling.loaders.table.TableBatch} in both directions.
 */
@NullMarked
package org.starling.loaders.table;

import org.jspecify.annotations.NullMarked;
