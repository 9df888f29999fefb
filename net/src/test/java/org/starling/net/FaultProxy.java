package org.starling.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between real sockets that treats the bytes of each direction as a plan says, which is
 * drawn from a seed. It knows nothing of frames, so whatever is spoken through it can be plain or
 * encrypted.
 *
 * <p>Owned by a test. Each connection has one thread per direction; a thread's random numbers are
 * its own, so what it does to the bytes at a position depends on the seed alone.
 */
final class FaultProxy implements AutoCloseable {

    /** Which way bytes go on a socket. */
    enum Direction {
        /** From the node that has connected: handshake and frames. */
        DATA,
        /** Back to it: handshake and confirmations. */
        CONFIRMATIONS
    }

    /** How bytes are passed on; whatever it is, all arrive. */
    enum Pace {
        STEADY,
        DELAYED,
        SINGLE_BYTES,
        CUT,
        COALESCED,
        /** Another one of the above from time to time. */
        MIXED
    }

    /** What {@link Pace#MIXED} takes in turns. */
    private static final List<Pace> SIMPLE_PACES =
            List.of(Pace.STEADY, Pace.DELAYED, Pace.SINGLE_BYTES, Pace.CUT, Pace.COALESCED);

    /** What happens once to a direction of a connection, at a position. */
    enum Fault {
        NONE,
        /** Both sockets are reset. */
        RESET,
        /** The end of the stream is reported, the other direction goes on. */
        HALF_CLOSE,
        /** No byte is passed on any more, and no socket closed. */
        STALL,
        /** One to eight bits of the byte are changed. */
        FLIP
    }

    /**
     * What is done to one direction of a connection.
     *
     * @param atByte where the fault happens, counted from the first byte of the connection
     */
    record Treatment(Pace pace, Fault fault, long atByte) {
        static final Treatment CLEAN = new Treatment(Pace.STEADY, Fault.NONE, 0);
    }

    /** Says what is done to a connection, the first having number 0. */
    interface Plan {
        Treatment of(int connection, Direction direction);
    }

    /** Thrown to end a direction. */
    private static final class Ended extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private static final int BUFFER_BYTES = 64 << 10;
    private static final int MAX_CUT_BYTES = 700;
    private static final int MAX_DELAY_MILLIS = 3;
    private static final int COALESCE_BYTES = 32 << 10;
    private static final int COALESCE_MILLIS = 4;

    private final long seed;
    private final InetSocketAddress target;
    private final Plan plan;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);

    FaultProxy(long seed, InetSocketAddress target, Plan plan) {
        this.seed = seed;
        this.target = target;
        this.plan = plan;
        try {
            server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    /** Where to connect instead of the target. */
    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** Connections so far. */
    int connections() {
        return connections.get();
    }

    /** Faults that have happened. */
    int faults() {
        return faults.get();
    }

    /** Directions that ended before their sender closed them. */
    int broken() {
        return broken.get();
    }

    /** Resets all connections there are now. */
    void reset() {
        sockets.forEach(FaultProxy::reset);
    }

    @Override
    public void close() throws IOException {
        end.countDown();
        server.close();
        reset();
        try {
            for (Thread thread : startedThreads()) {
                thread.join(5_000);
                reset(); // a connection accepted while this began
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            int number = connections.getAndIncrement();
            sockets.add(client);
            Socket node = new Socket();
            sockets.add(node);
            try {
                node.connect(target);
                client.setTcpNoDelay(true);
                node.setTcpNoDelay(true);
            } catch (IOException e) { // also when reset() came in between
                reset(client);
                reset(node);
                continue;
            }
            start(() -> pump(client, node, number, Direction.DATA));
            start(() -> pump(node, client, number, Direction.CONFIRMATIONS));
        }
    }

    private void pump(Socket from, Socket to, int number, Direction direction) throws IOException {
        Random random =
                new Random(seed * 1_000_003 + number * 2L + (direction == Direction.DATA ? 0 : 1));
        Treatment treatment = plan.of(number, direction);
        Stream stream = new Stream(from, to, treatment, random);
        try {
            stream.run();
        } catch (Ended | SocketException e) {
            reset(from); // whoever saw the end first has closed already
            reset(to);
        }
    }

    /** One direction of a connection; confined to its thread. */
    private final class Stream {
        private final Socket from;
        private final Socket to;
        private final Treatment treatment;
        private final Random random;
        private final byte[] buffer = new byte[BUFFER_BYTES];
        private long done;
        private boolean isFaultDone;

        Stream(Socket from, Socket to, Treatment treatment, Random random) {
            this.from = from;
            this.to = to;
            this.treatment = treatment;
            this.random = random;
        }

        void run() throws IOException {
            InputStream in = from.getInputStream();
            while (true) {
                Pace pace = treatment.pace();
                if (pace == Pace.MIXED) {
                    pace = SIMPLE_PACES.get(random.nextInt(SIMPLE_PACES.size()));
                }
                int bytes = read(in, pace);
                if (bytes < 0) {
                    to.shutdownOutput();
                    return;
                }
                forward(bytes, pace);
            }
        }

        private int read(InputStream in, Pace pace) throws IOException {
            int bytes = in.read(buffer, 0, BUFFER_BYTES);
            if (pace != Pace.COALESCED || bytes < 0) {
                return bytes;
            }
            from.setSoTimeout(COALESCE_MILLIS);
            try {
                while (bytes < COALESCE_BYTES) {
                    int more = in.read(buffer, bytes, BUFFER_BYTES - bytes);
                    if (more < 0) {
                        break;
                    }
                    bytes += more;
                }
            } catch (SocketTimeoutException e) {
                return bytes; // nothing more comes for now
            } finally {
                from.setSoTimeout(0);
            }
            return bytes;
        }

        private void forward(int bytes, Pace pace) throws IOException {
            int at = 0;
            while (at < bytes) {
                int piece =
                        switch (pace) {
                            case SINGLE_BYTES -> 1;
                            case CUT -> 1 + random.nextInt(MAX_CUT_BYTES);
                            default -> bytes - at;
                        };
                piece = Math.min(piece, bytes - at);
                if (pace == Pace.DELAYED) {
                    hold(random.nextInt(MAX_DELAY_MILLIS + 1));
                }
                long untilFault = treatment.atByte() - done;
                boolean isFault =
                        !isFaultDone
                                && treatment.fault() != Fault.NONE
                                && untilFault >= 0
                                && untilFault < piece;
                if (isFault) {
                    fault(at, (int) untilFault);
                    piece -= (int) untilFault;
                    at += (int) untilFault;
                }
                write(at, piece);
                at += piece;
            }
        }

        /** Passes on what comes before the fault and lets it happen. */
        private void fault(int at, int before) throws IOException {
            write(at, before);
            isFaultDone = true;
            faults.incrementAndGet();
            switch (treatment.fault()) {
                case FLIP -> buffer[at + before] ^= (byte) (1 + random.nextInt(255));
                case RESET -> throw new Ended();
                case HALF_CLOSE -> {
                    to.shutdownOutput();
                    discard();
                }
                case STALL -> {
                    hold(TimeUnit.MINUTES.toMillis(5));
                    throw new Ended();
                }
                case NONE -> throw new IllegalStateException("no fault");
            }
        }

        private void discard() throws IOException {
            while (from.getInputStream().read(buffer) >= 0) {
                // nobody is to get it
            }
            throw new Ended();
        }

        private void write(int at, int bytes) throws IOException {
            OutputStream out = to.getOutputStream();
            out.write(buffer, at, bytes);
            done += bytes;
        }

        private void hold(long millis) throws IOException {
            try {
                long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
                while (System.nanoTime() - deadline < 0) {
                    if (end.await(Math.min(millis, 50), TimeUnit.MILLISECONDS)
                            || to.isClosed()
                            || from.isClosed()) {
                        throw new Ended();
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Ended();
            }
        }
    }

    /** A body that ends with its socket. */
    private interface Body {
        void run() throws IOException;
    }

    private void start(Body body) {
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .unstarted(() -> {
                            try {
                                body.run();
                            } catch (IOException e) {
                                broken.incrementAndGet(); // as planned
                            }
                        });
        synchronized (threads) {
            threads.add(thread);
        }
        thread.start();
    }

    private List<Thread> startedThreads() {
        synchronized (threads) {
            return List.copyOf(threads);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (SocketException e) {
            return; // closed already
        }
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
