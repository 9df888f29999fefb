/**
 * The directory as a deterministic state machine, without network, threads or clocks: commands go
 * in, results come out, and the same commands give the same state everywhere. Around it, what keeps
 * it: a journal on a single superpeer, Raft on several (package {@code raft}), both behind one
 * interface that superpeers use ({@code internal.node}). Open {@link
 * org.starling.store.internal.directory.Command} first, then {@link
 * org.starling.store.internal.directory.Directory} and {@link
 * org.starling.store.internal.directory.DirectoryReplica}. Whose disks are enough to bring a zone
 * back is decided in {@code ZoneTable}.
 */
@NullMarked
package org.starling.store.internal.directory;

import org.jspecify.annotations.NullMarked;
