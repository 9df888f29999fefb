/**
 * The disk of one backup peer: a log for each zone that it keeps a copy of. No network and no
 * directory. Called by {@code org.starling.store.internal.replica}; open {@link
 * org.starling.store.internal.log.BackupLogs} and {@link org.starling.store.internal.log.ZoneLog}
 * first, then {@code BlockLayout} for what is on the disk.
 */
@NullMarked
package org.starling.store.internal.log;

import org.jspecify.annotations.NullMarked;
