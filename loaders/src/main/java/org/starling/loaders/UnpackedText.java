package org.starling.loaders;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.starling.graph.InvalidInputException;

/**
 * The text in a file, plain or compressed with gzip (told by its first two bytes, not by its name),
 * from its first byte on. Damage of compressed data is told as what it is: bad input, with file and
 * position. Confined to the thread that reads.
 */
public final class UnpackedText extends FilterInputStream {

    private static final int INFLATE_BUFFER_BYTES = 1 << 16;
    private static final int GZIP_MAGIC_1 = 0x1F;
    private static final int GZIP_MAGIC_2 = 0x8B;
    private static final int MAGIC_BYTES = 4;

    /** What files begin with that are compressed otherwise, in hexadecimal. */
    private static final Map<String, String> OTHER_PACKERS =
            Map.of("28b52ffd", "zstd", "425a68", "bzip2", "fd377a58", "xz", "504b0304", "zip");

    private final Path path;
    private long textBytes;

    private UnpackedText(InputStream text, Path path) {
        super(text);
        this.path = path;
    }

    /**
     * Opens the text in a file.
     *
     * @throws InvalidInputException if the file begins like gzip, but its header is cut or damaged
     */
    public static InputStream open(Path path) throws IOException {
        return open(path, Files.newInputStream(path));
    }

    /** Opens the text in a file whose bytes {@code file} gives; closes {@code file} with it. */
    static InputStream open(Path path, InputStream file) throws IOException {
        InputStream buffered = new BufferedInputStream(file);
        try {
            buffered.mark(2);
            boolean packed = startsAsGzip(buffered);
            buffered.reset();
            return packed
                    ? new UnpackedText(new GZIPInputStream(buffered, INFLATE_BUFFER_BYTES), path)
                    : buffered;
        } catch (IOException broken) {
            buffered.close();
            throw explained(path, 0, broken);
        }
    }

    /**
     * Whether a file is compressed.
     *
     * @throws InvalidInputException if it is, but not with gzip
     */
    static boolean isPacked(Path path) throws IOException {
        byte[] first;
        try (InputStream in = Files.newInputStream(path)) {
            first = in.readNBytes(MAGIC_BYTES);
        }
        String begin = HexFormat.of().formatHex(first);
        OTHER_PACKERS.forEach((magic, packer) -> {
            if (begin.startsWith(magic)) {
                throw new InvalidInputException(
                        "%s: compressed with %s, which is not read (unpack it, or pack it with gzip)"
                                .formatted(path, packer));
            }
        });
        return startsAsGzip(new ByteArrayInputStream(first));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        try {
            int read = super.read(into, offset, length);
            textBytes += Math.max(0, read);
            return read;
        } catch (IOException broken) {
            throw explained(path, textBytes, broken);
        }
    }

    private static boolean startsAsGzip(InputStream in) throws IOException {
        return in.read() == GZIP_MAGIC_1 && in.read() == GZIP_MAGIC_2;
    }

    private static IOException explained(Path path, long textBytes, IOException broken)
            throws IOException {
        String what =
                switch (broken) {
                    case EOFException cut -> "ends too early: the file is truncated";
                    case ZipException damaged -> "is damaged: " + damaged.getMessage();
                    default -> null;
                };
        if (what == null) {
            return broken;
        }
        throw new InvalidInputException(
                String.format(
                        Locale.ROOT,
                        "%s: after %,d bytes of text the gzip data %s (fetch the file again)",
                        path,
                        textBytes,
                        what),
                broken);
    }
}
