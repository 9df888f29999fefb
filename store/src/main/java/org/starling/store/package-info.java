/**
 * Chunks: small values in native memory, found through a replicated directory and logged on the
 * disks of backup peers. The engine calls in to create, read and write chunks, to meet at barriers
 * and to look names up; recovery and migration work beneath it without being called. Start with the
 * client side of the chunk operations (create, put, get), then read the directory for where a chunk
 * is, and the backup side for why an acknowledged write survives its owner.
 */
@NullMarked
package org.starling.store;

import org.jspecify.annotations.NullMarked;
