package org.starling.compute.internal.build;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Texts as lists of numbers, as steps of a build carry them: the length of each in bytes, and its
 * bytes, eight in a number, little-endian. Stateless.
 */
public final class PackedTexts {
    private PackedTexts() {}

    /** Packs them. */
    public static long[] pack(List<byte[]> texts) {
        int words = texts.stream().mapToInt(text -> 1 + words(text.length)).sum();
        ByteBuffer bytes = ByteBuffer.allocate(words * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (byte[] text : texts) {
            bytes.putLong(text.length);
            bytes.put(bytes.position(), text, 0, text.length);
            bytes.position(bytes.position() + words(text.length) * Long.BYTES);
        }
        long[] packed = new long[words];
        bytes.rewind().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(packed);
        return packed;
    }

    /** Unpacks them. */
    public static List<byte[]> unpack(long[] packed) {
        ByteBuffer bytes =
                ByteBuffer.allocate(packed.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(packed);
        List<byte[]> texts = new ArrayList<>();
        while (bytes.hasRemaining()) {
            long length = bytes.getLong();
            Exchange.check(length >= 0 && length <= bytes.remaining());
            byte[] text = new byte[(int) length];
            bytes.get(bytes.position(), text);
            bytes.position(bytes.position() + words(text.length) * Long.BYTES);
            texts.add(text);
        }
        return texts;
    }

    private static int words(int bytes) {
        return Math.ceilDiv(bytes, Long.BYTES);
    }
}
