package org.starling.compute.cluster;

import org.starling.compute.access.AccessGate;
import org.starling.compute.access.AuditLog;

/**
 * Who comes in by an {@link ApiEndpoint}. Immutable.
 *
 * @param gate knows the tokens that are taken
 * @param audit what those who came in have changed goes here
 */
public record ApiAccess(AccessGate gate, AuditLog audit) {}
