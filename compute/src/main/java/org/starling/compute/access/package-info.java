/**
 * Who may ask a cluster for what: roles ({@link org.starling.compute.access.AccessRole}), tokens
 * ({@link org.starling.compute.access.TokenService}), who is let in by which ({@link
 * org.starling.compute.access.AccessGate}) and what is written down of it ({@link
 * org.starling.compute.access.AuditLog}). Called by superpeers and their API endpoints. Start with
 * {@code AccessGate}.
 */
@NullMarked
package org.starling.compute.access;

import org.jspecify.annotations.NullMarked;
