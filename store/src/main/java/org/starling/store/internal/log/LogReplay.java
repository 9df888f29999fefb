package org.starling.store.internal.log;

import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/**
 * Tells the content of a log: several threads take segments one after the other, and of each entry
 * that which the version table says is the newest of its chunk. As each chunk's newest value lies
 * in one place, no two threads tell the same chunk. Reads everything once.
 */
final class LogReplay {
    private final LogState state;
    private final LogCapture capture;
    private final ReplayTarget target;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    LogReplay(LogState state, LogCapture capture, ReplayTarget target) {
        this.state = state;
        this.capture = capture;
        this.target = target;
    }

    /** Reads with so many threads, this one among them. */
    void run(int threads) {
        int wanted = Math.min(threads, capture.parts().size());
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < wanted; i++) {
            others.add(Thread.ofPlatform().name("starling-replay-" + i).daemon().start(this::work));
        }
        work();
        try {
            for (Thread other : others) {
                other.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LogFailedException("interrupted while reading a log", e);
        }
        Throwable cause = failure.get();
        if (cause != null) {
            throw new LogFailedException(
                    "the log of zone 0x%x cannot be read".formatted(state.zone()), cause);
        }
        for (Damage damage : capture.damages()) {
            target.damaged(damage.first(), damage.last());
        }
    }

    private void work() {
        try (RunSplitter splitter = new RunSplitter()) {
            if (next.compareAndSet(0, 1)) {
                tellMemory(splitter);
            }
            int taken = next.getAndIncrement();
            while (taken <= capture.parts().size() && failure.get() == null) {
                if (taken > 0) {
                    tellPart(capture.parts().get(taken - 1), splitter);
                }
                taken = next.getAndIncrement();
            }
        } catch (IOException | RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    private void tellMemory(RunSplitter splitter) {
        BlockEntries entries = new BlockEntries();
        for (Block block : capture.inMemory()) {
            entries.wrap(block.address());
            while (entries.next()) {
                tell(entries, block.segment().number(), splitter, null);
            }
        }
    }

    private void tellPart(LogCapture.Part part, RunSplitter splitter) throws IOException {
        boolean damaged = false;
        IntSet told = new IntOpenHashSet();
        BlockEntries entries = new BlockEntries();
        try (SegmentReader reader = capture.reader(part)) {
            while (reader.next()) {
                damaged |= reader.isAfterHole() || !reader.isIntact();
                if (reader.isIntact()) {
                    entries.wrap(reader.block());
                    while (entries.next()) {
                        tell(entries, part.number(), splitter, null);
                    }
                }
            }
            damaged |= reader.isAfterHole();
        }
        if (damaged) {
            tellDamaged(part, splitter, told);
        }
    }

    /** Second look at a damaged segment: what can be saved, and which chunks are lost with it. */
    private void tellDamaged(LogCapture.Part part, RunSplitter splitter, IntSet told)
            throws IOException {
        BlockEntries entries = new BlockEntries();
        try (SegmentReader reader = capture.reader(part)) {
            while (reader.next()) {
                long block = reader.block();
                int kind = NativeMemory.getByte(block + BlockLayout.KIND_AT);
                if (!reader.isWhole() || (!reader.isIntact() && kind == BlockLayout.MOVED)) {
                    continue;
                }
                entries.wrap(block);
                while (entries.next()) {
                    if (reader.isIntact()) {
                        note(entries, part.number(), told);
                    } else if (entries.isSound()) {
                        tell(entries, part.number(), splitter, told);
                    }
                }
            }
        }
        state.versions.forEachLive(
                part.number(),
                (index, position) -> {
                    if (!told.contains(index)) {
                        target.damagedChunk(index, position);
                    }
                });
    }

    private void note(BlockEntries entries, int segment, IntSet told) {
        EntryCursor entry = entries.entry();
        boolean makes = entry.kind() != EntryLayout.REMOVE && entry.kind() != EntryLayout.SKIP;
        for (int i = 0; makes && i < entry.count(); i++) {
            if (state.versions.isLive(entry.index() + i, entries.position(), segment)) {
                told.add(entry.index() + i);
            }
        }
    }

    private void tell(
            BlockEntries entries, int segment, RunSplitter splitter, @Nullable IntSet told) {
        EntryCursor entry = entries.entry();
        long position = entries.position();
        switch (entry.kind()) {
            case EntryLayout.PUT -> {
                if (state.versions.isLive(entry.index(), position, segment)) {
                    target.put(entry.index(), position, entry.body(), entry.size(0));
                }
            }
            case EntryLayout.CREATE_UNIFORM, EntryLayout.CREATE_LISTED ->
                    tellRun(entry, position, segment, splitter);
            default -> {}
        }
        if (told != null) {
            note(entries, segment, told);
        }
        if (entry.client() != EntryLayout.NO_CLIENT) {
            target.executed(
                    entry.client(), entry.sequence(), entry.index(), entry.count(), position);
        }
    }

    private void tellRun(EntryCursor entry, long position, int segment, RunSplitter splitter) {
        splitter.wrap(entry);
        while (splitter.next(index -> state.versions.isLive(index, position, segment))) {
            if (splitter.isUniform()) {
                target.created(splitter.first(), splitter.count(), splitter.each(), position);
            } else {
                target.createdListed(
                        splitter.first(), splitter.count(), splitter.sizesAddress(), position);
            }
        }
    }
}
