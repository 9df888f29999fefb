package org.starling.net;

import org.starling.net.internal.Carrier;
import org.starling.net.internal.Messenger;

/**
 * Moves bytes from outgoing rings to the incoming paths of other nodes. Made by {@link Transports},
 * owned by one {@link Network}.
 *
 * <p>A transport has one receiving thread, which runs the incoming path and with it the INLINE
 * handlers; it must never wait for anything but input. It may lend that role to threads that wait
 * for answers ({@link #receiveUntil}).
 */
public interface Transport extends Carrier {

    /**
     * Starts listening and the receiving thread.
     *
     * @throws NetException when it can't listen
     */
    void start(Messenger messenger);
}
