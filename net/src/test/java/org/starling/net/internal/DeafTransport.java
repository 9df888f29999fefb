package org.starling.net.internal;

import java.util.function.Consumer;
import org.starling.net.NodeLostException;
import org.starling.net.Transport;

/** Carries nothing; its receiving thread is whoever opens the messenger. */
final class DeafTransport implements Transport {

    private final Consumer<Link> whenSignalled;

    DeafTransport(Consumer<Link> whenSignalled) {
        this.whenSignalled = whenSignalled;
    }

    @Override
    public void start(Messenger messenger) {
        messenger.enterReceivingThread();
    }

    @Override
    public void connect(OutgoingLink link) {
        // not "unknown": then answers would be tried again
        throw new NodeLostException(link.peer(), "nobody can be reached");
    }

    @Override
    public void signal(Link link) {
        whenSignalled.accept(link);
    }

    @Override
    public void disconnect(Link link) {}

    @Override
    public void close() {}

    @Override
    public String description() {
        return "deaf";
    }
}
