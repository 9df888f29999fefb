package org.starling.loaders.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * A file or a stream of Apache Arrow, also called Feather: booleans, numbers and texts, not packed
 * or with LZ4 or zstd. A record batch is a group. See {@link ArrowWriter}.
 */
final class ArrowFile implements ColumnFile {
    /** The most bytes of a message without its body, and of a footer. */
    private static final int MAX_METADATA_BYTES = 64 << 20;

    private static final int PREFIX_BYTES = 2 * Integer.BYTES;

    private final Path path;
    private final ArrowSchema schema;
    private final List<Batch> batches;

    /**
     * A record batch.
     *
     * @param metadata where its flatbuffer begins
     * @param metadataBytes how long that is
     * @param body where its body begins
     * @param bodyBytes how long that is
     */
    record Batch(long rows, long metadata, int metadataBytes, long body, long bodyBytes) {}

    /** A message of which the prefix was read. */
    private record Place(long metadata, int metadataBytes) {
        long body() {
            return metadata + metadataBytes;
        }
    }

    private ArrowFile(Path path, ArrowSchema schema, List<Batch> batches) {
        this.path = path;
        this.schema = schema;
        this.batches = List.copyOf(batches);
    }

    /**
     * Reads the schema of a file and finds its record batches.
     *
     * @throws InvalidInputException if it is none
     */
    static ArrowFile open(Path path) throws IOException {
        try (MappedBytes bytes = MappedBytes.of(path)) {
            return decoded(() -> open(path, bytes));
        } catch (MalformedTableException wrong) {
            throw wrong.of("Arrow", path);
        }
    }

    private static ArrowFile open(Path path, MappedBytes bytes) {
        int magic = ArrowWriter.MAGIC.length;
        if (bytes.size() >= magic && Arrays.equals(bytes.copy(0, magic), ArrowWriter.MAGIC)) {
            return ofFile(path, bytes);
        }
        if (bytes.size() >= PREFIX_BYTES && bytes.intAt(0) == ArrowWriter.CONTINUATION) {
            return ofStream(path, bytes);
        }
        throw new MalformedTableException(
                "it begins neither with ARROW1 nor with a message of a stream");
    }

    private static ArrowFile ofFile(Path path, MappedBytes bytes) {
        int magic = ArrowWriter.MAGIC.length;
        long tail = bytes.size() - magic - Integer.BYTES;
        if (tail < ArrowWriter.HEAD_BYTES
                || !Arrays.equals(bytes.copy(tail + Integer.BYTES, magic), ArrowWriter.MAGIC)) {
            throw new MalformedTableException("it does not end with ARROW1, so its end is missing");
        }
        int length = bytes.intAt(tail);
        if (length < Integer.BYTES
                || length > MAX_METADATA_BYTES
                || length > tail - ArrowWriter.HEAD_BYTES) {
            throw new MalformedTableException(
                    "its footer should have %d bytes".formatted(length & 0xFFFF_FFFFL));
        }
        Footer footer = Footer.getRootAsFooter(ByteBuffer.wrap(bytes.copy(tail - length, length)));
        ArrowSchema schema = ArrowSchema.of(footer.schema());
        int count = footer.recordBatchesLength();
        if (count < 0 || count > MAX_GROUPS || count > length) {
            throw new MalformedTableException("its footer names %d batches".formatted(count));
        }
        List<Batch> batches = new ArrayList<>();
        long left = bytes.size();
        for (int i = 0; i < count; i++) {
            Block block = footer.recordBatches(i);
            Place place = place(bytes, block.offset());
            Batch batch = batch(bytes, place);
            if (batch == null) {
                throw new MalformedTableException(
                        "at byte %d there should be a record batch".formatted(block.offset()));
            }
            left -= batch.metadataBytes + batch.bodyBytes;
            if (left < 0) { // otherwise some bytes would be read as often as it likes
                throw new MalformedTableException("several batches of its footer are the same");
            }
            batches.add(batch);
        }
        return checked(path, schema, batches);
    }

    private static ArrowFile ofStream(Path path, MappedBytes bytes) {
        Place place = place(bytes, 0);
        Message first = message(bytes, place);
        if (first.headerType() != MessageHeader.Schema
                || !(first.header(new Schema()) instanceof Schema named)) {
            throw new MalformedTableException("the stream does not begin with a schema");
        }
        ArrowSchema schema = ArrowSchema.of(named);
        List<Batch> batches = new ArrayList<>();
        long at = place.body() + body(bytes, first, place);
        while (at < bytes.size()) {
            Place next = place(bytes, at);
            if (next.metadataBytes == 0) {
                break; // the stream ends here
            }
            Batch batch = batch(bytes, next);
            if (batch != null) {
                batches.add(batch);
                if (batches.size() > MAX_GROUPS) {
                    throw new MalformedTableException("there are too many record batches");
                }
            }
            at = next.body() + body(bytes, message(bytes, next), next);
        }
        return checked(path, schema, batches);
    }

    private static ArrowFile checked(Path path, ArrowSchema schema, List<Batch> batches) {
        long rows = 0;
        for (Batch batch : batches) {
            if (batch.rows < 0 || batch.rows > MAX_ROWS - rows) {
                throw new MalformedTableException(
                        "a record batch counts %d rows".formatted(batch.rows));
            }
            rows += batch.rows;
        }
        return new ArrowFile(path, schema, batches);
    }

    /** The message that begins there; without metadata if it ends a stream. */
    private static Place place(MappedBytes bytes, long offset) {
        bytes.slice(offset, PREFIX_BYTES);
        if (bytes.intAt(offset) != ArrowWriter.CONTINUATION) {
            throw new MalformedTableException("at byte %d there is no message".formatted(offset));
        }
        int length = bytes.intAt(offset + Integer.BYTES);
        if (length < 0 || length > MAX_METADATA_BYTES) {
            throw new MalformedTableException(
                    "the message at byte %d should have %d bytes".formatted(offset, length));
        }
        bytes.slice(offset + PREFIX_BYTES, length);
        return new Place(offset + PREFIX_BYTES, length);
    }

    private static Message message(MappedBytes bytes, Place place) {
        Message message =
                Message.getRootAsMessage(
                        ByteBuffer.wrap(bytes.copy(place.metadata, place.metadataBytes)));
        if (message.version() < MetadataVersion.V4) {
            throw new MalformedTableException(
                    "its metadata are of version %d; 4 and 5 are read"
                            .formatted(message.version() + 1));
        }
        return message;
    }

    /** How long a message's body is. */
    private static long body(MappedBytes bytes, Message message, Place place) {
        bytes.slice(place.body(), message.bodyLength());
        return message.bodyLength();
    }

    private static @Nullable Batch batch(MappedBytes bytes, Place place) {
        Message message = message(bytes, place);
        long bodyBytes = body(bytes, message, place);
        if (message.headerType() != MessageHeader.RecordBatch
                || !(message.header(new RecordBatch()) instanceof RecordBatch batch)) {
            return null;
        }
        return new Batch(
                batch.length(), place.metadata, place.metadataBytes, place.body(), bodyBytes);
    }

    /** Decodes something. */
    private interface Decoding<T> {
        T decode();
    }

    /**
     * Classes of flatbuffers follow offsets without a look at them, but never beyond their buffer:
     * wrong ones show as exceptions of these kinds.
     */
    private static <T> T decoded(Decoding<T> decoding) {
        try {
            return decoding.decode();
        } catch (IndexOutOfBoundsException
                | IllegalArgumentException
                | NullPointerException
                | ArithmeticException wrong) {
            throw new MalformedTableException("what it says of itself can't be read", wrong);
        }
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public List<Column> columns() {
        return schema.columns();
    }

    @Override
    public int groups() {
        return batches.size();
    }

    @Override
    public long rows(int group) {
        return batches.get(group).rows;
    }

    @Override
    public void read(int group, List<Integer> wanted, Sink sink) throws IOException {
        long first = 0;
        for (int i = 0; i < group; i++) {
            first += rows(i);
        }
        try (MappedBytes bytes = MappedBytes.of(path)) {
            Batch batch = batches.get(group);
            List<TableColumn> columns = new ArrayList<>();
            List<ArrowColumn> readers = new ArrayList<>();
            decoded(() -> {
                ArrowBody body = ArrowBody.of(bytes, batch);
                for (int index : wanted) {
                    Column column = schema.columns().get(index);
                    TableColumn.Kind kind = column.kind();
                    if (kind == null) {
                        throw new IllegalStateException(column + " is not read");
                    }
                    columns.add(new TableColumn(column.name(), kind, 1, true));
                    readers.add(ArrowColumn.of(column.name(), schema.layouts().get(index), body));
                }
                return body;
            });
            give(batch.rows, new TableBatch(columns), readers, first, sink);
        } catch (MalformedTableException wrong) {
            throw wrong.of("Arrow", path);
        }
    }

    private static void give(
            long rows, TableBatch batch, List<ArrowColumn> readers, long firstRow, Sink sink) {
        long done = 0;
        while (done < rows) {
            batch.clear();
            while (done + batch.rows() < rows && !batch.isFull()) {
                long row = done + batch.rows();
                for (int i = 0; i < readers.size(); i++) {
                    readers.get(i).put(row, batch, i);
                }
                batch.endRow();
            }
            if (!sink.take(batch, firstRow + done)) {
                return;
            }
            done += batch.rows();
        }
    }
}
