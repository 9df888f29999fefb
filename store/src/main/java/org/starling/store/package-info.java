/**
 * Chunks: small values in native memory, found through a directory on the superpeer. The engine
 * calls in to create, read and write chunks, to pin ranges and work on their addresses, and to look
 * names up; joining, heartbeats and moves happen beneath it without being called. Open {@link
 * org.starling.store.StoreNode} first.
 *
 * <p>The classes in call order ({@code chunk} and {@code node} are packages below {@code
 * internal}):
 *
 * <ul>
 *   <li>put, local: {@link org.starling.store.ChunkService}, {@code node.RoutedChunks} (whose chunk
 *       is it: {@code node.Locations}), {@code chunk.LocalChunks}, {@code chunk.ChunkTable} (id to
 *       entry), {@code chunk.EntryLock} (in as the writer), {@link
 *       org.starling.store.ChunkEntryLayout} (address and length), the copy. Only if the length
 *       changes: {@code chunk.ChunkSpace}, {@code chunk.BlockHeap}, {@code chunk.FreeBlocks}.
 *   <li>get, local: the same as far as the copy, in as a reader.
 *   <li>put and get, remote: {@code node.RoutedChunks} or, for batches, {@code node.WriteBatch} and
 *       {@code node.GetBatch}; {@code node.RemoteChunks}, the network, {@code node.ChunkServer} at
 *       the owner, and from there {@code chunk.LocalChunks} as above.
 * </ul>
 *
 * <p>A replicated chunk goes another way: {@code node.RoutedChunks}, {@code node.RoutedOperation}
 * (finds the owner, again if need be), there {@code node.OwnedChunks}, {@code replica.OwnedZones}
 * (retries, backups), {@code chunk.LocalChunks}, which puts the change into its zone's stream, and
 * at the backups {@code replica.BackupService} and {@code log.ZoneLog}.
 *
 * <p>The directory is a state machine of its own: {@code internal.directory.Directory}, hosted by
 * {@code node.DirectoryServer}, asked by {@code node.DirectoryClient}.
 */
@NullMarked
package org.starling.store;

import org.jspecify.annotations.NullMarked;
