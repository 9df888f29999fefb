package org.starling.loaders;

import io.airlift.compress.v3.zstd.ZstdInputStream;
import io.airlift.compress.v3.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.starling.graph.InvalidInputException;

/**
 * How a file is compressed, which its first bytes tell. Files of several members are read whole.
 */
public enum Packing {
    /** Not at all. */
    NONE("none", "", "") {
        @Override
        InputStream unpack(InputStream file) {
            return file;
        }

        @Override
        public OutputStream pack(OutputStream file) {
            return file;
        }
    },
    /** RFC 1952. */
    GZIP("gzip", "1f8b", ".gz") {
        @Override
        InputStream unpack(InputStream file) throws IOException {
            return GzipText.open(file);
        }

        @Override
        public OutputStream pack(OutputStream file) throws IOException {
            return new GZIPOutputStream(file, BUFFER_BYTES);
        }
    },
    /** Blocks sorted by Burrows and Wheeler. */
    BZIP2("bzip2", "425a68", ".bz2") {
        @Override
        InputStream unpack(InputStream file) throws IOException {
            return new BZip2CompressorInputStream(file, true);
        }

        @Override
        public OutputStream pack(OutputStream file) throws IOException {
            return new BZip2CompressorOutputStream(file);
        }
    },
    /** RFC 8878. */
    ZSTD("zstd", "28b52ffd", ".zst") {
        @Override
        InputStream unpack(InputStream file) {
            return ZstdInputStream.create(file);
        }

        @Override
        public OutputStream pack(OutputStream file) throws IOException {
            return ZstdOutputStream.create(file);
        }
    },
    /** Frames of LZ4. */
    LZ4("lz4", "04224d18", ".lz4") {
        @Override
        InputStream unpack(InputStream file) throws IOException {
            return new FramedLZ4CompressorInputStream(file, true);
        }

        @Override
        public OutputStream pack(OutputStream file) {
            throw new InvalidInputException(
                    "lz4 is read but not written (name the file .gz, .bz2 or .zst)");
        }
    };

    /** As many bytes as tell any of them. */
    static final int MAGIC_BYTES = 4;

    private static final int BUFFER_BYTES = 1 << 16;

    /** What files begin with that are packed otherwise, in hexadecimal. */
    private static final Map<String, String> UNREAD = Map.of("fd377a58", "xz", "504b0304", "zip");

    private final String title;
    private final String magic;
    private final String ending;

    Packing(String title, String magic, String ending) {
        this.title = title;
        this.magic = magic;
        this.ending = ending;
    }

    /** Its name. */
    public String title() {
        return title;
    }

    /** How names of such files end, with the point; empty if nothing is packed. */
    public String ending() {
        return ending;
    }

    /**
     * How a file is packed.
     *
     * @throws InvalidInputException if it is packed in a way that is not read
     */
    public static Packing of(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return of(file, in.readNBytes(MAGIC_BYTES));
        }
    }

    /** The same of a file with these first bytes. */
    static Packing of(Path file, byte[] first) {
        String begin = HexFormat.of().formatHex(first);
        for (Packing packing : values()) {
            if (packing != NONE && begin.startsWith(packing.magic)) {
                return packing;
            }
        }
        UNREAD.forEach((magic, packer) -> {
            if (begin.startsWith(magic)) {
                throw new InvalidInputException(
                        "%s: compressed with %s, which is not read (unpack it, or pack it with gzip, bzip2, zstd or lz4)"
                                .formatted(file, packer));
            }
        });
        return NONE;
    }

    /** How a file of that name would be packed. */
    public static Packing named(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        for (Packing packing : values()) {
            if (packing != NONE && name.endsWith(packing.ending)) {
                return packing;
            }
        }
        return NONE;
    }

    /** What is in a file, from its bytes. */
    abstract InputStream unpack(InputStream file) throws IOException;

    /**
     * Packs what is written, into a file.
     *
     * @throws InvalidInputException if it is only read
     */
    public abstract OutputStream pack(OutputStream file) throws IOException;
}
