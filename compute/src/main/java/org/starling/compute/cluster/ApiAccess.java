package org.starling.compute.cluster;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessGate;
import org.starling.compute.access.AuditLog;
import org.starling.compute.access.SessionSeal;

/**
 * Who comes in by an {@link ApiEndpoint}. Immutable.
 *
 * @param gate knows the tokens that are taken
 * @param audit what those who came in have changed goes here
 * @param tls keys with which the endpoint proves who it is; null for none
 * @param seal closes what browsers keep for people who have shown a token; the same on all
 *     superpeers
 * @param doors where the endpoints of all superpeers are, this one's included, as far as is known
 */
public record ApiAccess(
        AccessGate gate,
        AuditLog audit,
        @Nullable EndpointTls tls,
        SessionSeal seal,
        List<URI> doors) {
    /** Copies the list. */
    public ApiAccess {
        doors = List.copyOf(doors);
    }
}
