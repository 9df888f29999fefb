package org.starling.benchmarks.studies;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.starling.net.Execution;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NativeMemory;
import org.starling.net.Network;
import org.starling.net.RawSender;

/**
 * Our messages between nodes of this process, as raw blocks or as objects; handlers run on the
 * receiving threads. Owns the nodes.
 */
final class StarlingOneWay implements OneWay {

    /** How messages are written. */
    enum Path {
        RAW,
        OBJECTS
    }

    private static final int RAW_TYPE = 1;
    private static final MessageType<Payload> TYPE =
            new MessageType<>(31_003, "payload", Payload::read);

    private final Nodes nodes;
    private final Path path;
    private final boolean mesh;
    private final List<Arrivals> arrivals = new ArrayList<>();

    private StarlingOneWay(Nodes nodes, Path path, boolean mesh) {
        this.nodes = nodes;
        this.path = path;
        this.mesh = mesh;
        for (int i = 0; i < nodes.count(); i++) {
            Arrivals mine = new Arrivals();
            arrivals.add(mine);
            listen(nodes.network(i), mine);
        }
    }

    /** All threads send from the first node to the second. */
    static StarlingOneWay pair(Nodes nodes, Path path) {
        return new StarlingOneWay(nodes, path, false);
    }

    /** A thread for each node, which sends to all other nodes in turn. */
    static StarlingOneWay mesh(Nodes nodes, Path path) {
        return new StarlingOneWay(nodes, path, true);
    }

    private static void listen(Network network, Arrivals arrivals) {
        network.handleRaw(
                RAW_TYPE,
                (source, address, bytes) -> {
                    long mark =
                            bytes >= Long.BYTES
                                    ? NativeMemory.getLong(address)
                                    : NativeMemory.getByte(address) & 0xFF;
                    arrivals.take(mark, bytes);
                });
        network.handle(
                TYPE,
                Execution.INLINE,
                (source, payload) -> arrivals.take(payload.mark(), payload.bytes()));
    }

    @Override
    public Sender sender(int member) {
        Network from = nodes.network(mesh ? member : 0);
        int[] targets =
                mesh
                        ? IntStream.range(0, nodes.count())
                                .filter(i -> i != member)
                                .map(Nodes::id)
                                .toArray()
                        : new int[] {Nodes.id(1)};
        return path == Path.RAW ? new Blocks(from, targets) : new Objects(from, targets);
    }

    @Override
    public List<Arrivals> arrivals() {
        return List.copyOf(arrivals);
    }

    @Override
    public void close() {
        nodes.close();
    }

    /** Sends raw blocks. */
    private static final class Blocks implements Sender {
        private final RawSender[] targets;
        private int next;

        Blocks(Network from, int[] nodes) {
            targets = IntStream.of(nodes).mapToObj(from::raw).toArray(RawSender[]::new);
        }

        @Override
        public void send(long number, int bytes) {
            RawSender to = targets[next];
            next = next + 1 == targets.length ? 0 : next + 1;
            long address = to.claim(RAW_TYPE, bytes);
            if (bytes >= Long.BYTES) {
                NativeMemory.putLong(address, number);
                NativeMemory.fill(address + Long.BYTES, (long) bytes - Long.BYTES, (byte) number);
            } else {
                NativeMemory.fill(address, bytes, (byte) number);
            }
            to.commit();
        }

        @Override
        public void flush() {
            for (RawSender target : targets) {
                target.flush();
            }
        }
    }

    /** Sends message objects. */
    private static final class Objects implements Sender {
        private final Network from;
        private final int[] targets;
        private byte[] room = {};
        private int next;

        Objects(Network from, int[] targets) {
            this.from = from;
            this.targets = targets;
        }

        @Override
        public void send(long number, int bytes) {
            if (room.length < bytes) {
                room = new byte[bytes];
            }
            from.send(targets[next], new Payload(number, bytes, room));
            next = next + 1 == targets.length ? 0 : next + 1;
        }

        @Override
        public void flush() {
            // objects leave by themselves
        }
    }

    /** A mark and what follows it. */
    private static final class Payload implements Message {
        private final long number;
        private final int bytes;
        private final byte[] content;

        /**
         * A payload.
         *
         * @param bytes of mark and content together
         * @param content has at least as many bytes as follow the mark
         */
        Payload(long number, int bytes, byte[] content) {
            this.number = number;
            this.bytes = bytes;
            this.content = content;
        }

        long mark() {
            return Arrivals.mark(number, bytes);
        }

        int bytes() {
            return bytes;
        }

        @Override
        public MessageType<Payload> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeCompactInt(bytes);
            if (bytes < Long.BYTES) {
                out.writeByte((byte) number);
            } else {
                out.writeLong(number);
            }
            out.writeBytes(content, 0, contentBytes(bytes));
        }

        private static Payload read(Importer in) {
            int bytes = in.readCompactInt();
            long number = bytes < Long.BYTES ? in.readByte() : in.readLong();
            byte[] content = in.readBytes();
            if (content.length != contentBytes(bytes)) {
                throw new MalformedMessageException("a payload of %d bytes".formatted(bytes));
            }
            return new Payload(number, bytes, content);
        }

        private static int contentBytes(int bytes) {
            return bytes - (bytes < Long.BYTES ? 1 : Long.BYTES);
        }
    }
}
