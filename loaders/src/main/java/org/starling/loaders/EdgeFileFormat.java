package org.starling.loaders;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import org.starling.graph.InvalidInputException;

/** How edges are written to a file. Binary formats are little-endian, whatever the machine. */
public enum EdgeFileFormat {

    /** Lines of source, tab, target and, if there are weights, tab, weight. */
    TSV(64, false) {
        @Override
        void put(ByteBuffer into, long source, long target) {
            into.put((source + "\t" + target).getBytes(StandardCharsets.ISO_8859_1));
        }
    },

    /** Two 64-bit integers per edge: source, target. Weights go to a file of their own. */
    GRAPH500(16, true) {
        @Override
        void put(ByteBuffer into, long source, long target) {
            into.putLong(source).putLong(target);
        }
    },

    /**
     * Twelve bytes per edge, ids of 48 bits: the low 32 bits of the source and of the target, then
     * the high 16 bits of each. Weights go to a file of their own.
     */
    GRAPH500_PACKED(12, true) {
        @Override
        void put(ByteBuffer into, long source, long target) {
            into.putInt((int) source).putInt((int) target);
            into.putShort((short) (source >>> 32)).putShort((short) (target >>> 32));
        }
    };

    private final int maxRecordBytes;
    private final boolean binary;

    EdgeFileFormat(int maxRecordBytes, boolean binary) {
        this.maxRecordBytes = maxRecordBytes;
        this.binary = binary;
    }

    /**
     * The format of that name: {@code graph500}, {@code graph500-packed} or {@code tsv}.
     *
     * @throws InvalidInputException if there is none
     */
    public static EdgeFileFormat named(String name) {
        for (EdgeFileFormat format : values()) {
            if (format.title().equals(name)) {
                return format;
            }
        }
        throw new InvalidInputException(
                "\"format\" must be graph500, graph500-packed or tsv, found \"%s\""
                        .formatted(name));
    }

    /** The name that users write. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Bytes of an edge; of a text the most that it can take. */
    int recordBytes() {
        return maxRecordBytes;
    }

    /** The file that holds the weights of a binary file's edges. */
    static Path weightsOf(Path file) {
        return file.resolveSibling(file.getFileName() + ".weights");
    }

    /** True if weights are written to a file of their own, as 4-byte floats. */
    boolean hasSeparateWeights() {
        return binary;
    }

    /** A buffer that has room for so many edges. */
    ByteBuffer buffer(int edges) {
        return ByteBuffer.allocate(edges * maxRecordBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Appends an edge without weight and without a line's end. */
    abstract void put(ByteBuffer into, long source, long target);
}
