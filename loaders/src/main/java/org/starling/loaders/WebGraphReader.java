package org.starling.loaders;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import org.starling.graph.EdgeSink;
import org.starling.graph.InvalidInputException;
import org.starling.loaders.WebGraphHeader.Part;

/**
 * Decodes the lists of successors of a graph compressed as WebGraph does it, one after the other.
 * Confined to the thread that reads.
 *
 * <pre>
 * degree                   nothing follows if it is 0
 * reference                if there is a window: how many lists before this one is the one that some
 *                          successors are copied from; 0 for none
 *   number of blocks       runs of that list that are copied and left out in turn, from its beginning;
 *   blocks                 their lengths, less 1 but for the first; the rest goes on in turn
 * number of intervals      if there are successors left, and intervals; γ, as are their numbers
 *   left, length           the first left end relative to the vertex, with its sign in the lowest bit,
 *                          the others to the end of the one before, less 1; lengths less the least one
 * residuals                what is left: the first relative to the vertex, the others to the one before
 * </pre>
 *
 * <p>Lists are held as far back as the window reaches, and refused when they take more than a
 * quarter of the heap. Successors of a vertex rise, without gaps or not, in every such file; that
 * is checked, with all counts.
 */
final class WebGraphReader implements Closeable {
    /** Zeros that may stand behind the last list: writers fill words up. */
    private static final int MAX_PADDING_BITS = 127;

    /** Length of the longest list that is read. */
    private static final int MAX_DEGREE = Integer.MAX_VALUE - Long.BYTES;

    private static final int LEAST_ROOM = 16;

    /** A list that was longer by more is not used again. */
    private static final int MAX_SPARE_FACTOR = 4;

    private final WebGraphHeader header;
    private final BitReader bits;
    private final BitCode degreeCode;
    private final BitCode referenceCode;
    private final BitCode blockCountCode;
    private final BitCode blockCode;
    private final BitCode residualCode;
    private final long mostHeld = Runtime.getRuntime().maxMemory() / 4 / Long.BYTES;

    /** The last lists, each at its vertex modulo their number. */
    private final long[][] lists;

    private final int[] degrees;

    /** Room of all lists. */
    private long held;

    private long vertex;

    /** Successors of all vertices so far. */
    private long arcs;

    /** The list that is being read, its length, and how much of it is there. */
    private long[] list = {};

    private int degree;
    private int filled;

    private WebGraphReader(WebGraphHeader header) throws IOException {
        this.header = header;
        this.degreeCode = header.code(Part.OUTDEGREES);
        this.referenceCode = header.code(Part.REFERENCES);
        this.blockCountCode = header.code(Part.BLOCK_COUNT);
        this.blockCode = header.code(Part.BLOCKS);
        this.residualCode = header.code(Part.RESIDUALS);
        this.lists = new long[header.window() + 1][0];
        this.degrees = new int[header.window() + 1];
        this.bits = BitReader.open(header.file(), this::bad);
    }

    static WebGraphReader open(WebGraphHeader header) throws IOException {
        return new WebGraphReader(header);
    }

    /**
     * Gives all edges.
     *
     * @throws InvalidInputException with file, bit and vertex if a list makes no sense
     */
    void into(EdgeSink sink) throws IOException {
        for (vertex = 0; vertex < header.nodes(); vertex++) {
            readList();
            for (int i = 0; i < degree; i++) {
                sink.edge(vertex, list[i], 1f);
            }
        }
        vertex--;
        if (arcs != header.arcs()) {
            throw bad(
                    "%d edges in all, which the properties promise, found %d"
                            .formatted(header.arcs(), arcs));
        }
        if (!bits.endsWithin(MAX_PADDING_BITS)) {
            throw bad("the end of the file behind the last list, found more");
        }
    }

    private void readList() throws IOException {
        degree = (int) number(degreeCode, "a degree", Math.min(header.nodes(), MAX_DEGREE));
        arcs += degree;
        if (arcs > header.arcs()) {
            throw bad(
                    "no more than the %d edges that the properties promise, found %d"
                            .formatted(header.arcs(), arcs));
        }
        makeRoom((int) (vertex % lists.length));
        filled = 0;
        if (degree == 0) {
            return;
        }
        if (header.window() > 0) {
            long most = Math.min(header.window(), vertex);
            int back = (int) number(referenceCode, "a reference", most);
            if (back > 0) {
                copy((int) ((vertex - back) % lists.length));
            }
        }
        if (filled < degree && header.minInterval() > 0) {
            readIntervals();
        }
        if (filled < degree) {
            readResiduals();
        }
        Arrays.sort(list, 0, degree); // three runs that rise
        for (int i = 1; i < degree; i++) {
            if (list[i] == list[i - 1]) {
                throw bad("each successor once, found %d twice".formatted(list[i]));
            }
        }
    }

    private void makeRoom(int slot) {
        long[] old = lists[slot];
        int room = Math.max(LEAST_ROOM, degree);
        if (old.length < room || old.length / MAX_SPARE_FACTOR > room) {
            held += room - old.length;
            if (held > mostHeld) {
                throw bad(
                        "lists that fit into memory, found %d successors in a window of %d (give more: STARLING_JAVA_OPTS=-Xmx…)"
                                .formatted(held, header.window()));
            }
            lists[slot] = new long[room];
        }
        list = lists[slot];
        degrees[slot] = degree;
    }

    private void copy(int from) throws IOException {
        long[] others = lists[from];
        int count = degrees[from];
        long blocks = number(blockCountCode, "a number of blocks", count + 1L);
        int at = 0;
        for (long block = 0; block < blocks; block++) {
            int least = block == 0 ? 0 : 1;
            int length =
                    least
                            + (int)
                                    number(
                                            blockCode,
                                            "the length of a block",
                                            (long) count - at - least);
            at = block % 2 == 0 ? copy(others, at, length) : at + length;
        }
        if (blocks % 2 == 0) {
            copy(others, at, count - at);
        }
    }

    private int copy(long[] others, int at, int length) {
        requireRoom(length);
        System.arraycopy(others, at, list, filled, length);
        filled += length;
        return at + length;
    }

    private void readIntervals() throws IOException {
        long count = number(BitCode.GAMMA, "a number of intervals", degree - filled);
        long end = -1; // behind the last interval, where the next can't begin
        for (long interval = 0; interval < count; interval++) {
            long gap = number(BitCode.GAMMA, "the left end of an interval", 2 * header.nodes());
            long left = interval == 0 ? vertex + signed(gap) : end + 1 + gap;
            long length =
                    number(BitCode.GAMMA, "the length of an interval", header.nodes())
                            + header.minInterval();
            requireRoom(length);
            requireVertex(left);
            requireVertex(left + length - 1);
            for (long successor = left; successor < left + length; successor++) {
                list[filled++] = successor;
            }
            end = left + length;
        }
    }

    private void readResiduals() throws IOException {
        long last = vertex + signed(number(residualCode, "a successor", 2 * header.nodes()));
        requireVertex(last);
        list[filled++] = last;
        while (filled < degree) {
            last += 1 + number(residualCode, "a successor", header.nodes());
            requireVertex(last);
            list[filled++] = last;
        }
    }

    private long number(BitCode code, String what, long most) throws IOException {
        long number = code.read(bits, header.shrinking());
        if (number > most) {
            throw bad("%s up to %d, found %d".formatted(what, most, number));
        }
        return number;
    }

    /** A number with its sign in the lowest bit. */
    private static long signed(long number) {
        return number >>> 1 ^ -(number & 1);
    }

    private void requireRoom(long length) {
        if (length > degree - filled) {
            throw bad("%d successors, found more".formatted(degree));
        }
    }

    private void requireVertex(long successor) {
        if (successor < 0 || successor >= header.nodes()) {
            throw bad("successors from 0 to %d, found %d".formatted(header.nodes() - 1, successor));
        }
    }

    private InvalidInputException bad(String expected) {
        return new InvalidInputException(
                "%s: before bit %d, in the list of vertex %d, expected %s (fetch the file again)"
                        .formatted(header.file(), bits.offset(), vertex, expected));
    }

    @Override
    public void close() throws IOException {
        bits.close();
    }
}
