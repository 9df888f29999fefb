/**
 * Measurements of the messaging layer between JVMs of one machine. {@link
 * org.starling.benchmarks.net.NetBench} is called by whoever runs benches: it takes a plan ({@code
 * NetPlan}), measures contenders in turn and reports ({@code NetReport}). A contender's nodes live
 * in child JVMs ({@code HostedContender} there, {@code HostProcess} here), as a {@code Host}: {@code
 * StarlingHost} has our network, {@code NioHost} plain sockets, {@code MemoryHost} memory alone.
 *
 * <p>{@link org.starling.benchmarks.net.ChildJvm} starts a JVM and talks to it line by line, {@link
 * org.starling.benchmarks.net.ParentLine} is the child's end of that line; both are of use for any
 * benchmark. Start with {@code NetBench}.
 */
@NullMarked
package org.starling.benchmarks.net;

import org.jspecify.annotations.NullMarked;
