package org.starling.store.internal.directory.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A disk of a given size, as a file system in memory at a folder. Tests that use one are skipped
 * where this user may not mount any.
 */
final class SmallDisk implements AutoCloseable {
    private static final int AMPLE_KILOBYTES = 16 << 10;

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** With room enough, to begin with. */
    static SmallDisk at(Path folder) throws IOException {
        Files.createDirectories(folder);
        String refusal =
                run("mount", "-t", "tmpfs", "-o", "size=" + AMPLE_KILOBYTES + "k", "tmpfs", folder);
        assumeTrue(refusal.isEmpty(), () -> "no file system can be mounted here: " + refusal);
        return new SmallDisk(folder);
    }

    /** Leaves so much room. */
    void leave(int kilobytes) throws IOException {
        long total = Files.getFileStore(folder).getTotalSpace();
        long used = (total - Files.getFileStore(folder).getUsableSpace()) >> 10;
        assertThat(run("mount", "-o", "remount,size=" + (used + kilobytes) + "k", folder))
                .isEmpty();
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
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
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
