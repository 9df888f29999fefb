package org.starling.graph;

/**
 * A program that gets whole shards and owns its loops.
 *
 * <p>{@link #compute} is called in every superstep for every shard, for different shards in
 * parallel. The program ends after a superstep in which nothing was sent, broadcast or published,
 * or when {@link Master#halt()} is called.
 */
public non-sealed interface ShardProgram extends Program {
    /** One superstep of one shard. */
    void compute(Shard shard);

    /**
     * Between two supersteps, before a checkpoint is written: what the program keeps in fields or
     * in {@link Declaration#perNode} for the vertices of a shard goes into states. Called for every
     * shard, for different ones in parallel; nothing may be sent, broadcast, published or added
     * here.
     */
    default void save(Shard shard) {}
}
