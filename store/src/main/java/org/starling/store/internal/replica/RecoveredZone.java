package org.starling.store.internal.replica;

import java.util.List;

/**
 * A zone that this node has recovered and will own as soon as the directory says so.
 *
 * @param report how it went
 * @param tags executed operations
 * @param aligned the other backups that have everything up to the end of the stream
 */
record RecoveredZone(RecoveryReport report, TagTable tags, List<Integer> aligned) {}
