package org.starling.net.internal;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.ClusterSecret;
import org.starling.net.MalformedMessageException;
import org.starling.net.NetException;

/**
 * The short talk over TCP that precedes a connection over UCX: both ends say who they are, where
 * their UCX worker is, and under which key they take messages. Afterwards the socket carries
 * nothing and stays open as a sign of life: it ends with its process at once, whatever UCX's
 * transport notices.
 *
 * <p>Owned by a {@link UcxTransport}. One virtual thread accepts and one serves each socket, doing
 * nothing but wait; all that they find out is handed to the receiving thread.
 */
final class UcxBootstrap {

    private static final Logger LOGGER = LogManager.getLogger(UcxBootstrap.class);
    private static final String REFUSED = " refused the handshake; its log says why";

    /** Sockets accepted and not yet through the handshake; more are closed at once. */
    private static final int MAX_HANDSHAKES = 256;

    private static final int BACKLOG = 256;

    private final UcxTransport transport;
    private final Messenger messenger;
    private final ServerSocket server;
    private final int timeoutMillis;
    private final Semaphore handshakes = new Semaphore(MAX_HANDSHAKES);
    private final Set<Socket> accepted = ConcurrentHashMap.newKeySet();

    UcxBootstrap(UcxTransport transport, Messenger messenger, InetSocketAddress bind)
            throws IOException {
        this.transport = transport;
        this.messenger = messenger;
        this.timeoutMillis =
                (int) Math.min(Integer.MAX_VALUE, messenger.limits().connectTimeout().toMillis());
        this.server = new ServerSocket();
        try {
            server.bind(bind, BACKLOG);
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    void start() {
        Thread.ofVirtual().name("net-accept-" + messenger.nodeId()).start(this::acceptAll);
    }

    InetSocketAddress localAddress() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** Begins the talk for an outgoing link. */
    void call(UcxSender sender, InetSocketAddress address) {
        Thread.ofVirtual()
                .name("net-call-" + messenger.nodeId() + "-" + sender.link().peer())
                .start(() -> talk(sender, address));
    }

    /** Stops listening and closes the accepted sockets; the others belong to their senders. */
    void close() {
        close(server);
        accepted.forEach(this::close);
    }

    // ---- the connecting end

    private void talk(UcxSender sender, InetSocketAddress address) {
        OutgoingLink link = sender.link();
        String where = "node " + link.peer() + " at " + address;
        boolean isConnected = false;
        boolean isAnswered = false;
        try (Socket socket = sender.socket()) {
            socket.connect(address, timeoutMillis);
            isConnected = true;
            prepare(socket);
            byte[] hello = transport.hello(sender.ownKey()).bytes();
            socket.getOutputStream().write(hello);
            prove(socket, hello, link.peer());
            UcxHello answer =
                    UcxHello.read(socket.getInputStream(), messenger.config().clusterId());
            check(answer, link.peer());
            isAnswered = true;
            transport.later(() -> transport.connections().open(sender, answer));
            awaitEnd(socket);
            transport.lostSoon(link, "it hung up");
        } catch (MalformedMessageException e) {
            messenger.malformed(link, e);
        } catch (EOFException e) {
            LOGGER.debug("{} hung up", where, e);
            messenger.lost(link, where + REFUSED);
        } catch (RefusedException e) {
            messenger.refused(where + ": " + e.getMessage());
            messenger.lost(link, where + ": " + e.getMessage());
        } catch (IOException e) {
            String reason = String.valueOf(e.getMessage());
            boolean isBroken = e instanceof SocketException;
            if (isAnswered) {
                transport.lostSoon(link, reason);
            } else if (isConnected && isBroken) { // hung up before all was said
                LOGGER.debug("{} hung up", where, e);
                messenger.lost(link, where + REFUSED);
            } else {
                messenger.lost(link, where + " can't be reached: " + reason);
            }
        } finally {
            transport.ended(sender);
        }
    }

    private void check(UcxHello answer, int peer) {
        HandshakeLayout.checkAnswer(
                peer,
                transport.book(),
                answer.nodeId(),
                answer.incarnation(),
                answer.maxFrameBytes(),
                messenger.limits().maxFrameBytes());
    }

    /** Has the other end prove itself, and proves this one. */
    private void prove(Socket socket, byte[] hello, int peer) throws IOException {
        ClusterSecret secret = messenger.config().secret();
        if (secret.isNone()) {
            return;
        }
        byte[] nonce = HandshakeProof.freshNonce();
        socket.getOutputStream().write(nonce);
        byte[] answer = read(socket, HandshakeProof.NONCE_BYTES);
        HandshakeProof proof = new HandshakeProof(secret, hello, nonce, answer, peer);
        proof.checkAnswerer(peer, read(socket, HandshakeProof.BYTES), transport.book());
        socket.getOutputStream().write(proof.ofCaller());
    }

    // ---- the accepting end

    private void acceptAll() {
        try {
            while (!server.isClosed()) {
                Socket socket = server.accept();
                accepted.add(socket);
                if (server.isClosed()) {
                    close(socket); // close() may not have seen it
                } else if (handshakes.tryAcquire()) {
                    Thread.ofVirtual()
                            .name("net-serve-" + messenger.nodeId())
                            .start(() -> serve(socket));
                } else {
                    messenger.refused("too many connections without a handshake");
                    close(socket);
                }
            }
        } catch (IOException e) {
            if (!server.isClosed()) {
                LOGGER.error("node {} accepts no connections any more", messenger.nodeId(), e);
            }
        }
    }

    private void serve(Socket socket) {
        IncomingLink link = null;
        try (socket) {
            link = greet(socket);
            if (link != null) {
                awaitEnd(socket);
                transport.lostSoon(link, "it hung up");
            }
        } catch (IOException e) {
            transport.lostSoon(link, String.valueOf(e.getMessage()));
        } finally {
            accepted.remove(socket);
        }
    }

    /** The talk of the accepting end; null when the caller was refused. */
    private @Nullable IncomingLink greet(Socket socket) {
        try {
            prepare(socket);
            UcxHello hello = UcxHello.read(socket.getInputStream(), messenger.config().clusterId());
            if (hello.nodeId() == messenger.nodeId()) {
                throw new MalformedMessageException(
                        "handshake with this node's own id " + hello.nodeId());
            }
            HandshakeLayout.checkCaller(hello.nodeId(), hello.incarnation(), transport.book());
            challenge(socket, hello);
            HandshakeLayout.admit(hello.nodeId(), hello.incarnation(), transport.book());
            CompletableFuture<UcxReceiver> made = new CompletableFuture<>();
            transport.later(() -> transport.connections().accept(hello, socket, made));
            UcxReceiver receiver = made.get(timeoutMillis, TimeUnit.MILLISECONDS);
            if (isReplaced(hello)) {
                messenger.lost(receiver.link(), "its node id has gone to another node");
            }
            socket.getOutputStream().write(transport.hello(receiver.ownKey()).bytes());
            return receiver.link();
        } catch (MalformedMessageException e) {
            messenger.refused(String.valueOf(e.getMessage()));
        } catch (EOFException e) {
            LOGGER.debug("no handshake", e);
            messenger.refused("hung up before the handshake");
        } catch (IOException e) {
            messenger.refused(String.valueOf(e.getMessage()));
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (!(cause instanceof NetException)) {
                LOGGER.error("node {} could not accept a node", messenger.nodeId(), e);
            }
            messenger.refused(cause == null ? e.toString() : String.valueOf(cause.getMessage()));
        } catch (TimeoutException e) {
            LOGGER.debug("the receiving thread is busy", e);
            messenger.refused("no time for a handshake");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            handshakes.release();
        }
        return null;
    }

    /** Who hears meanwhile that an id has gone to another node ends the links that are there. */
    private boolean isReplaced(UcxHello hello) {
        return hello.incarnation() < transport.book().incarnationOf(hello.nodeId());
    }

    /** Proves this end, and has the caller prove itself. */
    private void challenge(Socket socket, UcxHello hello) throws IOException {
        ClusterSecret secret = messenger.config().secret();
        if (secret.isNone()) {
            return;
        }
        byte[] nonce = HandshakeProof.freshNonce();
        HandshakeProof proof =
                new HandshakeProof(
                        secret,
                        hello.bytes(),
                        read(socket, HandshakeProof.NONCE_BYTES),
                        nonce,
                        messenger.nodeId());
        socket.getOutputStream().write(HandshakeProof.joined(nonce, proof.ofAnswerer()));
        HandshakeProof.check(hello.nodeId(), proof.ofCaller(), read(socket, HandshakeProof.BYTES));
    }

    // ---- both ends

    private static byte[] read(Socket socket, int bytes) throws IOException {
        byte[] read = socket.getInputStream().readNBytes(bytes);
        if (read.length < bytes) {
            throw new EOFException("hung up before the handshake");
        }
        return read;
    }

    private void prepare(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.setSoTimeout(timeoutMillis);
    }

    /** Waits for the end of the stream; nothing is said on it. */
    private static void awaitEnd(Socket socket) throws IOException {
        socket.setSoTimeout(0);
        if (socket.getInputStream().read() >= 0) {
            throw new IOException("it spoke after the handshake");
        }
    }

    private void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            LOGGER.debug("closing a socket failed", e);
        }
    }
}
