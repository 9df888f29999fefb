package org.starling.loaders.table;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Bool;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;

/**
 * Writes files of Apache Arrow, version 5 of its metadata: a schema, a record batch for each batch,
 * and a footer that says where these are. Nothing is packed. One thread.
 *
 * <pre>
 *   "ARROW1", 0, 0 | messages | 0xFFFFFFFF, 0 | footer | bytes of the footer, 4 | "ARROW1"
 *
 *   message: 0xFFFFFFFF | n, 4 | flatbuffer and zeros, n | buffers, each at a multiple of 64
 * </pre>
 */
final class ArrowWriter implements TableWriter {
    static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.ISO_8859_1);

    /** Bytes of the magic word and the zeros behind it. */
    static final int HEAD_BYTES = 8;

    static final int CONTINUATION = -1;
    private static final int METADATA_ALIGNMENT = 8;
    private static final int BODY_ALIGNMENT = 64;
    private static final int INITIAL_BYTES = 1024;

    private final OutputStream out;
    private final List<TableColumn> columns;
    private final List<Place> places = new ArrayList<>();
    private long offset;

    /** Where a message is. */
    private record Place(long offset, int metadataBytes, long bodyBytes) {}

    /** The body of a record batch, as far as it has been put together. */
    private static final class Body {
        private final List<int[]> nodes = new ArrayList<>();
        private final List<ByteOutput> buffers = new ArrayList<>();

        ByteOutput next() {
            ByteOutput buffer = new ByteOutput();
            buffers.add(buffer);
            return buffer;
        }
    }

    ArrowWriter(OutputStream out, List<TableColumn> columns) throws IOException {
        this.out = out;
        this.columns = List.copyOf(columns);
        put(MAGIC);
        put(new byte[HEAD_BYTES - MAGIC.length]);
        FlatBufferBuilder builder = new FlatBufferBuilder(INITIAL_BYTES);
        putMessage(builder, MessageHeader.Schema, schema(builder), 0);
    }

    @Override
    public void write(TableBatch batch) throws IOException {
        if (batch.rows() == 0) {
            return;
        }
        Body body = new Body();
        for (int i = 0; i < columns.size(); i++) {
            add(body, batch, i);
        }
        FlatBufferBuilder builder = new FlatBufferBuilder(INITIAL_BYTES);
        long bytes = 0;
        long[] offsets = new long[body.buffers.size()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = bytes;
            bytes += padded(body.buffers.get(i).length(), BODY_ALIGNMENT);
        }
        RecordBatch.startBuffersVector(builder, offsets.length);
        for (int i = offsets.length - 1; i >= 0; i--) {
            Buffer.createBuffer(builder, offsets[i], body.buffers.get(i).length());
        }
        int buffers = builder.endVector();
        RecordBatch.startNodesVector(builder, body.nodes.size());
        for (int[] node : body.nodes.reversed()) {
            FieldNode.createFieldNode(builder, node[0], node[1]);
        }
        int nodes = builder.endVector();
        int header = RecordBatch.createRecordBatch(builder, batch.rows(), nodes, buffers, 0, 0);
        long begin = offset;
        int metadata = putMessage(builder, MessageHeader.RecordBatch, header, bytes);
        for (ByteOutput buffer : body.buffers) {
            buffer.pad(BODY_ALIGNMENT);
            buffer.writeTo(out);
            offset += buffer.length();
        }
        places.add(new Place(begin, metadata, bytes));
    }

    @Override
    public void end() throws IOException {
        putHeader(0);
        FlatBufferBuilder builder = new FlatBufferBuilder(INITIAL_BYTES);
        int schema = schema(builder);
        Footer.startDictionariesVector(builder, 0);
        int dictionaries = builder.endVector();
        Footer.startRecordBatchesVector(builder, places.size());
        for (Place place : places.reversed()) {
            Block.createBlock(builder, place.offset, place.metadataBytes, place.bodyBytes);
        }
        int batches = builder.endVector();
        builder.finish(
                Footer.createFooter(builder, MetadataVersion.V5, schema, dictionaries, batches, 0));
        byte[] footer = builder.sizedByteArray();
        put(footer);
        put(littleEndian(Integer.BYTES).putInt(footer.length).array());
        put(MAGIC);
    }

    private int schema(FlatBufferBuilder builder) {
        int[] fields = columns.stream().mapToInt(column -> field(builder, column)).toArray();
        return Schema.createSchema(
                builder, Endianness.Little, Schema.createFieldsVector(builder, fields), 0, 0);
    }

    private static int field(FlatBufferBuilder builder, TableColumn column) {
        if (column.length() == 1) {
            return element(builder, column, column.name());
        }
        int[] child = {element(builder, column, "item")};
        int children = Field.createChildrenVector(builder, child);
        int list = FixedSizeList.createFixedSizeList(builder, column.length());
        int name = builder.createString(column.name());
        return Field.createField(builder, name, false, Type.FixedSizeList, list, 0, children, 0);
    }

    private static int element(FlatBufferBuilder builder, TableColumn column, String name) {
        byte type;
        int offset;
        switch (column.kind()) {
            case BOOLEAN -> {
                type = Type.Bool;
                Bool.startBool(builder);
                offset = Bool.endBool(builder);
            }
            case INT -> {
                type = Type.Int;
                offset = Int.createInt(builder, Integer.SIZE, true);
            }
            case LONG, ID -> {
                type = Type.Int;
                offset = Int.createInt(builder, Long.SIZE, column.kind() == TableColumn.Kind.LONG);
            }
            case FLOAT -> {
                type = Type.FloatingPoint;
                offset = FloatingPoint.createFloatingPoint(builder, Precision.SINGLE);
            }
            case DOUBLE -> {
                type = Type.FloatingPoint;
                offset = FloatingPoint.createFloatingPoint(builder, Precision.DOUBLE);
            }
            case STRING -> {
                type = Type.Utf8;
                Utf8.startUtf8(builder);
                offset = Utf8.endUtf8(builder);
            }
            default -> throw new IllegalStateException("no other kind");
        }
        int text = builder.createString(name);
        int children = Field.createChildrenVector(builder, new int[0]);
        return Field.createField(builder, text, column.optional(), type, offset, 0, children, 0);
    }

    private static void add(Body body, TableBatch batch, int column) {
        TableColumn of = batch.columns().get(column);
        int count = batch.elements(column);
        int missing = batch.missing(column);
        if (of.length() > 1) {
            body.nodes.add(new int[] {batch.rows(), 0});
            body.next();
        }
        body.nodes.add(new int[] {count, missing});
        ByteOutput present = body.next();
        if (missing > 0) {
            putBits(present, count, i -> batch.isPresent(column, i));
        }
        ByteOutput values = body.next();
        switch (of.kind()) {
            case BOOLEAN -> putBits(values, count, i -> batch.bits(column, i) != 0);
            case INT, FLOAT -> {
                for (int i = 0; i < count; i++) {
                    values.putInt((int) batch.bits(column, i));
                }
            }
            case LONG, ID, DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    values.putLong(batch.bits(column, i));
                }
            }
            case STRING -> {
                values.putInt(0);
                for (int i = 0; i < count; i++) {
                    values.putInt(batch.textEnd(column, i));
                }
                body.next().put(batch.texts(column), 0, batch.textEnd(column, count - 1));
            }
        }
    }

    /** Which elements have something. */
    private interface Flags {
        boolean at(int element);
    }

    private static void putBits(ByteOutput into, int count, Flags flags) {
        for (int from = 0; from < count; from += Byte.SIZE) {
            int bits = 0;
            for (int i = from; i < Math.min(count, from + Byte.SIZE); i++) {
                bits |= flags.at(i) ? 1 << (i - from) : 0;
            }
            into.putByte(bits);
        }
    }

    /** Returns how many bytes stand before the body. */
    private int putMessage(FlatBufferBuilder builder, byte type, int header, long bodyBytes)
            throws IOException {
        builder.finish(
                Message.createMessage(builder, MetadataVersion.V5, type, header, bodyBytes, 0));
        byte[] metadata = builder.sizedByteArray();
        int length = padded(metadata.length, METADATA_ALIGNMENT);
        putHeader(length);
        put(metadata);
        put(new byte[length - metadata.length]);
        return 2 * Integer.BYTES + length;
    }

    private void putHeader(int metadataBytes) throws IOException {
        put(littleEndian(2 * Integer.BYTES).putInt(CONTINUATION).putInt(metadataBytes).array());
    }

    private void put(byte[] bytes) throws IOException {
        out.write(bytes);
        offset += bytes.length;
    }

    private static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int padded(int bytes, int alignment) {
        return Math.ceilDiv(bytes, alignment) * alignment;
    }
}
