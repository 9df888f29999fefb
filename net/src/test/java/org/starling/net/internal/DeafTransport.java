package org.starling.net.internal;

import java.util.function.Consumer;
import org.starling.net.NodeUnknownException;
import org.starling.net.Transport;

/** Carries nothing; its receiving thread is whoever opens the exchange. */
final class DeafTransport implements Transport {

    private final Consumer<Link> whenSignalled;

    DeafTransport(Consumer<Link> whenSignalled) {
        this.whenSignalled = whenSignalled;
    }

    @Override
    public void start(Exchange exchange) {
        exchange.enterReceivingThread();
    }

    @Override
    public void connect(OutgoingLink link) {
        throw new NodeUnknownException(link.peer(), "nobody is known");
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
