package org.starling.loaders.table;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** How pages of Parquet files are packed. */
enum ParquetCodec {
    /** Not at all. */
    NONE(0),
    /** Snappy. */
    SNAPPY(1),
    /** RFC 1952. */
    GZIP(2),
    /** RFC 8878. */
    ZSTD(6),
    /** Blocks of LZ4. */
    LZ4_RAW(7);

    private static final String[] TITLES = {
        "none", "Snappy", "gzip", "LZO", "Brotli", "LZ4 in the frames of Hadoop", "zstd", "LZ4"
    };

    private final int number;

    ParquetCodec(int number) {
        this.number = number;
    }

    /** Its number in files. */
    int number() {
        return number;
    }

    /** The codec of that number, if it is read. */
    static Optional<ParquetCodec> of(int number) {
        return Arrays.stream(values()).filter(codec -> codec.number == number).findFirst();
    }

    /** How people call a codec, read or not. */
    static String title(int number) {
        return number >= 0 && number < TITLES.length ? TITLES[number] : "number " + number;
    }

    /** What is in packed bytes, which must be so long. */
    byte[] unpack(byte[] packed, int plainBytes) {
        byte[] plain = this == NONE ? packed : new byte[plainBytes];
        int found;
        try {
            found = unpack(packed, plain);
        } catch (MalformedInputException
                | IllegalArgumentException
                | IllegalStateException // of the header of a frame of Zstandard
                | IndexOutOfBoundsException
                | IOException wrong) {
            throw new MalformedTableException(
                    "what is packed with %s can't be unpacked".formatted(title(number)), wrong);
        }
        if (found != plainBytes) {
            throw new MalformedTableException(
                    "expected %d bytes packed with %s, found %d"
                            .formatted(plainBytes, title(number), found));
        }
        return plain;
    }

    private int unpack(byte[] packed, byte[] plain) throws IOException {
        return switch (this) {
            case NONE -> plain.length;
            case SNAPPY ->
                    new SnappyJavaDecompressor()
                            .decompress(packed, 0, packed.length, plain, 0, plain.length);
            case ZSTD ->
                    new ZstdJavaDecompressor()
                            .decompress(packed, 0, packed.length, plain, 0, plain.length);
            case LZ4_RAW ->
                    new Lz4JavaDecompressor()
                            .decompress(packed, 0, packed.length, plain, 0, plain.length);
            case GZIP -> {
                try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
                    int read = in.readNBytes(plain, 0, plain.length);
                    yield in.read() < 0 ? read : plain.length + 1;
                }
            }
        };
    }
}
