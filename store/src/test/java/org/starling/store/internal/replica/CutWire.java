package org.starling.store.internal.replica;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.starling.net.Message;
import org.starling.net.NodeUnknownException;
import org.starling.net.Request;

/**
 * A way to backups on which one direction can be cut: nothing arrives, and nobody is told. It can
 * also lead to nodes whose addresses are not known yet.
 */
final class CutWire implements BackupWire {
    private final BackupWire wire;
    private final Map<Integer, Queue<CompletableFuture<?>>> cut = new ConcurrentHashMap<>();

    /** How often unknown nodes were asked. */
    private final Map<Integer, Integer> unknown = new ConcurrentHashMap<>();

    CutWire(BackupWire wire) {
        this.wire = wire;
    }

    /** From now on nothing that is sent to the node arrives. */
    void cut(int node) {
        cut.put(node, new ConcurrentLinkedQueue<>());
    }

    void mend(int node) {
        giveUp(node);
        cut.remove(node);
    }

    /** From now on nobody knows the node. */
    void forget(int node) {
        unknown.put(node, 0);
    }

    /** How often a node was asked that nobody knows. */
    int askedInVain(int node) {
        return unknown.getOrDefault(node, 0);
    }

    void hearOf(int node) {
        unknown.remove(node);
    }

    @Override
    public <R extends Message> CompletableFuture<R> ask(int node, Request<R> request) {
        if (unknown.computeIfPresent(node, (_, asked) -> asked + 1) != null) {
            return CompletableFuture.failedFuture(
                    new NodeUnknownException(node, "the address book has no node " + node));
        }
        Queue<CompletableFuture<?>> unanswered = cut.get(node);
        if (unanswered == null) {
            return wire.ask(node, request);
        }
        CompletableFuture<R> future = new CompletableFuture<>();
        unanswered.add(future);
        return future;
    }

    @Override
    public void giveUp(int node) {
        Queue<CompletableFuture<?>> unanswered = cut.get(node);
        if (unanswered == null) {
            wire.giveUp(node);
            return;
        }
        for (CompletableFuture<?> each = unanswered.poll();
                each != null;
                each = unanswered.poll()) {
            each.completeExceptionally(new IllegalStateException("the connection was given up"));
        }
    }
}
