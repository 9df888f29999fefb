package org.starling.compute.internal.graph;

/**
 * Where a job has a shard of a graph now, instead of where the graph's descriptor says: a peer has
 * joined or left the job. The chunks are the job's own copies, made under a number, as those of a
 * checkpoint.
 *
 * @param shard the shard
 * @param number the number
 * @param out first chunk of its rows of outgoing edges
 * @param in first chunk of its rows of incoming edges; 0 if none are stored
 * @param ids chunk of its ids
 * @param properties first chunk of its properties; 0 if there are none
 */
public record MovedShard(int shard, long number, long out, long in, long ids, long properties) {}
