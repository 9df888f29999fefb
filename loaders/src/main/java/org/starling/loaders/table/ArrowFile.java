package org.starling.loaders.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.DictionaryBatch;
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

    /** The most pieces of dictionaries that are noted for record batches, all together. */
    private static final long MAX_NOTED = 1 << 24;

    private static final int PREFIX_BYTES = 2 * Integer.BYTES;

    private final Path path;
    private final ArrowSchema schema;
    private final List<Group> groups;

    /** Gives a column's values, row by row. */
    @FunctionalInterface
    interface Rows {
        /** Puts the value of a row into a column of a batch. */
        void put(long row, TableBatch batch, int index);
    }

    /**
     * A record batch, and the dictionaries of its columns by their numbers, each of them in pieces.
     */
    private record Group(Batch batch, Map<Long, List<Batch>> dictionaries) {}

    /** Dictionaries as they are where a file is read. */
    private static final class Dictionaries {
        private final Map<Long, List<Batch>> pieces = new HashMap<>();
        private Map<Long, List<Batch>> now = Map.of();
        private boolean isChanged;
        private long noted;

        void take(DictionaryBatch words, Batch batch) {
            List<Batch> before = words.isDelta() ? pieces.get(words.id()) : null;
            List<Batch> after = new ArrayList<>(before == null ? List.of() : before);
            after.add(batch);
            note(after.size());
            pieces.put(words.id(), after);
            isChanged = true;
        }

        Group group(Batch batch) {
            if (isChanged) {
                note(pieces.size());
                now = Map.copyOf(pieces);
                isChanged = false;
            }
            return new Group(batch, now);
        }

        private void note(long more) {
            noted += more;
            if (noted > MAX_NOTED) {
                throw new MalformedTableException("its dictionaries change too often");
            }
        }
    }

    /**
     * A batch of rows, or of the values of a dictionary.
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

    private ArrowFile(Path path, ArrowSchema schema, List<Group> groups) {
        this.path = path;
        this.schema = schema;
        this.groups = List.copyOf(groups);
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
        int words = footer.dictionariesLength();
        if (words < 0 || words > MAX_GROUPS || words > length) {
            throw new MalformedTableException("its footer names %d dictionaries".formatted(words));
        }
        long left = bytes.size();
        Dictionaries dictionaries = new Dictionaries();
        for (int i = 0; i < words; i++) {
            long offset = footer.dictionaries(i).offset();
            Message message = message(bytes, place(bytes, offset));
            if (!(header(message) instanceof DictionaryBatch found)) {
                throw new MalformedTableException(
                        "at byte %d there should be a dictionary".formatted(offset));
            }
            Batch batch = batch(bytes, message, place(bytes, offset), found.data());
            left = without(batch, left);
            dictionaries.take(found, batch);
        }
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long offset = footer.recordBatches(i).offset();
            Message message = message(bytes, place(bytes, offset));
            if (!(header(message) instanceof RecordBatch found)) {
                throw new MalformedTableException(
                        "at byte %d there should be a record batch".formatted(offset));
            }
            Batch batch = batch(bytes, message, place(bytes, offset), found);
            left = without(batch, left);
            groups.add(dictionaries.group(batch));
        }
        return checked(path, schema, groups);
    }

    /** Otherwise some bytes would be read as often as a footer likes. */
    private static long without(Batch batch, long left) {
        long rest = left - batch.metadataBytes - batch.bodyBytes;
        if (rest < 0) {
            throw new MalformedTableException("several batches of its footer are the same");
        }
        return rest;
    }

    private static ArrowFile ofStream(Path path, MappedBytes bytes) {
        Place place = place(bytes, 0);
        Message first = message(bytes, place);
        if (first.headerType() != MessageHeader.Schema
                || !(first.header(new Schema()) instanceof Schema named)) {
            throw new MalformedTableException("the stream does not begin with a schema");
        }
        ArrowSchema schema = ArrowSchema.of(named);
        List<Group> groups = new ArrayList<>();
        Dictionaries dictionaries = new Dictionaries();
        long at = place.body() + body(bytes, first, place);
        while (at < bytes.size()) {
            Place next = place(bytes, at);
            if (next.metadataBytes == 0) {
                break; // the stream ends here
            }
            Message message = message(bytes, next);
            Object header = header(message);
            if (header instanceof DictionaryBatch found) {
                dictionaries.take(found, batch(bytes, message, next, found.data()));
            } else if (header instanceof RecordBatch found) {
                groups.add(dictionaries.group(batch(bytes, message, next, found)));
                if (groups.size() > MAX_GROUPS) {
                    throw new MalformedTableException("there are too many record batches");
                }
            }
            at = next.body() + body(bytes, message, next);
        }
        return checked(path, schema, groups);
    }

    private static ArrowFile checked(Path path, ArrowSchema schema, List<Group> groups) {
        long rows = 0;
        for (Group group : groups) {
            Batch batch = group.batch;
            if (batch.rows < 0 || batch.rows > MAX_ROWS - rows) {
                throw new MalformedTableException(
                        "a record batch counts %d rows".formatted(batch.rows));
            }
            rows += batch.rows;
        }
        return new ArrowFile(path, schema, groups);
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

    /** What a message with rows or values is of; null of others. */
    private static @Nullable Object header(Message message) {
        return switch (message.headerType()) {
            case MessageHeader.RecordBatch -> message.header(new RecordBatch());
            case MessageHeader.DictionaryBatch -> message.header(new DictionaryBatch());
            default -> null;
        };
    }

    private static Batch batch(
            MappedBytes bytes, Message message, Place place, @Nullable RecordBatch batch) {
        long bodyBytes = body(bytes, message, place);
        if (batch == null || batch.length() < 0 || batch.length() > MAX_ROWS) {
            throw new MalformedTableException(
                    "a record batch counts %d rows".formatted(batch == null ? 0 : batch.length()));
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
        return groups.size();
    }

    @Override
    public long rows(int group) {
        return groups.get(group).batch.rows;
    }

    @Override
    public void read(int group, List<Integer> wanted, Sink sink) throws IOException {
        long first = 0;
        for (int i = 0; i < group; i++) {
            first += rows(i);
        }
        try (MappedBytes bytes = MappedBytes.of(path)) {
            Group from = groups.get(group);
            UnpackedBytes unpacked = new UnpackedBytes();
            List<TableColumn> columns = new ArrayList<>();
            List<Rows> readers = new ArrayList<>();
            decoded(() -> {
                ArrowBody body = ArrowBody.of(bytes, from.batch, unpacked);
                for (int index : wanted) {
                    Column column = schema.columns().get(index);
                    TableColumn.Kind kind = column.kind();
                    if (kind == null) {
                        throw new IllegalStateException(column + " is not read");
                    }
                    columns.add(new TableColumn(column.name(), kind, 1, true));
                    readers.add(
                            ArrowDictionary.of(
                                    column.name(),
                                    schema.layouts().get(index),
                                    body,
                                    from.dictionaries,
                                    bytes,
                                    unpacked));
                }
                return body;
            });
            give(from.batch.rows, new TableBatch(columns), readers, first, sink);
        } catch (MalformedTableException wrong) {
            throw wrong.of("Arrow", path);
        }
    }

    private static void give(
            long rows, TableBatch batch, List<Rows> readers, long firstRow, Sink sink) {
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
