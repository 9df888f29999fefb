package org.starling.net;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Speaks the wire format by hand over a plain socket without checksums, well or badly. */
final class RawPeer implements AutoCloseable {

    private final Socket socket;

    private static final int HANDSHAKE_BYTES = 28;

    RawPeer(InetSocketAddress address) throws IOException {
        this(new Socket(address.getAddress(), address.getPort()));
    }

    RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
    }

    /** Introduces itself and reads the answer. */
    RawPeer shakeHands(int nodeId, long clusterId) throws IOException {
        write(handshake(nodeId, clusterId), 0, HANDSHAKE_BYTES);
        if (socket.getInputStream().readNBytes(HANDSHAKE_BYTES).length != HANDSHAKE_BYTES) {
            throw new IOException("no answer to the handshake");
        }
        return this;
    }

    /** Reads a handshake and answers as a node. */
    void answerHandshake(int nodeId) throws IOException {
        if (socket.getInputStream().readNBytes(HANDSHAKE_BYTES).length != HANDSHAKE_BYTES) {
            throw new IOException("no handshake");
        }
        write(handshake(nodeId, 0), 0, HANDSHAKE_BYTES);
    }

    void readFrameHeader() throws IOException {
        if (socket.getInputStream().readNBytes(8).length != 8) {
            throw new IOException("no frame");
        }
    }

    static byte[] handshake(int nodeId, long clusterId) {
        ByteBuffer hello = ByteBuffer.allocate(HANDSHAKE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        hello.putInt(0x4C525453).putInt(3).putLong(clusterId).putInt(nodeId).putInt(128 << 10);
        CRC32C sum = new CRC32C();
        sum.update(hello.array(), 0, hello.position());
        return hello.putInt((int) sum.getValue()).array();
    }

    /** A frame: kind, type and payload. */
    static byte[] frame(int kind, int type, byte[] payload) {
        int length = 8 + payload.length;
        ByteBuffer frame = ByteBuffer.allocate((length + 7) & -8).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(length).putShort((short) type).putShort((short) kind).put(payload);
        byte check = (byte) 0xA5;
        for (int i = 0; i < 7; i++) {
            check ^= frame.get(i);
        }
        return frame.put(7, (byte) (check ^ frame.get(7))).array();
    }

    void write(byte[] bytes, int from, int count) throws IOException {
        socket.getOutputStream().write(bytes, from, count);
        socket.getOutputStream().flush();
    }

    /** Waits until the other side has closed the connection. */
    boolean isClosedByPeer() throws IOException {
        try {
            InputStream in = socket.getInputStream();
            while (in.read() >= 0) {
                // confirmations may come before the end
            }
            return true;
        } catch (SocketException e) {
            return true; // a reset is an end too
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
