package org.starling.net.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A socket as it is; has no memory and costs nothing but the calls of the socket. */
final class PlainWire implements Wire {

    private final SocketChannel channel;

    PlainWire(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public boolean prepare(Runnable resume) {
        return true;
    }

    @Override
    public void checkPeer(int nodeId) {}

    @Override
    public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public boolean isReadByAnyThread() {
        return true;
    }

    @Override
    public boolean hasUnread() {
        return false;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        return channel.write(from);
    }

    @Override
    public boolean flush() {
        return true;
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public void release() {}
}
