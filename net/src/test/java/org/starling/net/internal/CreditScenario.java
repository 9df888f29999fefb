package org.starling.net.internal;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.starling.net.Execution;
import org.starling.net.Exporter;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NativeMemory;
import org.starling.net.TestLimits;

/**
 * The receiver of messages that workers handle, and a sender that counts what is confirmed, over
 * one connection and the ones that follow it, for Lincheck. The sender never believes that less is
 * under way than is; when all is done it knows of all but less than a step, and of no debt of an
 * earlier connection.
 */
public abstract class CreditScenario {

    static final TestLimits CONFIG =
            TestLimits.defaults()
                    .withWindowBytes(Limits.MIN_BUFFER_BYTES)
                    .withIncomingBufferBytes(Limits.MIN_BUFFER_BYTES);

    static final long STEP_BYTES = CONFIG.limits().windowBytes() / 8;

    /** More than half a step. */
    static final int FRAME_BYTES = 384;

    /** One scenario runs at a time; its links tell this transport. */
    static final AtomicBoolean SIGNAL = new AtomicBoolean();

    /** What workers have handled, noted before it is reported. */
    private static final AtomicLong HANDLED_BYTES = new AtomicLong();

    // Confined to the receiving thread, the last three are what the sender knows.
    private long takenBytes;
    private long sentBytes;
    private long confirmedBytes;

    CreditScenario() {
        SIGNAL.set(false);
        HANDLED_BYTES.set(0);
    }

    /** A message comes. */
    @Operation(nonParallelGroup = "receiving thread")
    public void receive() {
        if (sentBytes - confirmedBytes < CONFIG.limits().windowBytes()) {
            takenBytes += FRAME_BYTES;
            sentBytes += FRAME_BYTES;
            take();
        }
    }

    /** The sender closes the connection on purpose and opens the next one. */
    @Operation(nonParallelGroup = "receiving thread")
    public void reconnect() {
        long debt = part();
        check(debt);
        sentBytes = 0;
        confirmedBytes = -Math.min(debt, CONFIG.limits().windowBytes() / 2);
        connect();
    }

    /** The receiving thread looks at a link that has told it to. */
    @Operation(nonParallelGroup = "receiving thread")
    public void confirm() {
        if (SIGNAL.getAndSet(false)) {
            long position = takeConfirmation();
            if (position >= 0) {
                if (position <= confirmedBytes || position > sentBytes) {
                    throw new IllegalStateException(position + " after " + confirmedBytes);
                }
                check(sentBytes - position);
                confirmedBytes = position;
            }
        }
    }

    /** A worker has time. */
    @Operation
    public abstract void work();

    /** Checks the promise. */
    @Validate
    public void everyCreditComesBack() {
        while (HANDLED_BYTES.get() < takenBytes) {
            work();
        }
        while (SIGNAL.get()) {
            confirm();
        }
        if (sentBytes - confirmedBytes >= STEP_BYTES || confirmedBytes < 0) {
            throw new IllegalStateException(sentBytes + " sent, " + confirmedBytes + " confirmed");
        }
    }

    static void handled() {
        HANDLED_BYTES.addAndGet(FRAME_BYTES);
    }

    private void check(long underWay) {
        long undone = takenBytes - HANDLED_BYTES.get();
        if (underWay < undone) {
            throw new IllegalStateException(underWay + " under way, not done are " + undone);
        }
    }

    abstract void take();

    /** Ends the connection; returns bytes that are not done with. */
    abstract long part();

    abstract void connect();

    abstract long takeConfirmation();

    /** The links themselves. */
    public static final class Real extends CreditScenario {
        private static final long FRAME = frame();
        private static final Messenger MESSENGER = messenger();

        private final AtomicInteger scheduled = new AtomicInteger();
        private final WorkerLane[] lane = new WorkerLane[1];
        private final Backlog backlog =
                new Backlog(
                        new OrderedLane(Runnable::run),
                        next -> {
                            lane[0] = (WorkerLane) next;
                            scheduled.incrementAndGet();
                        });

        private IncomingLink link = new IncomingLink(2, MESSENGER, backlog);

        public Real() {
            link.attach(this); // an end that can confirm
        }

        @Override
        void take() {
            if (link.consume(FRAME, FRAME_BYTES) != FRAME_BYTES) {
                throw new IllegalStateException("the frame is not whole");
            }
        }

        @Override
        public void work() {
            int waiting = scheduled.get();
            if (waiting > 0 && scheduled.compareAndSet(waiting, waiting - 1)) {
                lane[0].run();
            }
        }

        @Override
        long part() {
            link.startParting();
            link.sayFarewell();
            return link.takeConfirmation() ^ ConfirmationLayout.FAREWELL;
        }

        @Override
        void connect() {
            link = new IncomingLink(2, MESSENGER, backlog);
            link.attach(this);
        }

        @Override
        long takeConfirmation() {
            return link.takeConfirmation();
        }

        private static Messenger messenger() {
            Messenger messenger = CONFIG.messenger(1, new DeafTransport(link -> SIGNAL.set(true)));
            messenger.handle(Load.TYPE, Execution.WORKER, (source, load) -> handled());
            return messenger;
        }

        private static long frame() {
            long frame = Arena.global().allocate(FRAME_BYTES, Long.BYTES).address();
            NativeMemory.putLong(
                    frame, FrameLayout.header(FrameLayout.MESSAGE, Load.TYPE.id(), FRAME_BYTES));
            int bytes = FRAME_BYTES - FrameLayout.HEADER_BYTES - 2; // of which 7 bits each
            NativeMemory.putByte(frame + FrameLayout.HEADER_BYTES, (byte) (bytes | 0x80));
            NativeMemory.putByte(frame + FrameLayout.HEADER_BYTES + 1, (byte) (bytes >>> 7));
            return frame;
        }
    }

    /** A message that fills a frame. */
    private record Load(int bytes) implements Message {
        private static final MessageType<Load> TYPE =
                new MessageType<>(103, "load", in -> new Load(in.readBytes().length));

        @Override
        public MessageType<Load> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            throw new UnsupportedOperationException("it is only read");
        }
    }

    /** Workers that add up what is done by looking and setting. */
    public static final class LosesCredits extends CreditScenario {
        private final AtomicInteger waiting = new AtomicInteger();
        private volatile long doneBytes;
        private volatile long confirmedPosition;
        private long basePosition;
        private long taken;

        @Override
        void take() {
            taken += FRAME_BYTES;
            waiting.incrementAndGet();
        }

        @Override
        public void work() {
            int tasks = waiting.get();
            if (tasks > 0 && waiting.compareAndSet(tasks, tasks - 1)) {
                handled();
                long done = doneBytes;
                doneBytes = done + FRAME_BYTES;
                SIGNAL.set(true);
            }
        }

        @Override
        long part() {
            return taken - doneBytes;
        }

        @Override
        void connect() {
            basePosition = taken;
            confirmedPosition = -STEP_BYTES;
            SIGNAL.set(true);
        }

        @Override
        long takeConfirmation() {
            long handled = doneBytes - basePosition;
            if (handled - confirmedPosition < STEP_BYTES) {
                return -1;
            }
            confirmedPosition = handled;
            return handled;
        }
    }
}
