package org.starling.compute.access;

import org.jspecify.annotations.Nullable;

/**
 * Somebody has changed something, or tried to.
 *
 * @param who name of the token
 * @param role of the token
 * @param what they wanted, like {@code "cancel job"}
 * @param object what it was done to
 * @param from the address that they asked from
 * @param status of the answer, as HTTP has it
 */
public record AuditEntry(
        String who,
        AccessRole role,
        String what,
        @Nullable String object,
        String from,
        int status) {}
