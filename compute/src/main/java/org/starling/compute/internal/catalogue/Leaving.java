package org.starling.compute.internal.catalogue;

import java.util.List;
import org.starling.store.ChunkId;

/**
 * Chunks of a graph or of columns that belong to nobody any more, until they are removed. What was
 * dropped comes here first, and what is not finished stands here until it is.
 *
 * <p>Ids of removed chunks are given to others. So before anything is removed, the chunks that tell
 * are overwritten with the token; then they are marked, and only what bears the token is removed.
 *
 * @param token drawn at random
 * @param marked whether all chunks that tell bear the token
 * @param remover node that removes it; -1 if nobody does yet
 * @param life of that node's process
 * @param job that may still need it while it runs; 0 if none does
 * @param descriptor chunk of the descriptor of a graph that goes with all its rows; 0 if the
 *     columns alone go
 * @param manifests of columns
 */
public record Leaving(
        long token,
        boolean marked,
        int remover,
        long life,
        long job,
        long descriptor,
        List<Long> manifests) {
    /** Nobody. */
    public static final int NOBODY = -1;

    /** Copies the list. */
    public Leaving {
        manifests = List.copyOf(manifests);
    }

    /** A graph with its columns. */
    public static Leaving of(long token, long job, KeptGraph graph) {
        List<Long> manifests = graph.columns().stream().map(KeptColumn::manifest).toList();
        return new Leaving(token, false, NOBODY, 0, job, graph.descriptor(), manifests);
    }

    /** A column alone. */
    public static Leaving of(long token, long job, long manifest) {
        return new Leaving(token, false, NOBODY, 0, job, 0, List.of(manifest));
    }

    /** Whether any of it has backups. */
    boolean hasBackups() {
        return ChunkId.isReplicated(descriptor)
                || manifests.stream().anyMatch(ChunkId::isReplicated);
    }

    Leaving claimed(int node, long ofLife) {
        return new Leaving(token, marked, node, ofLife, job, descriptor, manifests);
    }

    Leaving withMark() {
        return new Leaving(token, true, remover, life, job, descriptor, manifests);
    }
}
