package org.starling.cli.rest;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Bool;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;
import org.starling.compute.columns.ColumnBatch;
import org.starling.compute.columns.ColumnField;
import org.starling.compute.columns.ColumnValues;

/**
 * Writes columns in the streaming format of Apache Arrow, version 5 of its metadata: a schema, then
 * a record batch for each batch, then the end mark. The first column is {@code id}, unsigned or of
 * texts; vertices are ids, too, and null where there is none. Values go out from where they lie.
 * One thread.
 *
 * <pre>
 *   0            4          8                    8 + n (n: a multiple of 8)
 *   +------------+----------+--------------------+---------------------------+
 *   | 0xFFFFFFFF | n        | flatbuffer, zeros  | body: buffers, each begins |
 *   |            |          |                    | at a multiple of 64        |
 *   +------------+----------+--------------------+---------------------------+
 *   end mark: 0xFFFFFFFF, 0
 * </pre>
 */
final class ArrowStream implements ColumnOutput {
    static final String MEDIA_TYPE = "application/vnd.apache.arrow.stream";

    private static final int CONTINUATION = -1;
    private static final int METADATA_ALIGNMENT = 8;
    private static final int BODY_ALIGNMENT = 64;
    private static final int INITIAL_BYTES = 1024;
    private static final int COPIED_BYTES = 1 << 16;

    private final OutputStream out;
    private final ColumnField id;
    private final List<ColumnField> fields;
    private final byte[] padding = new byte[BODY_ALIGNMENT];
    private final byte[] copied = new byte[COPIED_BYTES];

    /** A node of a record batch: how many values, and how many of them are null. */
    private record Node(int length, int nulls) {}

    /** The body of a record batch, as far as it has been put together. */
    private static final class Body {
        private final List<Node> nodes = new ArrayList<>();
        private final List<ByteBuffer> buffers = new ArrayList<>();
    }

    ArrowStream(ColumnField id, List<ColumnField> fields, OutputStream out) {
        this.id = id;
        this.fields = List.copyOf(fields);
        this.out = out;
    }

    @Override
    public void begin() throws IOException {
        FlatBufferBuilder builder = new FlatBufferBuilder(INITIAL_BYTES);
        int[] all = new int[1 + fields.size()];
        all[0] = element(builder, id.name(), id.kind(), false);
        for (int i = 0; i < fields.size(); i++) {
            all[1 + i] = field(builder, fields.get(i));
        }
        int schema =
                Schema.createSchema(
                        builder, Endianness.Little, Schema.createFieldsVector(builder, all), 0, 0);
        message(builder, MessageHeader.Schema, schema, 0);
    }

    @Override
    public void take(ColumnBatch batch) throws IOException {
        Body body = new Body();
        add(body, batch.rows(), id, batch.ids());
        for (int i = 0; i < fields.size(); i++) {
            add(body, batch.rows(), fields.get(i), batch.values().get(i));
        }
        writeBatch(batch.rows(), body);
    }

    @Override
    public void end() throws IOException {
        out.write(header(0));
    }

    private static int field(FlatBufferBuilder builder, ColumnField field) {
        if (field.length() == 1) {
            return element(builder, field.name(), field.kind(), true);
        }
        int[] child = {element(builder, "item", field.kind(), true)};
        int children = Field.createChildrenVector(builder, child);
        int list = FixedSizeList.createFixedSizeList(builder, field.length());
        int name = builder.createString(field.name());
        return Field.createField(builder, name, false, Type.FixedSizeList, list, 0, children, 0);
    }

    /** Vertices are nullable unless they are ids. */
    private static int element(
            FlatBufferBuilder builder, String name, ColumnField.Kind kind, boolean nullable) {
        return switch (kind) {
            case BOOLEAN -> {
                Bool.startBool(builder);
                yield field(builder, name, false, Type.Bool, Bool.endBool(builder));
            }
            case INT ->
                    field(
                            builder,
                            name,
                            false,
                            Type.Int,
                            Int.createInt(builder, Integer.SIZE, true));
            case LONG ->
                    field(builder, name, false, Type.Int, Int.createInt(builder, Long.SIZE, true));
            case VERTEX ->
                    field(
                            builder,
                            name,
                            nullable,
                            Type.Int,
                            Int.createInt(builder, Long.SIZE, false));
            case FLOAT -> floating(builder, name, Precision.SINGLE);
            case DOUBLE -> floating(builder, name, Precision.DOUBLE);
            case STRING, NAME -> {
                Utf8.startUtf8(builder);
                boolean isNullable = nullable && kind == ColumnField.Kind.NAME;
                yield field(builder, name, isNullable, Type.Utf8, Utf8.endUtf8(builder));
            }
        };
    }

    private static int floating(FlatBufferBuilder builder, String name, short precision) {
        int type = FloatingPoint.createFloatingPoint(builder, precision);
        return field(builder, name, false, Type.FloatingPoint, type);
    }

    private static int field(
            FlatBufferBuilder builder, String name, boolean nullable, byte type, int typeOffset) {
        int text = builder.createString(name);
        int children = Field.createChildrenVector(builder, new int[0]);
        return Field.createField(builder, text, nullable, type, typeOffset, 0, children, 0);
    }

    private static void add(Body body, int rows, ColumnField field, ColumnValues values) {
        int elements = rows * field.length();
        if (field.length() > 1) {
            body.nodes.add(new Node(rows, 0));
            body.buffers.add(ByteBuffer.allocate(0));
        }
        body.nodes.add(new Node(elements, nulls(elements, values)));
        body.buffers.add(values.present());
        switch (field.kind()) {
            case BOOLEAN -> body.buffers.add(bits(values.fixed(), elements));
            case STRING, NAME -> {
                body.buffers.add(values.fixed());
                body.buffers.add(values.text());
            }
            case INT, LONG, FLOAT, DOUBLE, VERTEX -> body.buffers.add(values.fixed());
        }
    }

    private static int nulls(int elements, ColumnValues values) {
        int nulls = 0;
        for (int i = 0; values.present().hasRemaining() && i < elements; i++) {
            nulls += values.isPresent(i) ? 0 : 1;
        }
        return nulls;
    }

    private static ByteBuffer bits(ByteBuffer bytes, int count) {
        byte[] bits = new byte[(count + Byte.SIZE - 1) / Byte.SIZE];
        for (int i = 0; i < count; i++) {
            bits[i / Byte.SIZE] |= (byte) ((bytes.get(i) & 1) << i % Byte.SIZE);
        }
        return ByteBuffer.wrap(bits);
    }

    private void writeBatch(int rows, Body body) throws IOException {
        FlatBufferBuilder builder = new FlatBufferBuilder(INITIAL_BYTES);
        long bytes = 0;
        long[] offsets = new long[body.buffers.size()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = bytes;
            bytes += padded(body.buffers.get(i).remaining(), BODY_ALIGNMENT);
        }
        RecordBatch.startBuffersVector(builder, offsets.length);
        for (int i = offsets.length - 1; i >= 0; i--) {
            Buffer.createBuffer(builder, offsets[i], body.buffers.get(i).remaining());
        }
        int buffers = builder.endVector();
        RecordBatch.startNodesVector(builder, body.nodes.size());
        for (Node node : body.nodes.reversed()) {
            FieldNode.createFieldNode(builder, node.length, node.nulls);
        }
        int nodes = builder.endVector();
        int batch = RecordBatch.createRecordBatch(builder, rows, nodes, buffers, 0, 0);
        message(builder, MessageHeader.RecordBatch, batch, bytes);
        for (ByteBuffer buffer : body.buffers) {
            write(buffer);
        }
    }

    private void message(FlatBufferBuilder builder, byte type, int header, long bodyBytes)
            throws IOException {
        builder.finish(
                Message.createMessage(builder, MetadataVersion.V5, type, header, bodyBytes, 0));
        byte[] metadata = builder.sizedByteArray();
        int length = padded(metadata.length, METADATA_ALIGNMENT);
        out.write(header(length));
        out.write(metadata);
        out.write(padding, 0, length - metadata.length);
    }

    private static byte[] header(int metadataBytes) {
        return ByteBuffer.allocate(2 * Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(CONTINUATION)
                .putInt(metadataBytes)
                .array();
    }

    private void write(ByteBuffer buffer) throws IOException {
        int bytes = buffer.remaining();
        if (buffer.hasArray()) {
            out.write(buffer.array(), buffer.arrayOffset() + buffer.position(), bytes);
        } else {
            ByteBuffer rest = buffer.duplicate();
            while (rest.hasRemaining()) {
                int some = Math.min(copied.length, rest.remaining());
                rest.get(copied, 0, some);
                out.write(copied, 0, some);
            }
        }
        out.write(padding, 0, padded(bytes, BODY_ALIGNMENT) - bytes);
    }

    private static int padded(int bytes, int alignment) {
        return Math.ceilDiv(bytes, alignment) * alignment;
    }
}
