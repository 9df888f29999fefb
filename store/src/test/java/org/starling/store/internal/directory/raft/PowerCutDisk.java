package org.starling.store.internal.directory.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A disk that can be looked at as a loss of power would leave it, without what nobody has forced: a
 * file system (ext4) in a file, at a folder. Tests that use one are skipped where this user may not
 * mount any.
 */
final class PowerCutDisk implements AutoCloseable {
    private static final long BYTES = 64 << 20;

    private final Path image;
    private final Path folder;

    private PowerCutDisk(Path image, Path folder) throws IOException {
        this.image = image;
        this.folder = folder;
        Files.createDirectories(folder);
        String refusal = run("mount", "-o", "loop", image, folder);
        assumeTrue(refusal.isEmpty(), () -> "no file system can be mounted here: " + refusal);
    }

    /**
     * Mounts an empty one.
     *
     * @param image where the file is to be made
     * @param folder where to mount it
     */
    static PowerCutDisk at(Path image, Path folder) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(BYTES);
        }
        String refusal = run("mkfs.ext4", "-q", "-F", image);
        assumeTrue(refusal.isEmpty(), () -> "no file system can be made here: " + refusal);
        return new PowerCutDisk(image, folder);
    }

    /**
     * Another disk with what would be on this one if its power were cut now.
     *
     * @param copy where its file is to be made
     * @param elsewhere where to mount it
     */
    PowerCutDisk cut(Path copy, Path elsewhere) throws IOException {
        Files.copy(image, copy);
        return new PowerCutDisk(copy, elsewhere);
    }

    @Override
    public void close() throws IOException {
        assertThat(run("umount", "--lazy", folder)).isEmpty();
    }

    private static String run(Object... command) throws IOException {
        String[] words = new String[command.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = command[i].toString();
        }
        Process process;
        try {
            process = new ProcessBuilder(words).redirectErrorStream(true).start();
        } catch (IOException e) {
            return words[0] + " is not installed: " + e.getMessage();
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        return process.exitValue() == 0 ? "" : said.isBlank() ? "it failed" : said.strip();
    }
}
