/**
 * The directory as a deterministic state machine, without network, threads or clocks: commands go
 * in, results come out, and the same commands give the same state everywhere. Around it, what keeps
 * it: Raft (package {@code raft}), or nothing in a cluster that lives in memory alone, both behind
 * one interface that superpeers use ({@code internal.node}). Open {@link
 * org.starling.store.internal.directory.Command} first, then {@link
 * org.starling.store.internal.directory.Directory} and {@link
 * org.starling.store.internal.directory.DirectoryReplica}. Whose disks are enough to bring a zone
 * back is decided in {@code ZoneTable}.
 */
@NullMarked
package org.starling.store.internal.directory;

import org.jspecify.annotations.NullMarked;
