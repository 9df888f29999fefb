package org.starling.compute.internal.run;

import org.starling.net.Network;
import org.starling.store.ChunkService;

/**
 * What a slave lends to its runs and builds.
 *
 * @param node id of the node
 * @param network messages
 * @param chunks the store
 * @param team worker threads
 * @param memory scratch memory
 */
public record NodeContext(
        int node, Network network, ChunkService chunks, WorkerTeam team, ZeroedMemory memory) {}
