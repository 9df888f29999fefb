package org.starling.compute.internal.build;

import java.util.function.Consumer;
import org.starling.compute.internal.run.MadeChunks;
import org.starling.store.ChunkService;
import org.starling.store.PinnedRange;

/** Brings what a build has made into chunks. Owned by {@link SlaveBuild}; workers store. */
final class BuildChunks {
    private final long build;
    private final MadeChunks made;

    BuildChunks(long build, MadeChunks made) {
        this.build = build;
        this.made = made;
    }

    /** Writes rows into a chunk each; the first of them, or 0 if there are none. */
    long store(ChunkService chunks, ShardRows rows) {
        int[] sizes = rows.sizes();
        return sizes.length == 0 ? 0 : made.make(build, chunks, sizes, rows::writeTo);
    }

    /** Makes chunks of these lengths; the first of them. */
    long store(ChunkService chunks, int[] sizes, Consumer<PinnedRange> writer) {
        return made.make(build, chunks, sizes, writer);
    }

    /** Writes ids into one chunk; 0 if there are none. */
    long store(ChunkService chunks, long[] ids) {
        return ids.length == 0 ? 0 : made.make(build, chunks, ids);
    }

    /** Waits until all that has been stored is on the backups' disks. */
    void settle() {
        made.settle(build);
    }
}
