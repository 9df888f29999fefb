/**
 * Programs in supersteps on one slave.
 *
 * <p>The way of data: {@link org.starling.compute.internal.run.SlaveRun} gets a superstep command;
 * the team of workers first <em>delivers</em> what was broadcast (by push or pull, see {@link
 * org.starling.compute.internal.run.Delivery}), then <em>computes</em> shard by shard ({@link
 * org.starling.compute.internal.run.ShardLoop}); a channel's handle writes what the program sends
 * into {@link org.starling.compute.internal.run.Inbox} columns here or into {@link
 * org.starling.compute.internal.run.Outbox} blocks for other nodes. Messages that are not combined
 * go into blocks here and there, and are listed at the barrier ({@link
 * org.starling.compute.internal.run.RecordInbox}). Called by {@code group}. Open {@link
 * org.starling.compute.internal.run.SlaveRun} first.
 */
@NullMarked
package org.starling.compute.internal.run;

import org.jspecify.annotations.NullMarked;
