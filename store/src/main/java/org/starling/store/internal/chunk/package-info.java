/**
 * The memory of one node: heap, chunk table, ids, locks and pins. No network and no directory: what
 * is here works on the chunks of this node alone. Called by {@code
 * org.starling.store.internal.node}; open {@link org.starling.store.internal.chunk.LocalChunks}
 * first.
 */
@NullMarked
package org.starling.store.internal.chunk;

import org.jspecify.annotations.NullMarked;
