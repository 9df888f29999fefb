package org.starling.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * Figures for developers, no test: what plain sockets give on this machine, to be taken in one run
 * with {@link Speed}. Frames of a length word and a payload leave in writes of 64 KiB, the receiver
 * parses each; round trips spin on non-blocking sockets or sleep in blocking ones.
 */
final class RawNio implements AutoCloseable {

    private static final int WRITE_BYTES = 64 << 10;
    private static final int READ_BYTES = 256 << 10;

    /** Frame whose payload is to be answered at once. */
    private static final int PING = 1 << 30;

    /** Frame that tells the receiver whether to spin. */
    private static final int MODE = 1 << 29;

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(2 * WRITE_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);

    /** What was read, so that reading is not optimised away. */
    long sum;

    private RawNio(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        out.order(ByteOrder.LITTLE_ENDIAN);
        in.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Serves one client after the other until the process ends. */
    static void serve(InetSocketAddress address) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open().bind(address);
        Thread.ofPlatform()
                .daemon()
                .name("nio-server")
                .start(() -> {
                    try (server) {
                        while (true) {
                            try (SocketChannel channel = server.accept()) {
                                new RawNio(channel).serve();
                            }
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    static RawNio connect(InetSocketAddress address) throws IOException {
        return new RawNio(SocketChannel.open(address));
    }

    /** Sends frames; returns those per second. */
    double oneWay(int bytes, long count) throws IOException {
        long start = System.nanoTime();
        for (long i = 0; i < count; i++) {
            int at = out.position();
            out.putInt(at, bytes);
            out.putLong(at + 8, i);
            out.position(at + 8 + bytes);
            if (out.position() >= WRITE_BYTES) {
                writeAll();
            }
        }
        ping(16);
        writeAll();
        awaitPong(16, false);
        long nanos = System.nanoTime() - start;
        return count * 1e9 / nanos;
    }

    /** Round trips one after the other; returns their nanoseconds, sorted. */
    long[] roundTrips(int bytes, int count, boolean isSpinning) throws IOException {
        mode(isSpinning);
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            long start = System.nanoTime();
            ping(bytes);
            writeAll();
            awaitPong(bytes, isSpinning);
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        mode(false);
        return nanos;
    }

    private void mode(boolean isSpinning) throws IOException {
        channel.configureBlocking(true);
        int at = out.position();
        out.putInt(at, MODE);
        out.putInt(at + 4, isSpinning ? 1 : 0);
        out.position(at + 8);
        writeAll();
        channel.configureBlocking(!isSpinning);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private void ping(int bytes) {
        int at = out.position();
        out.putInt(at, bytes | PING);
        out.position(at + 8 + bytes);
    }

    private void awaitPong(int bytes, boolean isSpinning) throws IOException {
        int rest = 8 + bytes;
        while (rest > 0) {
            in.clear();
            int read = channel.read(in);
            if (read < 0) {
                throw new IOException("hung up");
            }
            rest -= read;
            if (isSpinning) {
                Thread.onSpinWait();
            }
        }
    }

    private void writeAll() throws IOException {
        out.flip();
        while (out.hasRemaining()) {
            channel.write(out);
        }
        out.clear();
    }

    private void serve() throws IOException {
        int start = 0;
        while (true) {
            int read = channel.read(in);
            if (read < 0) {
                return;
            }
            int end = in.position();
            start = parse(start, end);
            if (start == end) {
                in.clear();
                start = 0;
            } else if (READ_BYTES - start < 2 * WRITE_BYTES) {
                in.position(start).limit(end);
                in.compact();
                start = 0;
            }
        }
    }

    private int parse(int from, int end) throws IOException {
        int at = from;
        while (end - at >= 8) {
            int header = in.getInt(at);
            int bytes = header & 0xFFFFFF;
            if ((header & MODE) != 0) {
                channel.configureBlocking(in.getInt(at + 4) == 0);
                at += 8;
                continue;
            }
            if (end - at < 8 + bytes) {
                break;
            }
            if ((header & PING) != 0) {
                ping(bytes);
                writeAll();
            } else {
                sum += in.getLong(at + 8);
            }
            at += 8 + bytes;
        }
        return at;
    }
}
