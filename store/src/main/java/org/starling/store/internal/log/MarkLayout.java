package org.starling.store.internal.log;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;

/**
 * The first page of a segment file, which says how far the log reaches. It is written in place
 * before every force of the file, and made safe by that force: it costs a write, but no force of
 * its own. It lies far from the end of the log, so that an end that is gone is told from one that
 * never was. Little-endian. Version 1.
 *
 * <pre>
 *   0    4  magic
 *   4    4  CRC32C of bytes 8..63
 *   8    8  log id
 *   16   8  zone
 *   24   4  segment in which this page lies
 *   28   4  version
 *   32   8  safe ordinal: blocks with a smaller ordinal had been safe before this force
 *   40   8  safe end: highest position in them
 *   48   8  claimed ordinal: blocks with a smaller ordinal are safe if this force has ended
 *   56   8  claimed end: highest position in them
 *   …       zeros; at 2048 the same again, so that a torn write or a flipped bit spoils one of both
 * </pre>
 */
final class MarkLayout {
    /** How much of a segment file it takes. */
    static final int PAGE_BYTES = BlockLayout.ALIGNMENT;

    static final int VERSION = 1;
    static final int MAGIC = 0x4D4C5331; // "1SLM" as bytes
    static final int COPY_AT = PAGE_BYTES / 2;

    private static final int CRC_AT = 4;
    private static final int LOG_ID_AT = 8;
    private static final int ZONE_AT = 16;
    private static final int SEGMENT_AT = 24;
    private static final int VERSION_AT = 28;
    private static final int SAFE_ORDINAL_AT = 32;
    private static final int SAFE_END_AT = 40;
    private static final int CLAIMED_ORDINAL_AT = 48;
    private static final int CLAIMED_END_AT = 56;
    private static final int MARK_BYTES = 64;

    /** What a page says; see there. */
    record Mark(long safeOrdinal, long safeEnd, long claimedOrdinal, long claimedEnd) {}

    private MarkLayout() {}

    /** Fills a page; {@code view} covers it. */
    static void write(long page, ByteBuffer view, long logId, long zone, int segment, Mark mark) {
        NativeMemory.fill(page, PAGE_BYTES, (byte) 0);
        NativeMemory.putInt(page, MAGIC);
        NativeMemory.putLong(page + LOG_ID_AT, logId);
        NativeMemory.putLong(page + ZONE_AT, zone);
        NativeMemory.putInt(page + SEGMENT_AT, segment);
        NativeMemory.putInt(page + VERSION_AT, VERSION);
        NativeMemory.putLong(page + SAFE_ORDINAL_AT, mark.safeOrdinal);
        NativeMemory.putLong(page + SAFE_END_AT, mark.safeEnd);
        NativeMemory.putLong(page + CLAIMED_ORDINAL_AT, mark.claimedOrdinal);
        NativeMemory.putLong(page + CLAIMED_END_AT, mark.claimedEnd);
        NativeMemory.putInt(page + CRC_AT, BlockLayout.crc(view, LOG_ID_AT, MARK_BYTES));
        NativeMemory.copy(page, page + COPY_AT, MARK_BYTES);
    }

    /**
     * What a page says, the one of both that says more.
     *
     * @return null when neither is a whole mark of this file
     */
    static @Nullable Mark read(long page, ByteBuffer view, long logId, long zone, int segment) {
        Mark one = readOne(page, view, 0, logId, zone, segment);
        Mark other = readOne(page, view, COPY_AT, logId, zone, segment);
        boolean isFirst =
                other == null || (one != null && one.claimedOrdinal >= other.claimedOrdinal);
        return isFirst ? one : other;
    }

    private static @Nullable Mark readOne(
            long page, ByteBuffer view, int at, long logId, long zone, int segment) {
        long from = page + at;
        boolean isMark =
                NativeMemory.getInt(from) == MAGIC
                        && BlockLayout.crc(view, at + LOG_ID_AT, at + MARK_BYTES)
                                == NativeMemory.getInt(from + CRC_AT)
                        && NativeMemory.getLong(from + LOG_ID_AT) == logId
                        && NativeMemory.getLong(from + ZONE_AT) == zone
                        && NativeMemory.getInt(from + SEGMENT_AT) == segment
                        && NativeMemory.getInt(from + VERSION_AT) == VERSION;
        return isMark
                ? new Mark(
                        NativeMemory.getLong(from + SAFE_ORDINAL_AT),
                        NativeMemory.getLong(from + SAFE_END_AT),
                        NativeMemory.getLong(from + CLAIMED_ORDINAL_AT),
                        NativeMemory.getLong(from + CLAIMED_END_AT))
                : null;
    }
}
