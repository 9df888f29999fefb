package org.starling.compute.internal.run;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.starling.compute.internal.graph.MadeRecords;
import org.starling.compute.internal.graph.MadeRemoval;
import org.starling.net.Network;
import org.starling.net.RecordMessage;
import org.starling.net.RecordRequest;
import org.starling.store.ChunkService;
import org.starling.store.StoreNode;

/**
 * What a slave lends to its runs and builds.
 *
 * @param node id of the node
 * @param network messages
 * @param chunks the store
 * @param team worker threads
 * @param memory scratch memory
 * @param records of chunks that attempts make
 * @param removal of such chunks, that of this process
 */
public record NodeContext(
        int node,
        Network network,
        ChunkService chunks,
        WorkerTeam team,
        ZeroedMemory memory,
        MadeRecords records,
        MadeRemoval removal) {
    /** A slave answers another one from memory. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    /** That of a node with its own directory and chunks. */
    public static NodeContext of(
            StoreNode store, WorkerTeam team, ZeroedMemory memory, MadeRemoval removal) {
        return new NodeContext(
                store.nodeId(),
                store.network(),
                store.chunks(),
                team,
                memory,
                new MadeRecords(store.names()),
                removal);
    }

    /** That of a master, which makes no chunks. */
    public static NodeContext ofMaster(StoreNode store) {
        return of(
                store,
                new WorkerTeam("master", 0),
                new ZeroedMemory(),
                new MadeRemoval(store.names(), store.chunks(), store.nodeId()));
    }

    /** Asks another slave and waits for its answer; what went wrong there is thrown here. */
    public <A extends RecordMessage, Q extends RecordRequest<A>> A ask(int slave, Q question) {
        try {
            return network.request(slave, question, ANSWER_TIMEOUT).join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failed;
        }
    }
}
