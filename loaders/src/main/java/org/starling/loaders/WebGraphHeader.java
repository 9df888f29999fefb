package org.starling.loaders;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/**
 * What stands in the {@code .properties} beside a graph compressed as WebGraph does it. Immutable.
 *
 * @param file the {@code .graph}
 * @param nodes number of vertices
 * @param arcs number of edges
 * @param window how far before a list the one may be that it refers to
 * @param minInterval length of the shortest interval; 0 if there are none
 * @param shrinking the parameter of ζ codes
 * @param codes how each part of a list is coded
 */
record WebGraphHeader(
        Path file,
        long nodes,
        long arcs,
        int window,
        int minInterval,
        int shrinking,
        Map<Part, BitCode> codes) {
    /** Parts of a list that may have different codes, with the usual one. */
    enum Part {
        OUTDEGREES(BitCode.GAMMA),
        REFERENCES(BitCode.UNARY),
        BLOCK_COUNT(BitCode.GAMMA),
        BLOCKS(BitCode.GAMMA),
        RESIDUALS(BitCode.ZETA),
        /** Of the file that is not read. */
        OFFSETS(BitCode.GAMMA);

        private final BitCode usual;

        Part(BitCode usual) {
            this.usual = usual;
        }
    }

    private static final String GRAPH = ".graph";
    private static final String PROPERTIES = ".properties";
    private static final Set<String> CLASSES =
            Set.of("it.unimi.dsi.webgraph.BVGraph", "it.unimi.dsi.big.webgraph.BVGraph");
    private static final long MAX_BYTES = 1 << 20;
    private static final int MAX_WINDOW = 1 << 10;

    /** Edges that a file may have whatever its size, and those of each bit of a larger one. */
    private static final long FREE_ARCS = 1 << 26;

    private static final long ARCS_PER_BIT = 1000;

    /** Copies the codes. */
    WebGraphHeader {
        codes = Map.copyOf(codes);
    }

    /**
     * Whether a file is a {@code .graph} with properties beside it that say that it is one of
     * WebGraph, if not of the kind that is read.
     *
     * @throws InvalidInputException if the file is these properties, or such a graph compressed
     *     once more
     */
    static boolean isBeside(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(PROPERTIES) && isOfWebGraph(file)) {
            throw new InvalidInputException(
                    "%s says how a graph of WebGraph is coded; name the graph beside it (%s)"
                            .formatted(
                                    file,
                                    name.substring(0, name.length() - PROPERTIES.length())
                                            + GRAPH));
        }
        String packed = Packing.named(file).ending();
        Path bare = file.resolveSibling(name.substring(0, name.length() - packed.length()));
        boolean isOne = bare.toString().endsWith(GRAPH) && isOfWebGraph(propertiesOf(bare));
        if (isOne && !packed.isEmpty()) {
            throw new InvalidInputException(
                    "%s: a graph of WebGraph is read as it is, not compressed once more (unpack it)"
                            .formatted(file));
        }
        return isOne;
    }

    private static boolean isOfWebGraph(Path properties) throws IOException {
        if (!Files.isRegularFile(properties) || Files.size(properties) > MAX_BYTES) {
            return false;
        }
        String text = text(properties);
        return text.contains("graphclass") && text.contains(".webgraph.");
    }

    /**
     * Reads the properties beside a file.
     *
     * @throws InvalidInputException with file and key if there are none, or they make no sense
     */
    static WebGraphHeader read(Path file) throws IOException {
        if (!String.valueOf(file.getFileName()).endsWith(GRAPH)) {
            throw new InvalidInputException(
                    "%s: the name of a graph of WebGraph ends with %s (name that file, with its %s beside it)"
                            .formatted(file, GRAPH, PROPERTIES));
        }
        Says says = Says.of(propertiesOf(file));
        String kind = says.text("graphclass", "").replaceFirst("^class +", "");
        if (!CLASSES.contains(kind)) {
            throw says.bad(
                    "graphclass", "it.unimi.dsi.webgraph.BVGraph, the only kind that is read");
        }
        if (!says.text("endianness", "big").equals("big")) {
            throw says.bad("endianness", "big, the only order of bits that is read");
        }
        says.number("version", 0L, 0, 0);
        long bits = Files.size(file) * Byte.SIZE; // a list has one at least
        long nodes = says.number("nodes", null, 1, bits);
        long arcs = says.number("arcs", null, 0, Math.max(FREE_ARCS, bits * ARCS_PER_BIT));
        Map<Part, BitCode> codes = says.codes();
        Long unused = codes.containsValue(BitCode.ZETA) ? null : 1L;
        return new WebGraphHeader(
                file,
                nodes,
                arcs,
                (int) says.number("windowsize", null, 0, MAX_WINDOW),
                (int) says.number("minintervallength", null, 0, Integer.MAX_VALUE),
                (int) says.number("zetak", unused, 1, BitCode.MAX_SHRINKING),
                codes);
    }

    /** How a part of a list is coded. */
    BitCode code(Part part) {
        return Objects.requireNonNull(codes.get(part));
    }

    private static Path propertiesOf(Path file) {
        String name = String.valueOf(file.getFileName());
        return file.resolveSibling(name.substring(0, name.length() - GRAPH.length()) + PROPERTIES);
    }

    private static String text(Path properties) throws IOException {
        return Files.readString(properties, StandardCharsets.ISO_8859_1);
    }

    /** What a file of properties says. */
    private record Says(Path file, Properties properties) {
        private static final String FLAGS = "compressionflags";

        static Says of(Path file) throws IOException {
            if (!Files.isRegularFile(file)) {
                throw new InvalidInputException(
                        "%s: there is no such file, which says how the graph beside it is coded (fetch it, too)"
                                .formatted(file));
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new InvalidInputException(file + ": too large to be a properties file");
            }
            Properties properties = new Properties();
            try {
                properties.load(new StringReader(WebGraphHeader.text(file)));
            } catch (IllegalArgumentException malformed) {
                throw new InvalidInputException(
                        "%s: no properties file: %s (fetch it again)"
                                .formatted(file, malformed.getMessage()),
                        malformed);
            }
            return new Says(file, properties);
        }

        String text(String key, String otherwise) {
            return properties.getProperty(key, otherwise).strip();
        }

        /** A whole number between bounds; required if there is nothing that it is otherwise. */
        long number(String key, @Nullable Long otherwise, long least, long most) {
            String text = text(key, otherwise == null ? "" : otherwise.toString());
            try {
                long number = Long.parseLong(text);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException none) {
                throw bad(key, "a whole number");
            }
            throw bad(
                    key,
                    least == most
                            ? Long.toString(least)
                            : "a number from %d to %d, which is what fits the graph's file"
                                    .formatted(least, most));
        }

        Map<Part, BitCode> codes() {
            Map<Part, BitCode> codes = new EnumMap<>(Part.class);
            for (Part part : Part.values()) {
                codes.put(part, part.usual);
            }
            String flags = text(FLAGS, "").toUpperCase(Locale.ROOT);
            for (String flag : flags.isEmpty() ? new String[0] : flags.split("\\|", -1)) {
                String name = flag.strip();
                int end = name.lastIndexOf('_');
                Part part = named(Part.values(), name.substring(0, Math.max(0, end)));
                BitCode code = named(BitCode.values(), name.substring(end + 1));
                if (part == null || code == null) {
                    throw bad(
                            FLAGS,
                            "parts of lists (%s) and their codes (%s), like RESIDUALS_GAMMA | BLOCKS_DELTA"
                                    .formatted(
                                            Arrays.toString(Part.values()),
                                            Arrays.toString(BitCode.values())));
                }
                codes.put(part, code);
            }
            return codes;
        }

        private static <E extends Enum<E>> @Nullable E named(E[] all, String name) {
            return Arrays.stream(all).filter(one -> one.name().equals(name)).findAny().orElse(null);
        }

        InvalidInputException bad(String key, String expected) {
            String found = properties.getProperty(key);
            return new InvalidInputException(
                    "%s: expected as %s %s, found %s (fetch the file again, or have WebGraph write the graph anew as BVGraph)"
                            .formatted(
                                    file,
                                    key,
                                    expected,
                                    found == null ? "nothing" : Quote.of(found)));
        }
    }
}
