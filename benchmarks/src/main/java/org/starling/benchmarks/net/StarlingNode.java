package org.starling.benchmarks.net;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.starling.net.Execution;
import org.starling.net.NativeMemory;
import org.starling.net.NetConfig;
import org.starling.net.NetStatistics;
import org.starling.net.Network;
import org.starling.net.RawSender;
import org.starling.net.Transport;

/**
 * One node: counts and sums up what comes to it, sends back what asks for that, and tells by
 * request what came. Handlers run on the network's receiving thread, which alone touches the
 * counts.
 */
final class StarlingNode implements AutoCloseable {
    static final int DATA = 1;
    static final int PING = 2;
    static final int PONG = 3;
    static final int START = 4;
    static final int STARTED = 5;

    private final Network network;
    private final Content content;

    /** By source. Confined to the receiving thread. */
    private final long[] messages;

    /** By source. Confined to the receiving thread. */
    private final long[] sums;

    /** By target. */
    private final Map<Integer, StarlingTurns> turns = new ConcurrentHashMap<>();

    private StarlingNode(Network network, int nodes, Content content) {
        this.network = network;
        this.content = content;
        this.messages = new long[nodes + 1];
        this.sums = new long[nodes + 1];
    }

    /** Opens a node. */
    static StarlingNode open(
            int id, NetPlan plan, Content content, Transport transport, NetConfig config) {
        StarlingNode node =
                new StarlingNode(Network.open(id, transport, config), plan.nodes(), content);
        node.register();
        return node;
    }

    int id() {
        return network.nodeId();
    }

    Network network() {
        return network;
    }

    Content content() {
        return content;
    }

    /** Where it listens; 0 if it needs no port. */
    int port() {
        InetSocketAddress address = network.localAddress();
        return address == null ? 0 : address.getPort();
    }

    /** Asks a node what came to it from this one since the last time. */
    CompletableFuture<Tally> tally(int target) {
        return network.request(target, new TallyQuestion()).thenApply(TallyAnswer::tally);
    }

    /** Round trips with a node. */
    StarlingTurns turns(int target) {
        return turns.computeIfAbsent(target, node -> new StarlingTurns(network, node, content.payload()));
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

    private void register() {
        Payload payload = content.payload();
        SampleContent sample = content.sample();
        network.handleRaw(
                DATA,
                (source, address, bytes) -> {
                    messages[source]++;
                    sums[source] += payload.read(address, bytes);
                });
        network.handle(
                SampleMessage.TYPE,
                Execution.INLINE,
                (source, message) -> {
                    messages[source]++;
                    sums[source] += sample.sum(message);
                });
        network.serve(
                TallyQuestion.TYPE, Execution.INLINE, (source, question) -> answer(source));
        network.serve(
                SampleRequest.TYPE,
                Execution.INLINE,
                (source, request) -> request.back());
        network.handleRaw(PING, (source, address, bytes) -> echo(source, PONG, address, bytes));
        network.handleRaw(START, (source, address, bytes) -> echo(source, STARTED, address, bytes));
        network.handleRaw(PONG, (source, address, bytes) -> turns(source).next(address, bytes));
        network.handleRaw(STARTED, (source, address, bytes) -> turns(source).begin());
    }

    private TallyAnswer answer(int source) {
        TallyAnswer answer = new TallyAnswer(new Tally(messages[source], sums[source]));
        messages[source] = 0;
        sums[source] = 0;
        return answer;
    }

    private void echo(int source, int type, long address, int bytes) {
        RawSender sender = network.raw(source);
        NativeMemory.copy(address, sender.claim(type, bytes), bytes);
        sender.commit();
    }
}
