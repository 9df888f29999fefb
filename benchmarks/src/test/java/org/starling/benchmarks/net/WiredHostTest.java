package org.starling.benchmarks.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.benchmarks.harness.WrongResultException;
import org.starling.net.NativeMemory;
import org.starling.net.Waiting;

/** Whether a wire that does not bring what was sent is noticed. */
final class WiredHostTest {
    /** Long enough for 40 messages, also where another process has the core for a while. */
    private static final Duration SHORT = Duration.ofMillis(100);

    /** What goes wrong with the 40th message. */
    enum Fault {
        NONE,
        LOST,
        DOUBLED,
        FALSIFIED
    }

    @ParameterizedTest
    @CsvSource({
        "ONEWAY, NONE",
        "ONEWAY, LOST",
        "ONEWAY, DOUBLED",
        "ONEWAY, FALSIFIED",
        "ROUNDTRIP, NONE",
        "ROUNDTRIP, FALSIFIED"
    })
    void acceptsOnlyWhatWasSent(NetPlan.Mode mode, Fault fault) throws Exception {
        NetPlan plan =
                mode == NetPlan.Mode.ONEWAY
                        ? NetPlan.oneWay(NetPlan.Path.RAW, 16, 1)
                        : NetPlan.roundTrips(NetPlan.Path.RAW, 16, 1, 1, Waiting.SLEEP);
        Payload payload = new Payload(plan.bytes(), false);

        try (WiredHost host =
                new WiredHost(plan, List.of(2), payload, new Faulty(payload, fault))) {
            if (fault == Fault.NONE) {
                assertThat(host.measure(SHORT).messages()).isGreaterThan(40);
            } else {
                assertThatThrownBy(() -> host.measure(SHORT))
                        .isInstanceOf(WrongResultException.class);
            }
        }
    }

    /** Brings frames to the far end at once, and from there by a thread of its own. */
    private static final class Faulty implements Wire {
        private static final int FRAME_BYTES = 64;

        /** A frame on its way back; its payload stays where it is until the next one is sent. */
        private record Frame(int kind, int bytes) {}

        private final Inlet far;
        private final Inlet near;
        private final Fault fault;
        private final long forth = NativeMemory.reserve(FRAME_BYTES);
        private final long back = NativeMemory.reserve(FRAME_BYTES);
        private final BlockingQueue<Frame> coming = new LinkedBlockingQueue<>();
        private final Thread pump = Thread.ofPlatform().daemon().unstarted(this::pump);
        private int messages;

        Faulty(Payload payload, Fault fault) {
            this.far = new Inlet(payload);
            this.near = new Inlet(payload);
            this.fault = fault;
            pump.start();
        }

        @Override
        public Map<Integer, Integer> listen() {
            return Map.of(2, 0);
        }

        @Override
        public void connect(Map<Integer, Integer> ports) {
            // there is one connection
        }

        @Override
        public Outlet outlet(Flow flow) {
            Outlet answers = new Slot(back, (kind, bytes) -> coming.add(new Frame(kind, bytes)));
            return new Slot(forth, (kind, bytes) -> bring(kind, bytes, answers));
        }

        @Override
        public Inlet inlet(Flow flow) {
            return near;
        }

        @Override
        public long writes(Flow flow) {
            return 0;
        }

        @Override
        public void close() {
            pump.interrupt();
            while (pump.isAlive()) {
                Thread.onSpinWait(); // it ends at once
            }
            NativeMemory.release(forth, FRAME_BYTES);
            NativeMemory.release(back, FRAME_BYTES);
        }

        private void bring(int kind, int bytes, Outlet answers) throws IOException {
            boolean message = kind == Inlet.DATA || kind == Inlet.PING;
            boolean wrong = message && ++messages == 40;
            if (wrong && fault == Fault.FALSIFIED) {
                NativeMemory.putLong(forth, -1);
            }
            if (!wrong || fault != Fault.LOST) {
                far.take(kind, forth, bytes, answers);
            }
            if (wrong && fault == Fault.DOUBLED) {
                far.take(kind, forth, bytes, answers);
            }
        }

        private void pump() {
            Outlet again = outlet(new Flow(2, 1));
            try {
                while (true) {
                    Frame frame = coming.take();
                    near.take(frame.kind, back, frame.bytes, again);
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    /** What a slot does with a frame. */
    private interface Bringing {
        void bring(int kind, int bytes) throws IOException;
    }

    /** Room for one frame. */
    private static final class Slot implements Outlet {
        private final long address;
        private final Bringing bringing;
        private int kind;
        private int bytes;

        Slot(long address, Bringing bringing) {
            this.address = address;
            this.bringing = bringing;
        }

        @Override
        public long claim(int frameKind, int frameBytes) {
            kind = frameKind;
            bytes = frameBytes;
            return address;
        }

        @Override
        public void commit() throws IOException {
            bringing.bring(kind, bytes);
        }

        @Override
        public void flush() {
            // nothing is kept back
        }
    }
}
