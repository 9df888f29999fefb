package org.starling.loaders.table;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of a record batch, each looked at when it is asked for: where it lies is checked
 * against the body, and how long it is unpacked against a bound. Confined to one thread.
 */
final class ArrowBody {
    /** The most bytes of a buffer, unpacked. */
    private static final int MAX_BUFFER_BYTES = 1 << 30;

    /** How much larger than packed a buffer may be, but for {@link #FREE_BYTES}. */
    private static final int MAX_RATIO = 1000;

    private static final int FREE_BYTES = 1 << 20;
    private static final int NOT_PACKED = -1;

    private final RecordBatch header;
    private final MemorySegment body;
    private final long rows;
    private final UnpackedBytes unpacked;

    private ArrowBody(RecordBatch header, MemorySegment body, long rows, UnpackedBytes unpacked) {
        this.header = header;
        this.body = body;
        this.rows = rows;
        this.unpacked = unpacked;
    }

    /** The body of a record batch, or of one with values of a dictionary. */
    static ArrowBody of(MappedBytes bytes, ArrowFile.Batch batch, UnpackedBytes unpacked) {
        ByteBuffer metadata = ByteBuffer.wrap(bytes.copy(batch.metadata(), batch.metadataBytes()));
        RecordBatch header = header(Message.getRootAsMessage(metadata));
        if (header == null || header.length() != batch.rows()) {
            throw new MalformedTableException("the file has changed while it was read");
        }
        MemorySegment body = bytes.slice(batch.body(), batch.bodyBytes());
        return new ArrowBody(header, body, batch.rows(), unpacked);
    }

    private static @Nullable RecordBatch header(Message message) {
        return switch (message.headerType()) {
            case MessageHeader.RecordBatch -> (RecordBatch) message.header(new RecordBatch());
            case MessageHeader.DictionaryBatch ->
                    message.header(new DictionaryBatch()) instanceof DictionaryBatch words
                            ? words.data()
                            : null;
            default -> null;
        };
    }

    long rows() {
        return rows;
    }

    /** How many values of a node are missing. */
    long missing(int node) {
        if (node >= header.nodesLength()) {
            throw new MalformedTableException("a record batch has fewer columns than the schema");
        }
        FieldNode found = header.nodes(node);
        if (found.length() != rows || found.nullCount() < 0 || found.nullCount() > rows) {
            throw new MalformedTableException(
                    "a column of a record batch of %d rows has %d values, of which %d are missing"
                            .formatted(rows, found.length(), found.nullCount()));
        }
        return found.nullCount();
    }

    /** How many buffers of texts the views of some columns have together. */
    int viewBuffers(int views) {
        long sum = 0;
        for (int i = 0; i < views; i++) {
            sum += viewBuffersOf(i);
        }
        return Math.toIntExact(sum);
    }

    /** How many buffers of texts the views of a column have. */
    int viewBuffersOf(int view) {
        long count =
                view < header.variadicBufferCountsLength() ? header.variadicBufferCounts(view) : -1;
        if (count < 0 || count > header.buffersLength()) {
            throw new MalformedTableException("a column of texts has %d buffers".formatted(count));
        }
        return (int) count;
    }

    /** A buffer, unpacked, which must have so many bytes at least. */
    MemorySegment buffer(int index, long leastBytes) {
        if (index < 0 || index >= header.buffersLength()) {
            throw new MalformedTableException("a record batch has fewer buffers than it needs");
        }
        Buffer place = header.buffers(index);
        if (place.offset() < 0
                || place.length() < 0
                || place.offset() > body.byteSize() - place.length()) {
            throw new MalformedTableException(
                    "a buffer of %d bytes at %d goes beyond its body of %d"
                            .formatted(place.length(), place.offset(), body.byteSize()));
        }
        MemorySegment found = body.asSlice(place.offset(), place.length());
        BodyCompression compression = header.compression();
        if (compression != null && found.byteSize() > 0) {
            found = unpacked(found, compression);
        }
        if (found.byteSize() < leastBytes) {
            throw new MalformedTableException(
                    "a buffer has %d bytes, and needs %d for %d rows"
                            .formatted(found.byteSize(), leastBytes, rows));
        }
        return found;
    }

    private MemorySegment unpacked(MemorySegment packed, BodyCompression compression) {
        if (packed.byteSize() < Long.BYTES) {
            throw new MalformedTableException("a packed buffer has no length");
        }
        long length =
                packed.get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 0);
        MemorySegment rest = packed.asSlice(Long.BYTES);
        if (length == NOT_PACKED) {
            return rest;
        }
        long most = Math.max(FREE_BYTES, rest.byteSize() * MAX_RATIO);
        if (length < 0
                || length > Math.min(most, MAX_BUFFER_BYTES)
                || rest.byteSize() > MAX_BUFFER_BYTES) {
            throw new MalformedTableException(
                    "a buffer of %d bytes should unpack to %d".formatted(rest.byteSize(), length));
        }
        unpacked.take(length);
        byte[] plain = new byte[(int) length];
        int found = unpack(rest.toArray(ValueLayout.JAVA_BYTE), plain, compression.codec());
        if (found != length) {
            throw new MalformedTableException(
                    "a buffer should unpack to %d bytes, and has %d".formatted(length, found));
        }
        return MemorySegment.ofArray(plain);
    }

    private static int unpack(byte[] packed, byte[] plain, byte codec) {
        try {
            return switch (codec) {
                case CompressionType.LZ4_FRAME -> unpackFrame(packed, plain);
                case CompressionType.ZSTD ->
                        new ZstdJavaDecompressor()
                                .decompress(packed, 0, packed.length, plain, 0, plain.length);
                default ->
                        throw new MalformedTableException(
                                "its buffers are packed with the unknown codec " + codec);
            };
        } catch (MalformedInputException
                | IllegalArgumentException
                | IllegalStateException // of the header of a frame of Zstandard
                | IOException wrong) {
            throw new MalformedTableException("a packed buffer can't be unpacked", wrong);
        }
    }

    /** Frames have blocks that go back to those before them. */
    private static int unpackFrame(byte[] packed, byte[] plain) throws IOException {
        try (InputStream in =
                new FramedLZ4CompressorInputStream(new ByteArrayInputStream(packed))) {
            int read = in.readNBytes(plain, 0, plain.length);
            return in.read() < 0 ? read : plain.length + 1;
        }
    }

    /** Which values are there, a bit each; null if all are. */
    @Nullable MemorySegment present(int node, int buffer) {
        if (missing(node) == 0 || rows == 0) {
            return null;
        }
        return buffer(buffer, Math.ceilDiv(rows, Byte.SIZE));
    }
}
