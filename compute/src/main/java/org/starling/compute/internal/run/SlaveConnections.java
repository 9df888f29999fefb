package org.starling.compute.internal.run;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BiFunction;
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

    /** More than it takes to find out that there can be no connection. */
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(10);

    private final IntUnaryOperator breaks;
    private final BiFunction<Integer, Duration, CompletableFuture<?>> ask;
    private final Slaves slaves;
    private final int[] before;

    /** By index of a slave: whether it is being asked. */
    private final AtomicIntegerArray underWay;

    /** The number of the wait that is under way; 0 before the first. */
    private final AtomicInteger waits = new AtomicInteger();

    /**
     * By index of a slave: the last wait in which it could not be reached, as far as is known. What
     * is found out too late stays with the wait that has asked.
     */
    private final AtomicIntegerArray unreachedIn;

    /**
     * Those of now. A slave with which one has broken before is asked first: when it answers it has
     * heard of that, so that it does not send over an end that is closed here.
     *
     * @param breaks how often the connection with a node has broken
     * @param ask asks a node something; ends when it answers, or in time; may wait until there is a
     *     connection, or none
     * @throws NodeLostException if one does not answer
     */
    SlaveConnections(
            IntUnaryOperator breaks,
            BiFunction<Integer, Duration, CompletableFuture<?>> ask,
            Slaves slaves) {
        this.breaks = breaks;
        this.ask = ask;
        this.slaves = slaves;
        this.before = new int[slaves.count()];
        this.underWay = new AtomicIntegerArray(before.length);
        this.unreachedIn = new AtomicIntegerArray(before.length);
        Map<Integer, CompletableFuture<?>> answers = new TreeMap<>();
        for (int i = 0; i < before.length; i++) {
            int node = slaves.node(i);
            if (i != slaves.selfIndex() && breaks.applyAsInt(node) > 0) {
                answers.put(node, ask.apply(node, TIMEOUT));
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
                network::breaks,
                (node, timeout) -> network.request(node, new Status(), timeout),
                slaves);
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

    /** A wait begins; one thread waits at a time. */
    void beginWait() {
        waits.incrementAndGet();
    }

    /**
     * Ends a wait that may have no end: something may be missing, or a slave was not reached when
     * it was asked, so that there may be no connection that could break.
     *
     * @throws NodeLostException if so
     */
    void checkWait() {
        check();
        int wait = waits.get();
        for (int i = 0; i < before.length; i++) {
            if (unreachedIn.get(i) == wait) {
                int silent = slaves.node(i);
                throw new NodeLostException(
                        silent, "node %d can't reach node %d".formatted(slaves.self(), silent));
            }
        }
    }

    /**
     * Sends something to all of them. An end that was not heard of, as the network was cut at that
     * moment, shows by that; and where there is no connection, that there can be none. Who does not
     * answer in time may be busy. Does not wait.
     */
    void probe() {
        for (int i = 0; i < before.length; i++) {
            int index = i;
            if (i != slaves.selfIndex() && underWay.compareAndSet(i, 0, 1)) {
                Thread.startVirtualThread(() -> probe(index));
            }
        }
    }

    private void probe(int index) {
        int node = slaves.node(index);
        int wait = waits.get();
        var _ =
                ask.apply(node, PROBE_TIMEOUT)
                        .whenComplete((_, failure) -> {
                            boolean isLost =
                                    failure instanceof NodeLostException
                                            || failure instanceof NodeUnknownException;
                            if (isLost) {
                                unreachedIn.set(index, wait);
                            }
                            underWay.set(index, 0);
                        });
    }
}
