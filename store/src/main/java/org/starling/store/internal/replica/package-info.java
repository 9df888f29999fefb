/**
 * Replication of zones: the owner's side, which sends each change of a zone to its backups and
 * waits for them; the backup's side, which takes changes into logs; and recovery of a zone by a new
 * owner. The node calls in for every operation on a replicated chunk; the directory is asked
 * through {@link org.starling.store.internal.replica.ZoneDirectory} only. Open {@link
 * org.starling.store.internal.replica.OwnedZones} first, then {@code ZoneReplicator} and {@code
 * BackupChannel}.
 */
@NullMarked
package org.starling.store.internal.replica;

import org.jspecify.annotations.NullMarked;
