package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

class EdgeRunTest {

    private static final KroneckerGraph GRAPH = new KroneckerGraph(13, 16, 2, 3);

    @TempDir private Path folder;

    @Test
    void leavesAloneWhatALinkInTheDraftsPlaceLeadsTo() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "kept");
        Files.createSymbolicLink(folder.resolve("edges.part"), secret);

        new EdgeRun(kronecker(8), false, 1)
                .write(folder.resolve("edges"), EdgeFileFormat.TSV, (_, _) -> {});

        assertThat(Files.size(secret)).isEqualTo(4);
        assertThat(folder.resolve("edges.part")).doesNotExist();
    }

    @Test
    void canBeEndedInTheMiddleOfAPart() {
        EdgeSource endless =
                new EdgeSource() {
                    @Override
                    public SourceDescription describe() {
                        return new SourceDescription(1, true, 0, 1, 1, false);
                    }

                    @Override
                    public PartSummary read(int part, EdgeSink sink) {
                        while (true) {
                            sink.edge(0, 0, 0);
                        }
                    }
                };

        assertThatThrownBy(() ->
                        new EdgeRun(endless, false, 2)
                                .hash((done, total) -> {
                                    throw new JobCancelledException("enough");
                                }))
                .isInstanceOf(JobCancelledException.class)
                .hasMessage("enough");
    }

    @Test
    void writesTuplesOfSixteenBytesInTheOrderOfEdges() throws IOException {
        Path file = folder.resolve("graph.bin");

        new EdgeRun(kronecker(13), false, 2).write(file, EdgeFileFormat.GRAPH500, (_, _) -> {});

        ByteBuffer bytes = read(file);
        assertThat(bytes.remaining()).isEqualTo(16 * GRAPH.edges());
        KroneckerEdges edges = new KroneckerEdges(GRAPH, false);
        while (bytes.hasRemaining()) {
            edges.next();
            assertThat(bytes.getLong()).isEqualTo(edges.source());
            assertThat(bytes.getLong()).isEqualTo(edges.target());
        }
        assertThat(files()).containsExactly("graph.bin");
    }

    @Test
    void writesPackedTuplesAndTheirWeights() throws IOException {
        Path file = folder.resolve("graph.bin");

        new EdgeRun(kronecker(13), true, 2)
                .write(file, EdgeFileFormat.GRAPH500_PACKED, (_, _) -> {});

        ByteBuffer bytes = read(file);
        ByteBuffer weights = read(folder.resolve("graph.bin.weights"));
        assertThat(bytes.remaining()).isEqualTo(12 * GRAPH.edges());
        assertThat(weights.remaining()).isEqualTo(4 * GRAPH.edges());
        KroneckerEdges edges = new KroneckerEdges(GRAPH, true);
        while (bytes.hasRemaining()) {
            edges.next();
            assertThat(bytes.getInt()).isEqualTo((int) edges.source());
            assertThat(bytes.getInt()).isEqualTo((int) edges.target());
            assertThat(bytes.getInt()).isZero();
            assertThat(weights.getFloat()).isEqualTo(edges.weight());
        }
    }

    @Test
    void packsIdsOfMoreThan32Bits() {
        ByteBuffer record = EdgeFileFormat.GRAPH500_PACKED.buffer(1);

        EdgeFileFormat.GRAPH500_PACKED.put(record, 0x1234_89AB_CDEFL, 0x0042_0000_0001L);

        byte[] bytes = new byte[12];
        record.flip().get(bytes);
        assertThat(bytes)
                .containsExactly(0xEF, 0xCD, 0xAB, 0x89, 0x01, 0, 0, 0, 0x34, 0x12, 0x42, 0x00);
    }

    @Test
    void writesLinesThatTheEdgeListReaderReads() throws IOException {
        Path file = folder.resolve("graph.tsv");

        EdgeHash hash =
                new EdgeRun(kronecker(13), true, 2).write(file, EdgeFileFormat.TSV, (_, _) -> {});

        List<Edges.Edge> edges = Edges.of("edgelist", Parameters.of("file", file.toString()));
        assertThat(edges).hasSize((int) hash.edges());
        assertThat(edges.stream().mapToLong(edge -> Float.floatToIntBits(edge.weight())).sum())
                .isEqualTo(hash.weightBitsSum());
        assertThat(edges.stream().mapToLong(Edges.Edge::target).sum())
                .isEqualTo(hash.sumTarget().longValueExact());
    }

    @Test
    void leavesNothingBehindWhenItIsCancelled() {
        Path file = folder.resolve("graph.tsv");

        assertThatThrownBy(() ->
                        new EdgeRun(kronecker(13), true, 2)
                                .write(
                                        file,
                                        EdgeFileFormat.GRAPH500,
                                        (done, _) -> {
                                            throw new JobCancelledException("at " + done);
                                        }))
                .isInstanceOf(JobCancelledException.class);

        assertThat(files()).isEmpty();
    }

    @Test
    void refusesAnUnknownFormat() {
        assertThatThrownBy(() -> EdgeFileFormat.named("csv"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("graph500, graph500-packed or tsv, found \"csv\"");
        assertThat(EdgeFileFormat.named("graph500-packed"))
                .isEqualTo(EdgeFileFormat.GRAPH500_PACKED);
    }

    private static EdgeSource kronecker(int scale) {
        return new KroneckerProvider().create(Parameters.of("scale", scale).with("weights", true));
    }

    private List<String> files() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static ByteBuffer read(Path file) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    }
}
