package org.starling.compute.internal.structure;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.starling.graph.ElementType;

/** Values as bytes: numbers big-endian, texts and bytes with their length before them. */
final class Elements {
    /** Most bytes of one value, or of one row. */
    static final int MAX_BYTES = 8 << 20;

    private Elements() {}

    /** One value. */
    static byte[] bytes(ElementType<?> type, Object value) {
        return bytes(List.of(type), value);
    }

    /** A row of values. */
    static byte[] bytes(List<? extends ElementType<?>> types, Object... values) {
        if (values.length != types.size()) {
            throw new IllegalArgumentException(
                    "expected %d values, found %d".formatted(types.size(), values.length));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            for (int i = 0; i < values.length; i++) {
                write(types.get(i).cast(values[i]), out);
            }
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        if (bytes.size() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a value of %d bytes is longer than the %d that structures hold"
                            .formatted(bytes.size(), MAX_BYTES));
        }
        return bytes.toByteArray();
    }

    private static void write(Object value, DataOutputStream out) throws IOException {
        switch (value) {
            case Boolean flag -> out.writeBoolean(flag);
            case Integer integer -> out.writeInt(integer);
            case Long integer -> out.writeLong(integer);
            case Float number -> out.writeFloat(number);
            case Double number -> out.writeDouble(number);
            case String text -> writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
            case byte[] bytes -> writeBytes(bytes, out);
            default -> throw new IllegalArgumentException("no element: " + value.getClass());
        }
    }

    private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** The value of a column. */
    static Object value(List<? extends ElementType<?>> types, byte[] bytes, int column) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            Object value = read(types.getFirst(), in);
            for (int i = 1; i <= column; i++) {
                value = read(types.get(i), in);
            }
            return value;
        } catch (IOException broken) {
            throw new UncheckedIOException("an entry is not of its type", broken);
        }
    }

    private static Object read(ElementType<?> type, DataInputStream in) throws IOException {
        return switch (type.name()) {
            case "boolean" -> in.readBoolean();
            case "int" -> in.readInt();
            case "long" -> in.readLong();
            case "float" -> in.readFloat();
            case "double" -> in.readDouble();
            case "text" -> new String(readBytes(in), StandardCharsets.UTF_8);
            case "bytes" -> readBytes(in);
            default -> throw new IllegalArgumentException("no type " + type);
        };
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("a length of " + length);
        }
        return in.readNBytes(length);
    }

    /** What a caller asked for, if it is of the type that is there. */
    static <T> T cast(ElementType<T> asked, ElementType<?> there, Object value) {
        if (!asked.equals(there)) {
            throw new IllegalArgumentException(
                    "asked for a value of type %s, which is %s".formatted(asked, there));
        }
        return asked.cast(value);
    }

    /** Where a key belongs: its bytes, well mixed. */
    static long position(byte[] key) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : key) {
            hash = (hash ^ (b & 0xFF)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
        return hash ^ (hash >>> 31);
    }
}
