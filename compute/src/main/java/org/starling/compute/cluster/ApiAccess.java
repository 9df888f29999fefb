package org.starling.compute.cluster;

import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessGate;
import org.starling.compute.access.AuditLog;

/**
 * Who comes in by an {@link ApiEndpoint}. Immutable.
 *
 * @param gate knows the tokens that are taken
 * @param audit what those who came in have changed goes here
 * @param tls keys with which the endpoint proves who it is; null for none
 */
public record ApiAccess(AccessGate gate, AuditLog audit, @Nullable EndpointTls tls) {}
