package org.starling.net.internal;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.starling.net.NetConfig;

/** Options of sockets, which must be set before they connect or listen to take full effect. */
final class Sockets {

    private Sockets() {}

    /** Makes a socket answer at once, never wait, and have the buffers that are asked for. */
    static void prepare(SocketChannel channel, NetConfig config) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (config.socketSendBytes() > 0) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, config.socketSendBytes());
        }
        if (config.socketReceiveBytes() > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, config.socketReceiveBytes());
        }
    }

    /** The same for a listening socket, whose receive buffer those that it accepts inherit. */
    static void prepare(ServerSocketChannel server, NetConfig config) throws IOException {
        server.configureBlocking(false);
        if (config.socketReceiveBytes() > 0) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, config.socketReceiveBytes());
        }
    }
}
