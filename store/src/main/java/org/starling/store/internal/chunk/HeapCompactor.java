package org.starling.store.internal.chunk;

import static org.starling.store.ChunkEntryLayout.ENTRY_BYTES;
import static org.starling.store.ChunkEntryLayout.PAGE_ENTRIES;
import static org.starling.store.ChunkEntryLayout.PAGE_SHIFT;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/**
 * Gets freed bytes back that nothing could use again: chooses the segments with the fewest live
 * bytes, finds their chunks in the tables of all spaces, moves them behind the last block of the
 * heap and frees the segments. Blocks do not know their chunk, which saves 8 bytes each; the price
 * is one sequential look at the tables per pass, so a pass is worth it only when there is much to
 * gain.
 *
 * <p>Runs on the thread that holds the allocation lock and never waits: a chunk that somebody is
 * inside of, or that is pinned, stays where it is, and its segment with it. Readers and writers of
 * other chunks go on meanwhile.
 */
final class HeapCompactor {
    /** The most chunks that one pass moves: bounds its time and its memory (16 bytes each). */
    static final int MAX_MOVES = 1 << 20;

    /** The most bytes that one pass moves. */
    static final long MAX_MOVED_BYTES = 256L << 20;

    /** Blocks shorter than this have a header of 1 or 2 bytes, so their entry says so. */
    private static final int LONG_HEADER = 3;

    /** Bits of a local id in {@link #locals}; the index of its space is above. */
    private static final int LOCAL_BITS = 47;

    private static final long LOCAL_MASK = (1L << LOCAL_BITS) - 1;

    /** More spaces than this could not be told apart in {@link #locals}. */
    static final int MAX_SPACES = 1 << (Long.SIZE - LOCAL_BITS);

    private final BlockHeap heap;

    /** All spaces with blocks in the heap; changed by others under the allocation lock. */
    private final List<IdSpace> spaces;

    /**
     * The chunks that are to be moved: index of the space and local id, and the index of the victim
     * that each is in.
     */
    private long[] locals = new long[1024];

    private int[] victimOf = new int[1024];
    private int moves;

    HeapCompactor(BlockHeap heap, List<IdSpace> spaces) {
        this.heap = heap;
        this.spaces = spaces;
    }

    /**
     * One pass.
     *
     * @param deadGoal how many dead bytes may remain
     */
    int pass(long deadGoal) {
        int[] victims = heap.victims(deadGoal, MAX_MOVED_BYTES);
        if (victims.length == 0) {
            return 0;
        }
        BitSet isVictim = new BitSet(heap.segments());
        for (int victim : victims) {
            isVictim.set(victim);
        }
        heap.forgetFreed(isVictim);
        int gained = 0;
        boolean hasChunks = false;
        for (int victim : victims) {
            if (heap.freeIfEmpty(victim)) {
                gained++;
            } else {
                hasChunks = true;
            }
        }
        if (hasChunks) {
            collect(victims, isVictim);
            gained += move(victims);
        }
        return gained;
    }

    private void collect(int[] victims, BitSet isVictim) {
        int[] indexOf = new int[heap.segments()];
        Arrays.fill(indexOf, -1);
        for (int i = 0; i < victims.length; i++) {
            indexOf[victims[i]] = i;
        }
        moves = 0;
        for (int space = 0; space < spaces.size() && moves < MAX_MOVES; space++) {
            collect(space, isVictim, indexOf);
        }
    }

    private void collect(int spaceIndex, BitSet isVictim, int[] indexOf) {
        IdSpace space = spaces.get(spaceIndex);
        long idBound = space.ids.bound();
        long firstKey = (long) spaceIndex << LOCAL_BITS;
        for (long first = 0; first < idBound && moves < MAX_MOVES; first += PAGE_ENTRIES) {
            int pageIndex = (int) (first >>> PAGE_SHIFT);
            long page = space.table.page(pageIndex);
            int count =
                    space.ids.isEmpty(pageIndex)
                            ? 0
                            : (int) Math.min(PAGE_ENTRIES, idBound - first);
            for (int i = 0; i < count && moves < MAX_MOVES; i++) {
                long entry = NativeMemory.getLong(page + (long) i * ENTRY_BYTES);
                if (ChunkEntryLayout.payloadAddress(entry) != 0) {
                    collectIfInVictim(firstKey | first + i, entry, isVictim, indexOf);
                }
            }
        }
    }

    private void collectIfInVictim(long key, long entry, BitSet isVictim, int[] indexOf) {
        long block = ChunkEntryLayout.payloadAddress(entry) - ChunkEntryLayout.headerBytes(entry);
        int from = heap.segmentOf(block);
        if (isVictim.get(from)) {
            add(key, indexOf[from]);
            return;
        }
        // Only a block that crosses into a victim is left: one in the segment before, or a long
        // one.
        if (!isVictim.get(from + 1) && ChunkEntryLayout.headerBytes(entry) < LONG_HEADER) {
            return;
        }
        // A stale length cannot do harm: the entry is read again under its lock before the block is
        // moved.
        int to =
                heap.segmentOf(
                        ChunkEntryLayout.payloadAddress(entry)
                                + ChunkEntryLayout.payloadBytes(entry)
                                - 1);
        if (to > from && to < heap.segments() && isVictim.get(to)) {
            add(key, indexOf[to]);
        }
    }

    private void add(long key, int victim) {
        if (moves == locals.length) {
            locals = Arrays.copyOf(locals, 2 * moves);
            victimOf = Arrays.copyOf(victimOf, 2 * moves);
        }
        locals[moves] = key;
        victimOf[moves++] = victim;
    }

    /** Moves victim by victim, in id order, so that each freed segment is there for the next. */
    private int move(int[] victims) {
        int[] start = new int[victims.length + 1];
        for (int i = 0; i < moves; i++) {
            start[victimOf[i] + 1]++;
        }
        for (int i = 0; i < victims.length; i++) {
            start[i + 1] += start[i];
        }
        long[] sorted = new long[moves];
        int[] fill = Arrays.copyOf(start, victims.length);
        for (int i = 0; i < moves; i++) {
            sorted[fill[victimOf[i]]++] = locals[i];
        }
        int gained = 0;
        for (int victim = 0; victim < victims.length; victim++) {
            for (int i = start[victim]; i < start[victim + 1]; i++) {
                move(sorted[i]);
            }
            if (heap.freeIfEmpty(victims[victim])) {
                gained++;
            }
        }
        return gained;
    }

    private void move(long key) {
        IdSpace space = spaces.get((int) (key >>> LOCAL_BITS));
        long local = key & LOCAL_MASK;
        long entryAddress = space.table.entry(local);
        long entry = EntryLock.tryWrite(entryAddress);
        if (entry == EntryLock.ABSENT || entry == EntryLock.BUSY) {
            return;
        }
        int headerBytes = ChunkEntryLayout.headerBytes(entry);
        long block = ChunkEntryLayout.payloadAddress(entry) - headerBytes;
        long bytes = (long) headerBytes + ChunkEntryLayout.payloadBytes(entry);
        long target = space.pins.isPinned(local) ? BlockHeap.NO_ROOM : heap.appendForMove(bytes);
        if (target == BlockHeap.NO_ROOM) {
            EntryLock.unlockWrite(entryAddress, entry);
            return;
        }
        target &= ~BlockHeap.USED_BEFORE;
        NativeMemory.copy(block, target, bytes);
        EntryLock.unlockWrite(
                entryAddress,
                entry - ChunkEntryLayout.payloadAddress(entry) + target + headerBytes);
        heap.leave(block, bytes);
    }
}
