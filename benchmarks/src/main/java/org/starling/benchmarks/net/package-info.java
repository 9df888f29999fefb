/**
 * Messages between JVMs of one machine. {@link org.starling.benchmarks.net.NetBench} is called by
 * whoever runs benches: it takes a plan ({@code NetPlan}), measures contenders in turn and reports
 * ({@code NetReport}); studies of messages measure other plans with the same contenders. A
 * contender's nodes live in child JVMs ({@code Contender} there, {@code HostProcess} here). What is
 * sent, counted and compared is written once, in {@code WiredHost}, {@code Inlet} and {@code
 * Turns}; a contender is a {@code Wire} below them: {@code StarlingWire} has our network, {@code
 * NioWire} plain sockets, {@code NettyWire} Netty. {@code MemoryHost} copies memory instead. Start
 * with {@code NetBench}.
 */
@NullMarked
package org.starling.benchmarks.net;

import org.jspecify.annotations.NullMarked;
