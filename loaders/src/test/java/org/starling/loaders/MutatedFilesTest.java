package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;

import it.unimi.dsi.webgraph.ArrayListMutableGraph;
import it.unimi.dsi.webgraph.BVGraph;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.TextId;

/**
 * Good files of each format with bytes changed, cut out, doubled or cut off: whatever becomes of
 * them is read, or refused with one sentence that names the file. Drawn anew in each build.
 */
final class MutatedFilesTest {
    private static final int ROUNDS = 50;
    private static final int SLOW_ROUNDS = 20_000;
    private static final String MARKS = "0123456789-+.eE \t\n\r,;\"'<>[]%#:\\/\u0000\u007F";

    @TempDir Path folder;

    /** Takes all, with ids of both kinds. */
    private static final class Anything implements EdgeSink {
        private long taken;

        @Override
        public void edge(long source, long target, float weight) {
            taken++;
        }

        @Override
        public void vertex(long id) {
            taken++;
        }

        @Override
        public long number(byte[] utf8, int offset, int length) {
            TextId.require(utf8, offset, length);
            return ++taken;
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = FileFormat.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DOT", "GRAPHALYTICS"})
    void areReadOrRefusedWithASentence(FileFormat format) throws IOException {
        mutate(format, ROUNDS);
    }

    @Tag("slow")
    @Test
    void areReadOrRefusedWithASentenceManyTimes() throws IOException {
        for (FileFormat format : FileFormat.values()) {
            if (format.isRead() && format != FileFormat.GRAPHALYTICS) {
                mutate(format, SLOW_ROUNDS / FileFormat.values().length);
            }
        }
    }

    private void mutate(FileFormat format, int rounds) throws IOException {
        long seed = Long.getLong("starling.fuzz.seed", new Random().nextLong());
        Random random = new Random(seed);
        String ending = format == FileFormat.WEBGRAPH ? "graph" : format.title();
        Path file = folder.toRealPath().resolve("bad." + ending);
        byte[] good = good(format, file);
        Parameters parameters = Parameters.of("file", file.toString()).with("directed", true);
        assertThat(read(format.source(parameters))).isPositive();
        int refused = 0;
        for (int round = 0; round < rounds; round++) {
            Files.write(file, mutated(good, random));
            try {
                read(format.source(parameters));
            } catch (InvalidInputException sentence) {
                refused++;
                assertThat(sentence.getMessage())
                        .as("%s, seed %d, round %d", format.title(), seed, round)
                        .contains(file.getFileName().toString())
                        .doesNotContain("\n");
            } catch (RuntimeException | OutOfMemoryError | StackOverflowError broken) {
                throw new AssertionError(
                        "%s, seed %d, round %d".formatted(format.title(), seed, round), broken);
            }
        }
        assertThat(refused).as("%s, seed %d", format.title(), seed).isPositive();
    }

    private static long read(EdgeSource source) throws IOException {
        Anything sink = new Anything();
        List<PartSummary> parts = new ArrayList<>();
        int count = source.describe().parts();
        for (int part = 0; part < count; part++) {
            parts.add(source.read(part, sink));
        }
        source.check(parts);
        return sink.taken;
    }

    private byte[] good(FileFormat format, Path file) throws IOException {
        switch (format) {
            case GML, LIGRA -> {
                String name =
                        format == FileFormat.GML
                                ? "undirected-networkx.gml"
                                : "undirected-ligra.adj";
                try (InputStream in =
                        MutatedFilesTest.class.getResourceAsStream("/foreign/" + name)) {
                    Files.write(file, Objects.requireNonNull(in, name).readAllBytes());
                }
            }
            case WEBGRAPH -> {
                ArrayListMutableGraph graph =
                        new ArrayListMutableGraph(
                                5, new int[][] {{0, 1}, {0, 4}, {1, 2}, {2, 3}, {3, 0}, {3, 1}});
                String name = file.toString();
                BVGraph.store(
                        graph.immutableView(),
                        name.substring(0, name.length() - ".graph".length()));
            }
            case NTRIPLES ->
                    Files.writeString(
                            file,
                            "<urn:a> <urn:p> _:b.c .\n_:b <urn:p> \"a\\u0041\"@en-US . # x\n<urn:\\U0001F426><urn:p>\"1\"^^<urn:t>.\n");
            default -> {
                Path list = folder.toRealPath().resolve("list.csv");
                Files.writeString(
                        list,
                        "source,target,weight:float\n0,1,0.5\n1,2,3\n2,3,1\n3,0,7.25\n0,2,1e3\n"
                                .replace("0.5", format == FileFormat.GAP ? "5" : "0.5")
                                .replace("7.25", format == FileFormat.GAP ? "7" : "7.25"));
                Parameters parameters =
                        Parameters.of("file", list.toString())
                                .with("directed", format != FileFormat.METIS);
                GraphConversion.convert(FileFormat.EDGE_LIST, parameters, file, format);
            }
        }
        return Files.readAllBytes(file);
    }

    private static byte[] mutated(byte[] good, Random random) {
        byte[] bytes = good.clone();
        for (int i = random.nextInt(3); i >= 0 && bytes.length > 1; i--) {
            int at = random.nextInt(bytes.length);
            int count = 1 + random.nextInt(Math.min(12, bytes.length - at));
            bytes =
                    switch (random.nextInt(6)) {
                        case 0 -> Arrays.copyOf(bytes, at + 1); // broken off
                        case 1 -> joined(bytes, at, new byte[0], at + count); // cut out
                        case 2 -> joined(bytes, at, Arrays.copyOfRange(bytes, at, at + count), at);
                        case 3 -> joined(bytes, at, text(random, count), at + count);
                        default -> {
                            bytes[at] = (byte) random.nextInt(256);
                            yield bytes;
                        }
                    };
        }
        return bytes;
    }

    private static byte[] text(Random random, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(MARKS.charAt(random.nextInt(MARKS.length())));
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** What stands before one place, some more, and what stands from another place on. */
    private static byte[] joined(byte[] bytes, int end, byte[] more, int from) {
        byte[] joined = Arrays.copyOf(bytes, end + more.length + bytes.length - from);
        System.arraycopy(more, 0, joined, end, more.length);
        System.arraycopy(bytes, from, joined, end + more.length, bytes.length - from);
        return joined;
    }
}
