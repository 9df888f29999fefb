package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;

/** Gzip files of blocks are read in parts, with what one part gives. */
final class GzipBlocksTest {
    private static final int HEADER_BYTES = 18;
    private static final int TRAILER_BYTES = 8;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64, 1000, 65_280})
    void readsTheSameWhateverBlocksAndParts(int blockBytes) throws IOException {
        byte[] text = lines(blockBytes < 64 ? 400 : 3000).getBytes(StandardCharsets.UTF_8);
        List<Edges.Edge> whole = Edges.of("edgelist", plain(text));
        Parameters parameters = packed(blocks(text, blockBytes));

        for (long partBytes : new long[] {1, 100, 1000, 10_000, 1 << 20}) {
            EdgeSource source = Edges.source("edgelist", parameters.with("partBytes", partBytes));

            assertThat(Edges.of(source)).isEqualTo(whole);
            long blocks = Math.ceilDiv(text.length, blockBytes);
            assertThat((long) source.describe().parts())
                    .isBetween(
                            Math.min(blocks, text.length / (partBytes + blockBytes)) / 2,
                            Math.min(blocks, Math.ceilDiv(text.length, partBytes)));
        }
    }

    @Test
    void readsWhatBgzipHasWritten() throws IOException {
        try (InputStream in = GzipBlocksTest.class.getResourceAsStream("/foreign/edges-bgzip.gz")) {
            Files.write(file(), Objects.requireNonNull(in).readAllBytes());
        }
        Parameters parameters = Parameters.of("file", file().toString()).with("partBytes", 50_000);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 30_000; i++) {
            text.append(i).append(' ').append((long) i * i % 30_011).append('\n');
        }

        EdgeSource source = Edges.source("edgelist", parameters);

        assertThat(source.describe().parts()).isEqualTo(6);
        assertThat(Edges.of(source))
                .isEqualTo(
                        Edges.of(
                                "edgelist",
                                plain(text.toString().getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void readsOtherFormatsOfLinesInParts() throws IOException {
        StringBuilder text =
                new StringBuilder("%%MatrixMarket matrix coordinate pattern general\n");
        text.append("3000 3000 2999\n");
        for (int i = 1; i < 3000; i++) {
            text.append(i).append(' ').append(i + 1).append('\n');
        }
        Parameters parameters =
                packed(blocks(text.toString().getBytes(StandardCharsets.UTF_8), 500));

        assertThat(Edges.of("mtx", parameters.with("partBytes", 2000))).hasSize(2999);
        assertThat(Edges.source("mtx", parameters.with("partBytes", 2000)).describe().parts())
                .isGreaterThan(5);
    }

    @Test
    void namesLinesAndCountsBadOnesAsInOnePart() throws IOException {
        String text = lines(500) + "x y\n" + lines(500) + "5 z\n" + lines(500);
        Parameters parameters =
                packed(blocks(text.getBytes(StandardCharsets.UTF_8), 100)).with("partBytes", 300);

        assertThatThrownBy(() -> Recorded.of(Edges.source("edgelist", parameters)))
                .hasMessageContaining(file() + ":501: expected two vertex ids, found \"x y\"");
        EdgeSource source = Edges.source("edgelist", parameters.with("badLines", "skip"));
        List<PartSummary> parts = new ArrayList<>();
        for (int part = 0; part < source.describe().parts(); part++) {
            parts.add(source.read(part, new CountingSink()));
        }

        assertThat(parts.size()).isGreaterThan(30);
        assertThat(parts.stream().mapToLong(PartSummary::skipped).sum()).isEqualTo(2);
        assertThat(source.explainSkipped(parts))
                .hasSize(2)
                .satisfies(reasons -> {
                    assertThat(reasons.get(0)).startsWith(file() + ":501: ");
                    assertThat(reasons.get(1)).startsWith(file() + ":1002: ");
                });
    }

    @Test
    void readsMembersThatDontSayTheirSizeInOnePart() throws IOException {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        byte[] text = lines(300).getBytes(StandardCharsets.UTF_8);
        members.writeBytes(blocks(text, 100));
        try (OutputStream out = new GZIPOutputStream(members)) {
            out.write("7 8\n".getBytes(StandardCharsets.UTF_8));
        }
        Parameters parameters = packed(members.toByteArray()).with("partBytes", 10);

        assertThat(Edges.source("edgelist", parameters).describe().parts()).isOne();
        assertThat(Edges.of("edgelist", parameters)).hasSize(301);
    }

    @Test
    void refusesAMemberWhoseHeaderIsDamaged() throws IOException {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        for (int member = 0; member < 2; member++) {
            try (OutputStream out = new GZIPOutputStream(members)) {
                out.write("7 8\n".getBytes(StandardCharsets.UTF_8));
            }
        }
        byte[] bad = members.toByteArray();
        bad[bad.length / 2] ^= 1;

        assertThatThrownBy(() -> Edges.of("edgelist", packed(bad)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("the gzip data is damaged: ");
    }

    /**
     * Also between two blocks, where nothing but the empty one is missing that ends such a file.
     */
    @Test
    void refusesAFileThatIsCutAnywhere() throws IOException {
        byte[] blocks = blocks(lines(100).getBytes(StandardCharsets.UTF_8), 300);

        for (int bytes = 2; bytes < blocks.length; bytes++) {
            Parameters parameters = packed(Arrays.copyOf(blocks, bytes)).with("partBytes", 1);
            assertThatThrownBy(() -> Edges.of("edgelist", parameters))
                    .as("%d of %d bytes", bytes, blocks.length)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("the gzip data ends too early: ");
        }
    }

    /** Damage to any bit is seen, though no part reads all. */
    @Test
    void refusesAnyDamage() throws IOException {
        damage(150);
    }

    @Tag("slow")
    @Test
    void refusesAnyDamageOfMany() throws IOException {
        damage(5000);
    }

    private void damage(int rounds) throws IOException {
        byte[] text = lines(400).getBytes(StandardCharsets.UTF_8);
        byte[] good = blocks(text, 256);
        List<Edges.Edge> whole = Edges.of("edgelist", plain(text));
        long seed = Long.getLong("starling.fuzz.seed", new Random().nextLong());
        Random random = new Random(seed);
        int refused = 0;
        for (int round = 0; round < rounds; round++) {
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            Parameters parameters = packed(bad).with("partBytes", 1);
            try {
                // what says nothing of the text: time, system
                assertThat(Edges.of("edgelist", parameters))
                        .as("seed %d, round %d", seed, round)
                        .isEqualTo(whole);
            } catch (InvalidInputException sentence) {
                refused++;
                assertThat(sentence.getMessage()).contains(file().toString());
            }
        }
        assertThat(refused).as("seed %d", seed).isGreaterThan(rounds * 3 / 4);
    }

    @Test
    void saysHowABlockIsDamaged() throws IOException {
        byte[] text = lines(400).getBytes(StandardCharsets.UTF_8);
        byte[] checksum = blocks(text, 256);
        int size = ByteBuffer.wrap(checksum).order(ByteOrder.LITTLE_ENDIAN).getShort(16) + 1;
        checksum[size - TRAILER_BYTES] ^= 1;
        byte[] length = blocks(text, 256);
        length[size - 4] ^= 1;
        byte[] deflated = blocks(text, 256);
        deflated[HEADER_BYTES] = (byte) 0xFF;

        assertDamaged(
                checksum,
                "after 0 bytes of text the gzip data is damaged: a block has another checksum");
        assertDamaged(
                length,
                "after 0 bytes of text the gzip data is damaged: a block has another length");
        assertDamaged(deflated, "after 0 bytes of text the gzip data is damaged: ");
    }

    @Test
    void refusesABlockWithMoreTextThanABlockHas() throws IOException {
        // a repetition that goes beyond, whose code has its last byte in common with the end's
        String lines = "1 2\n".repeat(8) + "8 7\n" + "3 4\n".repeat(20_000);
        byte[] text = lines.substring(0, GzipBlock.MAX_BYTES + 9).getBytes(StandardCharsets.UTF_8);
        byte[] said = Arrays.copyOf(text, GzipBlock.MAX_BYTES);
        CRC32 checksum = new CRC32();
        checksum.update(said);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        write(text, (int) checksum.getValue(), said.length, file);
        write(new byte[0], file);

        assertDamaged(
                file.toByteArray(),
                "after 0 bytes of text the gzip data is damaged: a block has another length");
    }

    private void assertDamaged(byte[] bytes, String said) throws IOException {
        Parameters parameters = packed(bytes);
        assertThatThrownBy(() -> Edges.of("edgelist", parameters))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(file() + ": " + said);
    }

    private static String lines(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i).append(' ').append(i * 31 % 700).append('\n');
        }
        return text.toString();
    }

    /** Blocks of so many bytes of text, with an empty one after every fifth and at the end. */
    private static byte[] blocks(byte[] text, int blockBytes) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (int at = 0, block = 1; at < text.length; at += blockBytes, block++) {
            write(Arrays.copyOfRange(text, at, Math.min(text.length, at + blockBytes)), file);
            if (block % 5 == 0) {
                write(new byte[0], file);
            }
        }
        write(new byte[0], file);
        return file.toByteArray();
    }

    private static void write(byte[] text, ByteArrayOutputStream file) {
        CRC32 checksum = new CRC32();
        checksum.update(text);
        write(text, (int) checksum.getValue(), text.length, file);
    }

    private static void write(byte[] text, int checksum, int length, ByteArrayOutputStream file) {
        Deflater deflater = new Deflater(6, true);
        deflater.setInput(text);
        deflater.finish();
        byte[] packed = new byte[text.length + 100];
        int bytes = deflater.deflate(packed);
        deflater.end();
        ByteBuffer block =
                ByteBuffer.allocate(HEADER_BYTES + bytes + TRAILER_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        block.putInt(0x04088B1F).putInt(0).putShort((short) 0xFF00).putShort((short) 6);
        block.put((byte) 'B').put((byte) 'C').putShort((short) 2);
        block.putShort((short) (block.capacity() - 1)).put(packed, 0, bytes);
        block.putInt(checksum).putInt(length);
        file.writeBytes(block.array());
    }

    private Parameters packed(byte[] bytes) throws IOException {
        Files.write(file(), bytes);
        return Parameters.of("file", file().toString());
    }

    private Parameters plain(byte[] text) throws IOException {
        Path file = Files.write(folder.resolve("plain.el"), text);
        return Parameters.of("file", file.toString());
    }

    private Path file() {
        return folder.resolve("edges.el.gz");
    }
}
