package org.starling.store.internal.directory;

import java.util.List;
import org.starling.store.Place;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RemoveName;
import org.starling.store.internal.directory.Command.SwitchZone;

/** Commands of which a test says no more than it is about. */
public final class Commands {
    private Commands() {}

    /** Of a node without a past. */
    public static RegisterNode registerNode(
            Role role, String host, int port, int cores, long capabilities) {
        return registerNode(
                role, host, port, cores, capabilities, 0, RegisterNode.NO_PREVIOUS, 0, 0);
    }

    /** Of whose place nothing is known. */
    public static RegisterNode registerNode(
            Role role,
            String host,
            int port,
            int cores,
            long capabilities,
            long clusterId,
            int previous,
            int incarnation,
            long nonce) {
        return new RegisterNode(
                role,
                host,
                port,
                cores,
                capabilities,
                clusterId,
                previous,
                incarnation,
                nonce,
                Place.UNKNOWN);
    }

    /** All the others have all of it. */
    public static SwitchZone switchZone(long zone, long epoch, int newOwner) {
        return new SwitchZone(zone, epoch, newOwner, List.of(), false);
    }

    /** One that does not come twice. */
    public static RegisterName registerName(String name, long id) {
        return new RegisterName(name, id, 0);
    }

    /** One that does not come twice. */
    public static RemoveName removeName(String name) {
        return new RemoveName(name, 0);
    }
}
