package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.graph.InvalidInputException;

/** Gzip files of members that don't say their size. */
final class GzipTextTest {
    private static final int PLAIN_HEADER_BYTES = 10;
    private static final int WITH_CHECKSUM = 2;
    private static final int WITH_EXTRA = 4;
    private static final int WITH_NAME = 8;
    private static final int WITH_COMMENT = 16;

    @TempDir Path folder;

    /** Texts that can't be packed, so that members begin anywhere in buffers. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 65_490, 65_500, 65_510, 65_536, 200_000})
    void readsMembersWithAllThatHeadersMayHave(int bytes) throws IOException {
        Random random = new Random(bytes);
        byte[] text = new byte[bytes];
        random.nextBytes(text);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int flags = 0; flags < 2 * WITH_COMMENT; flags += 2) {
            file.writeBytes(member(text, flags));
            expected.writeBytes(text);
        }

        assertThat(unpacked(file.toByteArray())).isEqualTo(expected.toByteArray());
    }

    @Test
    void refusesAFileThatIsCutAnywhereButBetweenMembers() throws IOException {
        byte[] text = "1 2\n3 4\n".getBytes(StandardCharsets.UTF_8);
        byte[] first = member(text, WITH_CHECKSUM + WITH_EXTRA + WITH_NAME + WITH_COMMENT);
        byte[] both = Arrays.copyOf(first, 2 * first.length);
        System.arraycopy(first, 0, both, first.length, first.length);

        for (int bytes = 2; bytes < both.length; bytes++) {
            byte[] cut = Arrays.copyOf(both, bytes);
            if (bytes == first.length) {
                assertThat(unpacked(cut)).isEqualTo(text);
            } else {
                assertThatThrownBy(() -> unpacked(cut))
                        .as("%d of %d bytes", bytes, both.length)
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("the gzip data ends too early: ");
            }
        }
    }

    @Test
    void refusesAnyDamageOfTheText() throws IOException {
        byte[] text = "1 2\n3 4\n17 18\n".repeat(3).getBytes(StandardCharsets.UTF_8);
        byte[] good = member(text, WITH_CHECKSUM + WITH_EXTRA + WITH_NAME + WITH_COMMENT);

        int passed = 0;
        for (int bit = 16; bit < good.length * Byte.SIZE; bit++) {
            byte[] bad = good.clone();
            bad[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            try {
                assertThat(unpacked(bad)).as("bit %d", bit).isEqualTo(text);
                passed++;
            } catch (InvalidInputException sentence) {
                assertThat(sentence.getMessage()).contains("the gzip data ");
            }
        }
        assertThat(passed).as("bits that fill up the last byte").isLessThan(Byte.SIZE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "more", "\u001F", "\u001F\u008B", "\u001F\u008Bx"})
    void refusesOtherDataBehindAMember(String more) throws IOException {
        byte[] text = "1 2\n".getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(member(text, 0));
        file.writeBytes(more.getBytes(StandardCharsets.ISO_8859_1));

        assertThatThrownBy(() -> unpacked(file.toByteArray()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("edges.gz: after 4 bytes of text the gzip data ");
    }

    @Test
    void holdsNoNameHoweverLongItIs() throws IOException {
        byte[] bytes = new byte[16 << 20];
        Arrays.fill(bytes, (byte) 'x');
        System.arraycopy(header(WITH_NAME), 0, bytes, 0, PLAIN_HEADER_BYTES);
        Files.write(file(), bytes);
        ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        long before = threads.getCurrentThreadAllocatedBytes();

        assertThatThrownBy(
                        () -> {
                            try (InputStream in = UnpackedText.open(file())) {
                                in.read();
                            }
                        })
                .hasMessageContaining("the gzip data ends too early: ");

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(4 << 20);
    }

    private byte[] unpacked(byte[] bytes) throws IOException {
        Files.write(file(), bytes);
        try (InputStream in = UnpackedText.open(file())) {
            return in.readAllBytes();
        }
    }

    private static byte[] member(byte[] text, int flags) throws IOException {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(plain)) {
            out.write(text);
        }
        byte[] packed = plain.toByteArray();
        ByteArrayOutputStream member = new ByteArrayOutputStream();
        member.writeBytes(header(flags));
        if ((flags & WITH_EXTRA) != 0) {
            member.writeBytes(new byte[] {6, 0, 'A', 'B', 2, 0, 31, (byte) 139});
        }
        for (int name : new int[] {WITH_NAME, WITH_COMMENT}) {
            if ((flags & name) != 0) {
                member.writeBytes("größer\0".getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        if ((flags & WITH_CHECKSUM) != 0) {
            CRC32 checksum = new CRC32();
            checksum.update(member.toByteArray());
            member.write((int) checksum.getValue());
            member.write((int) checksum.getValue() >> Byte.SIZE);
        }
        member.write(packed, PLAIN_HEADER_BYTES, packed.length - PLAIN_HEADER_BYTES);
        return member.toByteArray();
    }

    private static byte[] header(int flags) {
        return new byte[] {0x1F, (byte) 0x8B, 8, (byte) flags, 1, 2, 3, 4, 0, 3};
    }

    private Path file() {
        return folder.resolve("edges.gz");
    }
}
