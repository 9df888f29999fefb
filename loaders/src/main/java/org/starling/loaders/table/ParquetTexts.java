package org.starling.loaders.table;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Texts that stand behind the lengths of all of them (DELTA_LENGTH_BYTE_ARRAY), or of what follows
 * a part of the text before (DELTA_BYTE_ARRAY). Confined to one thread.
 */
final class ParquetTexts implements ParquetValues {
    private final byte[] bytes;
    private final @Nullable ParquetDeltas shared;
    private final ParquetDeltas lengths;
    private int at;
    private byte[] text = {};
    private int textBytes;

    private ParquetTexts(
            byte[] bytes, @Nullable ParquetDeltas shared, ParquetDeltas lengths, int begin) {
        this.bytes = bytes;
        this.shared = shared;
        this.lengths = lengths;
        this.at = begin;
    }

    /** Texts behind lengths; {@code most} as in {@link ParquetDeltas}. */
    static ParquetTexts whole(byte[] bytes, int begin, long most) {
        int end = ParquetDeltas.end(bytes, begin, most);
        return new ParquetTexts(bytes, null, new ParquetDeltas(bytes, begin, most), end);
    }

    /** Texts that begin as those before them; {@code most} as in {@link ParquetDeltas}. */
    static ParquetTexts shared(byte[] bytes, int begin, long most) {
        int middle = ParquetDeltas.end(bytes, begin, most);
        int end = ParquetDeltas.end(bytes, middle, most);
        return new ParquetTexts(
                bytes,
                new ParquetDeltas(bytes, begin, most),
                new ParquetDeltas(bytes, middle, most),
                end);
    }

    @Override
    public void next(TableBatch batch, int index) {
        long kept = shared == null ? 0 : shared.next();
        long more = lengths.next();
        if (kept < 0
                || kept > textBytes
                || more < 0
                || more > bytes.length - at
                || kept + more > ColumnFile.MAX_TEXT_BYTES) {
            throw new MalformedTableException(
                    "a text of %d bytes behind %d of the one before goes beyond its page"
                            .formatted(more, kept));
        }
        int length = (int) (kept + more);
        if (length > text.length) {
            text = Arrays.copyOf(text, Math.max(length, 2 * text.length));
        }
        System.arraycopy(bytes, at, text, (int) kept, (int) more);
        at += (int) more;
        textBytes = length;
        batch.putText(index, text, 0, length);
    }
}
