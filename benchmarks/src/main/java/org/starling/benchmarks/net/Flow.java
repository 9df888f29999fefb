package org.starling.benchmarks.net;

/**
 * Messages of one node to another.
 *
 * @param from node that sends
 * @param to node that receives
 */
record Flow(int from, int to) {}
