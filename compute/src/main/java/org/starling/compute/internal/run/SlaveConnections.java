package org.starling.compute.internal.run;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.starling.compute.internal.protocol.QueryMessage.Status;
import org.starling.net.Network;
import org.starling.net.NodeLostException;
import org.starling.net.NodeUnknownException;

/**
 * Tells whether what other slaves have sent since a run or build began can have got lost: a
 * connection may break though both its nodes live on, and blocks then go over a new one as if
 * nothing were missing. Any thread.
 */
public final class SlaveConnections {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int NOBODY = -1;

    private final IntUnaryOperator breaks;
    private final IntFunction<CompletableFuture<?>> ask;
    private final Slaves slaves;
    private final int[] before;

    /** One that could not be reached. */
    private volatile int unreachable = NOBODY;

    /**
     * Those of now. A slave with which one has broken before is asked first: when it answers it has
     * heard of that, so that it does not send over an end that is closed here.
     *
     * @param breaks how often the connection with a node has broken
     * @param ask asks a node something; ends when it answers, or in time
     * @throws NodeLostException if one does not answer
     */
    SlaveConnections(
            IntUnaryOperator breaks, IntFunction<CompletableFuture<?>> ask, Slaves slaves) {
        this.breaks = breaks;
        this.ask = ask;
        this.slaves = slaves;
        this.before = new int[slaves.count()];
        Map<Integer, CompletableFuture<?>> answers = new TreeMap<>();
        for (int i = 0; i < before.length; i++) {
            int node = slaves.node(i);
            if (i != slaves.selfIndex() && breaks.applyAsInt(node) > 0) {
                answers.put(node, ask.apply(node));
            }
        }
        answers.forEach(this::require);
        for (int i = 0; i < before.length; i++) {
            before[i] = breaks.applyAsInt(slaves.node(i));
        }
    }

    /** Those of now; no slave may have begun to send. */
    public static SlaveConnections of(Network network, Slaves slaves) {
        return new SlaveConnections(
                network::breaks, node -> network.request(node, new Status(), TIMEOUT), slaves);
    }

    private void require(int node, CompletableFuture<?> answer) {
        try {
            answer.join();
        } catch (CompletionException failed) {
            throw new NodeLostException(
                    node, "node %d does not answer node %d".formatted(node, slaves.self()));
        }
    }

    /**
     * Ends the caller if something may be missing.
     *
     * @throws NodeLostException if so
     */
    void check() {
        int silent = unreachable;
        if (silent != NOBODY) {
            throw new NodeLostException(
                    silent, "node %d can't reach node %d".formatted(slaves.self(), silent));
        }
        for (int i = 0; i < before.length; i++) {
            int node = slaves.node(i);
            if (breaks.applyAsInt(node) != before[i]) {
                throw new NodeLostException(
                        node,
                        "the connection between the nodes %d and %d broke, and blocks may be lost"
                                .formatted(slaves.self(), node));
            }
        }
    }

    /**
     * Sends something to all of them. An end that was not heard of, as the network was cut at that
     * moment, shows by that; and where there is no connection, that there can be none. Who does not
     * answer in time may be busy.
     */
    void probe() {
        for (int i = 0; i < before.length; i++) {
            int node = slaves.node(i);
            if (i != slaves.selfIndex()) {
                var _ =
                        ask.apply(node)
                                .whenComplete((_, failure) -> {
                                    if (failure instanceof NodeLostException
                                            || failure instanceof NodeUnknownException) {
                                        unreachable = node;
                                    }
                                });
            }
        }
    }
}
