package org.starling.net.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.starling.net.AsyncServer;
import org.starling.net.Execution;
import org.starling.net.Exporter;
import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;
import org.starling.net.TestLimits;
import org.starling.net.Transport;

/**
 * What reads bytes of strangers in this room: each target takes any bytes and must end with {@link
 * MalformedMessageException} at worst. Entry point of Jazzer, whose one argument names the target;
 * {@link NetFuzzTest} runs the targets over known inputs.
 */
@SuppressWarnings("ImmutableEnumChecker") // its functions hold nothing
public enum NetFuzz {
    /** A stream after the handshake, in two reads: frames, fragments and what they carry. */
    FRAMES(NetFuzz::frames, FrameSamples.streams()),
    /** As FRAMES, with sound headers wherever a frame begins. */
    SOUND_FRAMES(input -> frames(FrameSamples.repaired(input)), FrameSamples.streams()),
    HANDSHAKE(NetFuzz::handshake, FrameSamples.handshakes()),
    CONFIRMATION(NetFuzz::confirmation, FrameSamples.confirmations()),
    UCX_HELLO(NetFuzz::ucxHello, FrameSamples.hellos()),
    /** Fields of all types, in an order that the input names. */
    FIELDS(NetFuzz::fields, FrameSamples.fields());

    /** What takes bytes. */
    interface Body {
        void run(byte[] input) throws IOException;
    }

    private static final TestLimits CONFIG =
            TestLimits.defaults()
                    .withIncomingBufferBytes(8 << 10)
                    .withRingBytes(16 << 10)
                    .withMaxMessageBytes(64 << 10)
                    .withWorkers(1, 1);

    private static final int PEER = 9;
    private static NetFuzz chosen = FRAMES;

    private final Body body;
    private final List<byte[]> samples;

    NetFuzz(Body body, List<byte[]> samples) {
        this.body = body;
        this.samples = samples;
    }

    /** Writes the good inputs of all targets to {@code DIRECTORY/TARGET/NUMBER}. */
    public static void main(String[] arguments) throws IOException {
        for (NetFuzz target : values()) {
            Path folder = Files.createDirectories(Path.of(arguments[0], target.name()));
            for (byte[] sample : target.samples()) {
                Files.write(folder.resolve(Integer.toHexString(Arrays.hashCode(sample))), sample);
            }
        }
    }

    /** Called by Jazzer. */
    public static void fuzzerInitialize(String[] arguments) {
        chosen = valueOf(arguments[0]);
    }

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        chosen.run(input);
    }

    /** Good inputs. */
    List<byte[]> samples() {
        return samples;
    }

    /** Takes any bytes. */
    void run(byte[] input) {
        if (this == CONFIRMATION) {
            Objects.requireNonNull(Node.ONLY); // is made now: its memory stays
        }
        long before = NativeMemory.reservedBytes();
        try {
            body.run(input);
        } catch (MalformedMessageException | IOException e) {
            expected(e);
        }
        if (this != FRAMES && this != SOUND_FRAMES && NativeMemory.reservedBytes() != before) {
            throw new IllegalStateException("native memory is left behind");
        }
    }

    /** What bad bytes may lead to; it must have something to say. */
    private static void expected(Exception refusal) {
        if (refusal.getMessage() == null && refusal instanceof MalformedMessageException) {
            throw new IllegalStateException("says nothing", refusal);
        }
    }

    // ---- frames
    // -----------------------------------------------------------------------------------------------

    /** A node whose only connection is the fuzzer; kept for all inputs. */
    private static final class Node {
        private static final Node ONLY = new Node();

        private final Transport transport = new DeafTransport(NetFuzz::confirm);
        private final Messenger messenger = CONFIG.messenger(1, transport);
        private final ReceiveBuffer buffer =
                new ReceiveBuffer(CONFIG.limits().incomingBufferBytes());
        private final long room = NativeMemory.reserve(CONFIG.limits().incomingBufferBytes());

        private Node() {
            messenger.open(() -> transport.start(messenger));
            messenger.handle(FrameSamples.Note.TYPE, Execution.INLINE, (source, m) -> {});
            messenger.handle(FrameSamples.Letter.TYPE, Execution.ORDERED, (source, m) -> {});
            AsyncServer<FrameSamples.Question, FrameSamples.Note> server =
                    (source, q, responder) -> responder.respond(new FrameSamples.Note(1));
            messenger.serve(FrameSamples.Question.TYPE, Execution.INLINE, server);
            messenger.handleRaw(3, (source, address, bytes) -> checkReadable(address, bytes));
        }

        private static void checkReadable(long address, int bytes) {
            NativeMemory.getByte(address);
            NativeMemory.getByte(address + bytes - 1);
        }

        /** Receives as a transport does. */
        void receive(byte[] input) {
            IncomingLink link = messenger.accept(PEER);
            try {
                int done = 0;
                while (done < input.length && !link.isGoodbye()) {
                    int piece = Math.min(input.length - done, 1 + (input[done] & 0xFF));
                    NativeMemory.copyFromArray(input, done, room, piece);
                    int taken = buffer.fill(room, piece);
                    int used = link.consume(buffer.startAddress(), buffer.bytes());
                    if (used < 0 || used > buffer.bytes()) {
                        throw new IllegalStateException("used " + used + " bytes");
                    }
                    buffer.handled(used, CONFIG.limits().incomingBufferBytes() / 2);
                    if (taken == 0 && used == 0) {
                        throw new IllegalStateException("the stream stands still");
                    }
                    done += taken;
                }
            } catch (MalformedMessageException e) {
                messenger.malformed(link, e);
                throw e;
            } finally {
                buffer.clear();
                messenger.lost(link, "over");
                messenger.doWork();
                awaitWorkers(link);
            }
        }

        /** Until large messages are released, or what comes next would seem to have done that. */
        private static void awaitWorkers(IncomingLink link) {
            while (link.backlog().heldBytes() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    private static void confirm(Link link) {
        if (link instanceof IncomingLink in) {
            in.takeConfirmation();
        }
    }

    private static void frames(byte[] input) {
        Node.ONLY.receive(input);
        if (NativeMemory.reservedBytes() > 64 << 20) {
            throw new IllegalStateException("native memory grows");
        }
    }

    // ---- what comes before and beside frames
    // ------------------------------------------------------------------

    private static void handshake(byte[] input) {
        inNative(
                Arrays.copyOf(input, HandshakeLayout.BYTES),
                address -> HandshakeLayout.check(address, 7));
    }

    private static void confirmation(byte[] input) {
        OutgoingLink link = new OutgoingLink(2, Node.ONLY.messenger);
        try {
            inNative(
                    Arrays.copyOf(input, ConfirmationLayout.BYTES),
                    address -> {
                        if (link.confirm(ConfirmationLayout.position(address))
                                && link.unconfirmedBytes() != 0) {
                            throw new IllegalStateException("confirms what was never claimed");
                        }
                    });
        } finally {
            link.close(LinkState.LOST, "over");
            link.tryRelease();
        }
    }

    private static void ucxHello(byte[] input) throws IOException {
        UcxHello hello = UcxHello.read(new ByteArrayInputStream(input), 7);
        UcxHello again = UcxHello.read(new ByteArrayInputStream(hello.bytes()), 7);
        if (!Arrays.equals(again.bytes(), hello.bytes())) {
            throw new IllegalStateException("a hello is written otherwise than it was read");
        }
    }

    // ---- fields
    // -----------------------------------------------------------------------------------------------

    /** Reads fields, writes what was read, and reads the same again. */
    private static void fields(byte[] input) {
        int kinds = input.length == 0 ? 0 : Math.min(input[0] & 0x1F, input.length - 1);
        byte[] content = Arrays.copyOfRange(input, Math.min(input.length, 1 + kinds), input.length);
        byte[] order = kinds == 0 ? new byte[0] : Arrays.copyOfRange(input, 1, 1 + kinds);
        List<Object> read = new ArrayList<>();
        inNative(
                content,
                address -> {
                    NativeImporter in = new NativeImporter();
                    in.start(address, content.length);
                    for (byte kind : order) {
                        read.add(FrameSamples.read(kind, in));
                    }
                });
        CountingExporter counter = new CountingExporter();
        write(order, read, counter);
        inNative(
                new byte[(int) counter.bytes()],
                address -> {
                    NativeExporter out = new NativeExporter();
                    out.room(address, counter.bytes(), null);
                    write(order, read, out);
                    NativeImporter in = new NativeImporter();
                    in.start(address, (int) counter.bytes());
                    for (int i = 0; i < order.length; i++) {
                        if (!Arrays.deepEquals(
                                new Object[] {read.get(i)},
                                new Object[] {FrameSamples.read(order[i], in)})) {
                            throw new IllegalStateException("a field is not what it was");
                        }
                    }
                    if (in.remaining() != 0) {
                        throw new IllegalStateException("counted more than written");
                    }
                });
    }

    private static void write(byte[] order, List<Object> values, Exporter out) {
        for (int i = 0; i < order.length; i++) {
            FrameSamples.write(order[i], values.get(i), out);
        }
    }

    private interface NativeBody {
        void run(long address);
    }

    private static void inNative(byte[] bytes, NativeBody body) {
        int room = Math.max(8, bytes.length);
        long address = NativeMemory.reserve(room);
        try {
            NativeMemory.copyFromArray(bytes, 0, address, bytes.length);
            body.run(address);
        } finally {
            NativeMemory.release(address, room);
        }
    }
}
