/**
 * The directory as a deterministic state machine, without network, threads or clocks: commands go
 * in, results come out, and the same commands give the same state everywhere. The superpeer hosts
 * it ({@code internal.node}). Open {@link org.starling.store.internal.directory.Directory} first,
 * then {@link org.starling.store.internal.directory.Command}.
 */
@NullMarked
package org.starling.store.internal.directory;

import org.jspecify.annotations.NullMarked;
