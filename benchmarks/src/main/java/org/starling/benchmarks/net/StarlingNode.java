package org.starling.benchmarks.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.net.Execution;
import org.starling.net.NetConfig;
import org.starling.net.NetStatistics;
import org.starling.net.Network;
import org.starling.net.RawSender;
import org.starling.net.Transport;

/**
 * One node of our network. Raw blocks have the kinds of {@link Inlet} as their types. Handlers run
 * on the network's receiving thread, to which the ways back are confined.
 */
final class StarlingNode implements AutoCloseable {
    private final Network network;
    private final boolean whole;
    private final byte[] body;
    private final Inlet[] inlets;
    private final @Nullable Outlet[] backs;

    /** Opens a node. */
    StarlingNode(int id, NetPlan plan, Payload payload, Transport transport, NetConfig config) {
        this.network = Network.open(id, transport, config);
        this.whole = payload.isWhole();
        this.body = ObjectMessage.sharedBody(plan.bytes());
        this.inlets = new Inlet[plan.nodes() + 1];
        this.backs = new Outlet[inlets.length];
        Arrays.setAll(inlets, node -> new Inlet(payload));
        network.handleRaw(
                Inlet.DATA,
                (source, address, bytes) -> inlets[source].count(payload.read(address, bytes)));
        for (int kind : List.of(Inlet.PING, Inlet.PONG, Inlet.END, Inlet.TALLY)) {
            network.handleRaw(kind, (source, address, bytes) -> take(kind, source, address, bytes));
        }
        network.handle(
                ObjectMessage.TYPE,
                Execution.INLINE,
                (source, message) -> inlets[source].count(message.sum(whole)));
        network.serve(
                ObjectMessage.Question.TYPE,
                Execution.INLINE,
                (source, question) -> question.message());
    }

    /** Where it listens; 0 if it needs no port. */
    int port() {
        InetSocketAddress address = network.localAddress();
        return address == null ? 0 : address.getPort();
    }

    /** What comes from a node. */
    Inlet inlet(int source) {
        return inlets[source];
    }

    /** The raw way to a node for the thread that calls. */
    Outlet blocks(int target) {
        return new Blocks(network.raw(target));
    }

    /** The same for messages as objects. */
    Outlet objects(int target) {
        return new Objects(network.raw(target), target);
    }

    /** Sends a message to a node and compares what comes back. */
    void call(int target, long number) throws InterruptedException {
        ObjectMessage message = ObjectMessage.of(number, body);
        ObjectMessage answer =
                network.call(target, new ObjectMessage.Question(message), Inlet.PATIENCE);
        if (answer.sum(whole) != message.sum(whole)) {
            throw new WrongResultException("message %d came back changed".formatted(number));
        }
    }

    /** Writes in which messages left for a node. */
    long writes(int target) {
        for (NetStatistics.Connection connection : network.statistics().connections()) {
            if (connection.node() == target) {
                return connection.writes();
            }
        }
        return 0;
    }

    @Override
    public void close() {
        network.close();
    }

    private void take(int kind, int source, long address, int bytes) {
        Outlet back = backs[source];
        if (back == null) {
            back = blocks(source);
            backs[source] = back;
        }
        try {
            inlets[source].take(kind, address, bytes, back);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Raw blocks. */
    private static class Blocks implements Outlet {
        private final RawSender sender;

        Blocks(RawSender sender) {
            this.sender = sender;
        }

        @Override
        public long claim(int kind, int bytes) {
            return sender.claim(kind, bytes);
        }

        @Override
        public void commit() {
            sender.commit();
        }

        @Override
        public void flush() {
            sender.flush();
        }
    }

    /** Message objects; all else goes raw, behind them. */
    private final class Objects extends Blocks {
        private final int target;

        Objects(RawSender sender, int target) {
            super(sender);
            this.target = target;
        }

        @Override
        public long send(Payload payload, long number) {
            ObjectMessage message = ObjectMessage.of(number, body);
            network.send(target, message);
            return message.sum(whole);
        }
    }
}
