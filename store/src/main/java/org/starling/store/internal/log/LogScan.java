package org.starling.store.internal.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/**
 * Finds out what a log on the disk holds, once, when it is opened after a restart or a crash.
 *
 * <p>The first pass reads the headers and learns how far the log is known to have been forced:
 * every block says which blocks were safe when it was sealed, and every file begins with a mark
 * that says so of the whole log. The second pass reads everything in order. The first block that is
 * missing or damaged decides: if it was known to be safe, this is damage, which is noted, and the
 * log is never written again; otherwise the crash tore it, and the log is cut there, whatever lies
 * behind. Nobody was told that anything behind the cut is safe, unless the force ended that was
 * under way, or its last: then the mark of the last file says what may be missing ({@link
 * Found#claimedEnd}).
 */
final class LogScan {
    /**
     * What was found.
     *
     * @param logId of the log
     * @param base position of the full copy that it began with
     * @param epoch the least that it takes
     * @param entryEpoch of the last change
     * @param end highest position
     * @param nextOrdinal for the next block
     * @param head number of the first segment that is needed
     * @param tailStart the least position from which changes can be told one by one
     * @param segments in order
     * @param damages what cannot be read, although it was safe
     * @param safeEnd up to where changes were safe; more than {@code end} when some are gone
     * @param claimedEnd up to where they were safe if the last force had ended
     */
    record Found(
            long logId,
            long base,
            long epoch,
            long entryEpoch,
            long end,
            long nextOrdinal,
            int head,
            long tailStart,
            List<Segment> segments,
            List<Damage> damages,
            long safeEnd,
            long claimedEnd) {}

    /** A header that moved the head of the log. */
    private record Head(long ordinal, int segment) {}

    private static final Logger LOG = LogManager.getLogger(LogScan.class);

    private final LogFiles files;
    private final String folder;
    private final long zone;
    private final BlockEntries entries = new BlockEntries();
    private final List<Segment> segments = new ArrayList<>();
    private final List<Damage> damages = new ArrayList<>();

    // Of the first pass.
    private long logId;
    private long base;
    private long forcedOrdinal;

    /** Of the last block of a full copy, whether or not its entries can be read. */
    private long copyOrdinal = -1;

    /** The most that any block says of the full copy. */
    private int copy;

    private long safeEnd;
    private long claimedEnd;
    private final List<Head> heads = new ArrayList<>();

    // Of the second pass.
    private long expectedOrdinal = -1;
    private long end;
    private long epoch;
    private long entryEpoch;
    private int head;
    private long tailStart = -1;

    /** In which the log is to be cut; null if it is not. */
    private @Nullable Segment cut;

    LogScan(LogFiles files, String folder, long zone) {
        this.files = files;
        this.folder = folder;
        this.zone = zone;
    }

    /**
     * Reads the log, and cuts its tail if that is torn.
     *
     * @param context for the state
     * @return null when the folder holds no block at all
     */
    @Nullable LogState open(LogContext context) throws IOException {
        List<Integer> numbers = numbers();
        for (int number : numbers) {
            readHeaders(number);
        }
        if (logId == 0) {
            return null;
        }
        try (MarkPage page = new MarkPage()) {
            for (int number : numbers) {
                readMark(number, page);
            }
        }
        int leastHead = leastHead();
        LogState state = new LogState(context, zone, logId, base, 0);
        try {
            readAll(numbers, leastHead, state);
        } catch (IOException | RuntimeException e) {
            state.versions.close();
            throw e;
        }
        return state;
    }

    private void readAll(List<Integer> numbers, int leastHead, LogState state) throws IOException {
        end = base;
        for (int i = 0; i < numbers.size() && cut == null; i++) {
            if (numbers.get(i) >= leastHead) {
                readSegment(numbers.get(i), state);
            }
        }
        boolean isShort = Math.max(expectedOrdinal, 0) < forcedOrdinal;
        if (isShort || (base > 0 && !isCopyWhole())) {
            damages.add(new Damage(0, Math.max(end, safeEnd)));
        }
        finish(numbers);
        state.raise(epoch);
        state.reopened(
                new Found(
                        logId,
                        base,
                        epoch,
                        entryEpoch,
                        end,
                        Math.max(expectedOrdinal, 0),
                        head,
                        tailStart < 0 ? end + 1 : tailStart,
                        segments,
                        damages,
                        Math.max(end, safeEnd),
                        Math.max(end, claimedEnd)));
    }

    /** A copy is taken into use when all of it is safe and a block says so. */
    private boolean isCopyWhole() {
        return switch (copy) {
            case BlockLayout.WHOLE -> true;
            case BlockLayout.PARTIAL -> false;
            default -> copyOrdinal < forcedOrdinal; // of before it was said
        };
    }

    private List<Integer> numbers() throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (String name : files.files(folder)) {
            int number = Segment.numberOf(name);
            if (number > 0) {
                numbers.add(number);
            }
        }
        numbers.sort(null);
        return numbers;
    }

    private SegmentReader reader(int number, boolean bodies) throws IOException {
        LogFile file = files.open(folder, Segment.nameOf(number));
        return new SegmentReader(file, number, zone, logId, file.size(), bodies);
    }

    private void readHeaders(int number) throws IOException {
        try (SegmentReader reader = reader(number, false)) {
            while (reader.next()) {
                long block = reader.block();
                if (logId == 0) {
                    logId = NativeMemory.getLong(block + BlockLayout.LOG_ID_AT);
                    base = NativeMemory.getLong(block + BlockLayout.BASE_AT);
                } else if (NativeMemory.getLong(block + BlockLayout.LOG_ID_AT) != logId) {
                    continue;
                }
                long forced = NativeMemory.getLong(block + BlockLayout.FORCED_AT);
                forcedOrdinal = Math.max(forcedOrdinal, forced);
                if (NativeMemory.getByte(block + BlockLayout.KIND_AT) == BlockLayout.COPY) {
                    copyOrdinal = NativeMemory.getLong(block + BlockLayout.ORDINAL_AT);
                }
                copy = Math.max(copy, NativeMemory.getByte(block + BlockLayout.COPY_AT));
                int blockHead = NativeMemory.getInt(block + BlockLayout.HEAD_AT);
                if (heads.isEmpty() || heads.getLast().segment() < blockHead) {
                    long ordinal = NativeMemory.getLong(block + BlockLayout.ORDINAL_AT);
                    heads.add(new Head(ordinal, blockHead));
                }
            }
        }
    }

    /** What was claimed counts only as long as no later file was begun. */
    private void readMark(int number, MarkPage page) throws IOException {
        try (LogFile file = files.open(folder, Segment.nameOf(number))) {
            MarkLayout.Mark mark = page.read(file, logId, zone, number);
            if (mark != null) {
                forcedOrdinal = Math.max(forcedOrdinal, mark.safeOrdinal());
                safeEnd = Math.max(safeEnd, mark.safeEnd());
                claimedEnd = mark.claimedEnd();
            }
        }
    }

    /** Segments below this are leftovers of a deletion for certain. */
    private int leastHead() {
        int least = 1;
        for (Head moved : heads) {
            if (moved.ordinal() < forcedOrdinal) {
                least = Math.max(least, moved.segment());
            }
        }
        return least;
    }

    private void readSegment(int number, LogState state) throws IOException {
        Segment segment = new Segment(number);
        segments.add(segment);
        try (SegmentReader reader = reader(number, true)) {
            while (reader.next()) {
                if (!take(reader, segment, state)) {
                    cut = segment;
                    return;
                }
                segment.allocate(Math.toIntExact(reader.nextOffset() - segment.allocatedBytes()));
                segment.written(reader.nextOffset());
            }
            if (reader.isAfterHole()) {
                if (expectedOrdinal >= forcedOrdinal) {
                    cut = segment;
                } else {
                    damages.add(new Damage(0, end));
                }
            }
        }
    }

    /** Takes a block in; false when the log has to be cut before it. */
    private boolean take(SegmentReader reader, Segment segment, LogState state) {
        long block = reader.block();
        long ordinal = NativeMemory.getLong(block + BlockLayout.ORDINAL_AT);
        boolean begins = expectedOrdinal < 0;
        boolean follows = begins ? !reader.isAfterHole() : ordinal == expectedOrdinal;
        if (!follows) {
            long missing = begins ? ordinal - 1 : expectedOrdinal;
            if (missing >= forcedOrdinal || ordinal < expectedOrdinal) {
                return false;
            }
            damages.add(new Damage(0, NativeMemory.getLong(block + BlockLayout.END_AT)));
        }
        if (!reader.isIntact() && ordinal >= forcedOrdinal) {
            return false;
        }
        expectedOrdinal = ordinal + 1;
        end = NativeMemory.getLong(block + BlockLayout.END_AT);
        epoch = Math.max(epoch, NativeMemory.getLong(block + BlockLayout.FENCE_AT));
        entryEpoch = NativeMemory.getLong(block + BlockLayout.ENTRY_EPOCH_AT);
        head = Math.max(head, NativeMemory.getInt(block + BlockLayout.HEAD_AT));
        if (NativeMemory.getByte(block + BlockLayout.KIND_AT) == BlockLayout.STREAM) {
            segment.streamed(end);
            if (tailStart < 0) {
                tailStart = NativeMemory.getLong(block + BlockLayout.FIRST_AT);
            }
        }
        apply(reader, segment.number(), state);
        return true;
    }

    private void apply(SegmentReader reader, int segment, LogState state) {
        long block = reader.block();
        boolean intact = reader.isIntact();
        boolean moved = NativeMemory.getByte(block + BlockLayout.KIND_AT) == BlockLayout.MOVED;
        if (!intact) {
            damages.add(damageOf(block, moved));
            if (moved || !reader.isWhole()) {
                return;
            }
        }
        entries.wrap(block);
        while (entries.next()) {
            if (!intact && !entries.isSound()) {
                continue;
            }
            EntryCursor entry = entries.entry();
            long position = entries.position();
            state.versions.apply(entry, position, segment, entries.takenBytes());
            if (entry.client() != EntryLayout.NO_CLIENT && !moved) {
                state.tags.add(position);
            }
        }
    }

    private Damage damageOf(long block, boolean moved) {
        long first = NativeMemory.getLong(block + BlockLayout.FIRST_AT);
        return new Damage(moved ? 0 : first, NativeMemory.getLong(block + BlockLayout.END_AT));
    }

    /**
     * Whether the first file that is needed is gone, or all that was in it: it holds a block before
     * there is a next one, and the ordinals of its blocks stand nowhere else.
     */
    private boolean isWithoutHead(int last) {
        for (Segment segment : segments) {
            if (segment.number() >= head) {
                return segment.number() > Math.max(head, 1)
                        || (!segment.holdsBlocks() && segment.number() < last);
            }
        }
        return true;
    }

    /** Brings the folder into the state that was found: cut, without leftovers, safe. */
    private void finish(List<Integer> numbers) throws IOException {
        if (isWithoutHead(numbers.getLast())) {
            damages.add(new Damage(0, end));
        }
        if (!damages.isEmpty()) {
            return;
        }
        if (claimedEnd <= end) { // else the last one says so
            while (segments.size() > 1 && !segments.getLast().holdsBlocks()) {
                segments.removeLast();
            }
        }
        segments.removeIf(segment -> segment.number() < head);
        for (Segment segment : segments) {
            try (LogFile file = files.open(folder, segment.fileName())) {
                if (segment.equals(cut)) {
                    LOG.warn(
                            "zone 0x{}: torn tail of {} bytes cut off",
                            Long.toHexString(zone),
                            Math.max(0, file.size() - segment.writtenBytes()));
                    file.truncate(segment.writtenBytes());
                }
                file.force(); // what makes others needless may not have been safe
            }
        }
        int last = segments.getLast().number();
        for (int i = numbers.size() - 1; i >= 0; i--) {
            if (numbers.get(i) > last || numbers.get(i) < head) {
                files.delete(folder, Segment.nameOf(numbers.get(i)));
            }
        }
    }
}
