package org.starling.compute.internal.run;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.starling.compute.internal.graph.MadeRecords;
import org.starling.net.Network;
import org.starling.net.RecordMessage;
import org.starling.net.RecordRequest;
import org.starling.store.ChunkService;

/**
 * What a slave lends to its runs and builds.
 *
 * @param node id of the node
 * @param network messages
 * @param chunks the store
 * @param team worker threads
 * @param memory scratch memory
 * @param records of chunks that attempts make
 */
public record NodeContext(
        int node,
        Network network,
        ChunkService chunks,
        WorkerTeam team,
        ZeroedMemory memory,
        MadeRecords records) {
    /** A slave answers another one from memory. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

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
