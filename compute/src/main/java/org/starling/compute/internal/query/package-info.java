/**
 * Questions about single vertices, answered in milliseconds beside whatever jobs do: neighbours,
 * values of columns, short paths. Superpeers and masters ask ({@link
 * org.starling.compute.internal.query.PointQueries}, the class to open first); each peer answers
 * for its own shards ({@link org.starling.compute.internal.query.PointService}), by small jobs on
 * threads that share no queue with those of jobs ({@link
 * org.starling.compute.internal.query.SmallJobs}). How losses and drops are survived stands in
 * docs/design/queries.md.
 */
@NullMarked
package org.starling.compute.internal.query;

import org.jspecify.annotations.NullMarked;
