package org.starling.graph;

/**
 * A shard program whose workers also work together: in every superstep, when all shards of a node
 * have been computed, each worker of that node is called once more, all at the same time.
 *
 * <p>That is the place for work that follows edges from shard to shard within a node, without a
 * superstep for each step. What such workers share is an object of {@link Declaration#perNode} that
 * is safe for use by several threads.
 */
public interface TeamProgram extends ShardProgram {
    /**
     * The second half of a superstep. States of all vertices of this node may be read and written
     * here, and messages be sent; what was received, broadcasts and mirrors belong to {@link
     * #compute}. Contributions to aggregators count as those of the node's first shard; as workers
     * come in any order, those of floating point sums and of {@code ANY} are refused.
     */
    void together(Team team);
}
