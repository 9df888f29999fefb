package org.starling.net.internal;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.starling.net.AsyncServer;
import org.starling.net.Execution;
import org.starling.net.Handler;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.RawHandler;
import org.starling.net.Request;

/**
 * Who handles what. Registered from any thread, looked up on the receiving thread. Never shrinks.
 */
final class Registry {

    /** What is registered for a message type: exactly one of handler and server. */
    record Registration(
            MessageType<?> type,
            Execution execution,
            @Nullable Handler<Message> handler,
            @Nullable AsyncServer<Request<Message>, Message> server) {}

    private final AtomicReferenceArray<@Nullable Registration> messages =
            new AtomicReferenceArray<>(MessageType.MAX_ID + 1);
    private final AtomicReferenceArray<@Nullable RawHandler> raws =
            new AtomicReferenceArray<>(MessageType.MAX_ID + 1);

    @SuppressWarnings(
            "unchecked") // the reader of the type makes the very class that the handler takes
    void handle(MessageType<?> type, Execution execution, Handler<?> handler) {
        register(new Registration(type, execution, (Handler<Message>) handler, null));
    }

    @SuppressWarnings("unchecked") // as above
    void serve(MessageType<?> type, Execution execution, AsyncServer<?, ?> server) {
        register(
                new Registration(
                        type, execution, null, (AsyncServer<Request<Message>, Message>) server));
    }

    void handleRaw(int type, RawHandler handler) {
        if (type < 1 || type > MessageType.MAX_ID) {
            throw new IllegalArgumentException(
                    "raw type must be 1.." + MessageType.MAX_ID + ", found " + type);
        }
        if (!raws.compareAndSet(type, null, handler)) {
            throw new IllegalStateException("raw type " + type + " has a handler already");
        }
    }

    @Nullable Registration message(int type) {
        return type > MessageType.MAX_ID ? null : messages.get(type);
    }

    @Nullable RawHandler raw(int type) {
        return type > MessageType.MAX_ID ? null : raws.get(type);
    }

    private void register(Registration registration) {
        if (!messages.compareAndSet(registration.type.id(), null, registration)) {
            throw new IllegalStateException(
                    "message type " + registration.type + " has a handler already");
        }
    }
}
