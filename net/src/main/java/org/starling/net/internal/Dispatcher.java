package org.starling.net.internal;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.starling.net.AsyncServer;
import org.starling.net.Execution;
import org.starling.net.Handler;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NativeMemory;
import org.starling.net.NodeLostException;
import org.starling.net.NodeUnknownException;
import org.starling.net.RawHandler;
import org.starling.net.RemoteException;
import org.starling.net.Request;
import org.starling.net.Responder;

/**
 * Takes whole messages to their handlers: reads the object on the receiving thread, then runs the
 * handler where it wants to run. Large messages are read by the worker that handles them. Owned by
 * an {@link Messenger}; called on its receiving thread.
 */
final class Dispatcher {

    private final Messenger messenger;
    private final Registry registry;
    private final RequestTable requests;
    private final Workers workers;
    private final AtomicLong unhandled = new AtomicLong();

    /** Large messages whose handlers have not started; whoever takes one out owns it. */
    private final Set<Assembly> waiting = ConcurrentHashMap.newKeySet();

    /** Confined to the receiving thread. */
    private final NativeImporter importer = new NativeImporter();

    private final HeldAnswers answers = new HeldAnswers();

    Dispatcher(Messenger messenger, Registry registry, RequestTable requests, Workers workers) {
        this.messenger = messenger;
        this.registry = registry;
        this.requests = requests;
        this.workers = workers;
    }

    /**
     * Handles one message, of any kind but raw.
     *
     * @return whether it is done with; otherwise {@code frameBytes} are reported to the link later
     */
    boolean dispatch(
            IncomingLink link, int kind, int type, long address, int bytes, int frameBytes) {
        switch (kind) {
            case FrameLayout.RESPONSE, FrameLayout.FAILURE ->
                    answer(link.peer(), kind, type, address, bytes, importer);
            default -> {
                Registry.Registration registration = registry.message(type);
                if (registration == null) {
                    unhandled(link.peer(), kind, address);
                    return true;
                }
                @Nullable Runnable task =
                        task(link.peer(), kind, registration, address, bytes, importer);
                if (task == null) {
                    return true;
                }
                if (registration.execution() != Execution.INLINE) {
                    execute(
                            link,
                            registration.execution(),
                            () -> {
                                task.run();
                                link.handled(frameBytes);
                            });
                    return false;
                }
                task.run();
            }
        }
        return true;
    }

    /**
     * Handles a raw frame, and those behind it that have the very same header: they need no second
     * look at it, and as their length is known before it is read, the processor fetches several at
     * once.
     *
     * @param header of the first, found sound
     * @param address of the first
     * @param bytes from there on; the first frame is whole
     * @return how many frames it has handled
     */
    int raw(int source, long header, long address, int bytes) {
        int frameBytes = FrameLayout.aligned(FrameLayout.length(header));
        int type = FrameLayout.type(header);
        RawHandler handler = registry.raw(type);
        if (handler == null) {
            unhandled.incrementAndGet();
            return 1;
        }
        int payloadBytes = FrameLayout.length(header) - FrameLayout.HEADER_BYTES;
        int frames = 0;
        int at = 0;
        do {
            try {
                handler.on(source, address + at + FrameLayout.HEADER_BYTES, payloadBytes);
            } catch (RuntimeException | Error e) {
                workers.failed("handler of raw type " + type, e);
            }
            frames++;
            at += frameBytes;
        } while (bytes - at >= frameBytes && NativeMemory.getLong(address + at) == header);
        return frames;
    }

    /** Handles one message that came in fragments; takes over the assembly. */
    void dispatchAssembled(IncomingLink link, Assembly assembly) {
        Registry.Registration registration =
                FrameLayout.hasCorrelation(assembly.kind())
                                && assembly.kind() != FrameLayout.REQUEST
                        ? null
                        : registry.message(assembly.type());
        if (registration == null || registration.execution() == Execution.INLINE) {
            try {
                dispatch(
                        link,
                        assembly.kind(),
                        assembly.type(),
                        assembly.address(),
                        assembly.bytes(),
                        0);
            } finally {
                assembly.release();
            }
            return;
        }
        link.held(assembly.bytes());
        waiting.add(assembly);
        execute(
                link,
                registration.execution(),
                () -> handleAssembled(link, registration, assembly));
    }

    /**
     * Releases the large messages whose handlers will not run any more; after the workers have
     * ended.
     */
    void close() {
        answers.close();
        for (Assembly assembly : List.copyOf(waiting)) {
            if (waiting.remove(assembly)) {
                assembly.release();
            }
        }
    }

    long unhandled() {
        return unhandled.get();
    }

    /** See {@link HeldAnswers#lost}. */
    long unanswered() {
        return answers.lost();
    }

    private void handleAssembled(
            IncomingLink link, Registry.Registration registration, Assembly assembly) {
        if (!waiting.remove(assembly)) {
            return; // the network is closed
        }
        try {
            @Nullable Runnable task;
            try {
                task =
                        task(
                                link.peer(),
                                assembly.kind(),
                                registration,
                                assembly.address(),
                                assembly.bytes(),
                                new NativeImporter());
            } finally {
                assembly.release();
            }
            if (task != null) {
                task.run();
            }
        } catch (MalformedMessageException e) {
            messenger.malformed(link, e);
        } finally {
            link.held(-assembly.bytes());
        }
    }

    private void execute(IncomingLink link, Execution execution, Runnable task) {
        if (execution == Execution.ORDERED) {
            link.backlog().lane().add(task);
        } else {
            link.backlog().workerLane().add(task);
        }
    }

    private void unhandled(int source, int kind, long address) {
        unhandled.incrementAndGet();
        if (kind == FrameLayout.REQUEST) {
            long correlation = NativeMemory.getLong(address);
            answer(
                    source,
                    correlation,
                    FrameLayout.FAILURE,
                    new Failure("", "it serves no requests of this type (yet)"));
        }
    }

    /**
     * Reads the message and returns what remains to be done with it, which throws nothing; null if
     * it is answered.
     */
    private @Nullable Runnable task(
            int source,
            int kind,
            Registry.Registration registration,
            long address,
            int bytes,
            NativeImporter in) {
        if (kind == FrameLayout.MESSAGE) {
            Handler<Message> handler = registration.handler();
            if (handler == null) {
                throw new MalformedMessageException(
                        registration.type() + " is a request, it came as a message");
            }
            Message message = read(registration.type(), address, bytes, in);
            return () -> handle(handler, source, message);
        }
        AsyncServer<Request<Message>, Message> server = registration.server();
        if (server == null) {
            throw new MalformedMessageException(
                    registration.type() + " is no request, it came as one");
        }
        long correlation = NativeMemory.getLong(address);
        int prefix = FrameLayout.CORRELATION_BYTES;
        @SuppressWarnings("unchecked") // serve() takes types of requests only
        Request<Message> request =
                (Request<Message>) read(registration.type(), address + prefix, bytes - prefix, in);
        OneAnswer responder = new OneAnswer(source, correlation, request.type());
        boolean isAnswered =
                registration.execution() != Execution.INLINE
                        && messenger.isReceivingThread()
                        && !messenger.hasOverflow() // a worker waits for room
                        && answerAtOnce(server, source, request, responder);
        return isAnswered ? null : () -> serve(server, source, request, responder);
    }

    private static boolean answerAtOnce(
            AsyncServer<Request<Message>, Message> server,
            int source,
            Request<Message> request,
            OneAnswer responder) {
        try {
            Message answer = server.answerAtOnce(source, request);
            if (answer == null) {
                return false;
            }
            responder.respond(answer);
        } catch (RuntimeException | Error e) {
            responder.failLate(e);
        }
        return true;
    }

    private void handle(Handler<Message> handler, int source, Message message) {
        try {
            handler.on(source, message);
        } catch (RuntimeException | Error e) {
            workers.failed("handler of " + message.type(), e);
        }
    }

    private void serve(
            AsyncServer<Request<Message>, Message> server,
            int source,
            Request<Message> request,
            OneAnswer responder) {
        try {
            server.serve(source, request, responder);
        } catch (Exception | Error e) {
            responder.failLate(e);
        }
    }

    private void answer(
            int source, int kind, int type, long address, int bytes, NativeImporter in) {
        long correlation = NativeMemory.getLong(address);
        PendingRequest<?> request = requests.waiting(correlation, source);
        if (request == null) {
            return; // it has timed out or was cancelled
        }
        int prefix = FrameLayout.CORRELATION_BYTES;
        if (kind == FrameLayout.FAILURE) {
            in.start(address + prefix, bytes - prefix);
            Failure failure = Failure.read(in);
            if (requests.answered(correlation, source) != null) {
                request.fail(
                        new RemoteException(
                                source,
                                request.type()
                                        + " failed at node "
                                        + source
                                        + ": "
                                        + (failure.kind().isEmpty() ? "" : failure.kind() + ": ")
                                        + failure.text()));
            }
        } else {
            complete(request, type, address + prefix, bytes - prefix, in);
        }
    }

    private <R extends Message> void complete(
            PendingRequest<R> request, int type, long address, int bytes, NativeImporter in) {
        if (type != request.responseType().id()) {
            throw new MalformedMessageException(
                    request.type()
                            + " was answered with type "
                            + type
                            + ", expected "
                            + request.responseType());
        }
        R message = read(request.responseType(), address, bytes, in);
        if (requests.answered(request.correlation(), request.node()) != null) {
            request.succeed(message);
        }
    }

    private static <M extends Message> M read(
            MessageType<M> type, long address, int bytes, NativeImporter in) {
        in.start(address, bytes);
        M message;
        try {
            message = type.reader().read(in);
        } catch (MalformedMessageException e) {
            throw new MalformedMessageException(type + ": " + e.getMessage());
        } catch (RuntimeException | StackOverflowError e) { // the latter of what is nested too deep
            throw new MalformedMessageException(type + ": its reader failed: " + e);
        }
        int rest = in.remaining();
        in.end();
        if (rest != 0) {
            throw new MalformedMessageException(type + ": " + rest + " bytes are left over");
        }
        return message;
    }

    private void answer(int node, long correlation, int kind, Message message) {
        answers.send(
                node,
                () -> {
                    try {
                        messenger.answer(node, kind, message, correlation);
                    } catch (NodeLostException | NodeUnknownException e) {
                        throw e;
                    } catch (RuntimeException e) { // too large, or not to be written
                        messenger.answer(node, FrameLayout.FAILURE, Failure.of(e), correlation);
                    }
                });
    }

    /** The responder of one request. */
    private final class OneAnswer implements Responder<Message> {
        private final int node;
        private final long correlation;
        private final MessageType<?> type;
        private final AtomicBoolean isAnswered = new AtomicBoolean();

        private OneAnswer(int node, long correlation, MessageType<?> type) {
            this.node = node;
            this.correlation = correlation;
            this.type = type;
        }

        @Override
        public void respond(Message response) {
            takeTurn();
            answer(node, correlation, FrameLayout.RESPONSE, response);
        }

        @Override
        public void fail(Throwable cause) {
            takeTurn();
            answer(node, correlation, FrameLayout.FAILURE, Failure.of(cause));
        }

        /** The server threw: answers with that, or logs it when there was an answer before. */
        private void failLate(Throwable cause) {
            if (isAnswered.compareAndSet(false, true)) {
                answer(node, correlation, FrameLayout.FAILURE, Failure.of(cause));
            } else {
                workers.failed("server of " + type, cause);
            }
        }

        private void takeTurn() {
            if (!isAnswered.compareAndSet(false, true)) {
                throw new IllegalStateException("this request is answered already");
            }
        }
    }
}
