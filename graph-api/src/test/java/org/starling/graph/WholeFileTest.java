package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WholeFileTest {
    @TempDir Path temporary;

    private Path root = Path.of("");
    private Path outside = Path.of("");

    @BeforeEach
    void makeFolders() throws IOException {
        root = Files.createDirectories(temporary.toRealPath().resolve("root/inner"));
        outside = Files.createDirectory(temporary.toRealPath().resolve("outside"));
    }

    @Test
    void appearsWholeInThePlaceOfAnOlderFile() throws IOException {
        Path file = Files.writeString(root.resolve("x"), "old");

        try (WholeFile whole = WholeFile.create(file)) {
            write(whole, "new");
            assertThat(file).hasContent("old");
            whole.commit();
        }

        assertThat(file).hasContent("new");
        assertThat(root.resolve("x.part")).doesNotExist();
    }

    @Test
    void leavesNothingWhenItIsNotCommitted() throws IOException {
        try (WholeFile whole = WholeFile.create(root.resolve("x"))) {
            write(whole, "half");
        }

        assertThat(root).isEmptyDirectory();
    }

    @Test
    void doesNotFollowALinkThatWaitsInTheDraftsPlace() throws IOException {
        Path secret = Files.writeString(outside.resolve("secret"), "kept");
        Files.createSymbolicLink(root.resolve("x.part"), secret);

        try (WholeFile whole = WholeFile.create(root.resolve("x"))) {
            write(whole, "new");
            whole.commit();
        }

        assertThat(secret).hasContent("kept");
        assertThat(root.resolve("x")).isRegularFile().hasContent("new");
    }

    @Test
    void refusesAFolderThatHasBecomeALinkSinceItsPathWasChecked() throws IOException {
        Path file = root.resolve("x");
        Files.move(root.getParent(), temporary.resolve("away"));
        Files.createDirectory(outside.resolve("inner"));
        Files.createSymbolicLink(root.getParent(), outside);

        assertThatThrownBy(() -> WholeFile.create(file)).isInstanceOf(IOException.class);
        assertThat(outside.resolve("inner")).isEmptyDirectory();
    }

    @Test
    void staysInTheFolderThatItOpenedWhenALinkTakesThatFoldersPlace() throws IOException {
        Path away = temporary.resolve("away");

        try (WholeFile whole = WholeFile.create(root.resolve("x"))) {
            Files.move(root, away);
            Files.createSymbolicLink(root, outside);
            write(whole, "new");
            whole.commit();
        }

        assertThat(outside).isEmptyDirectory();
        assertThat(away.resolve("x")).hasContent("new");
    }

    private static void write(WholeFile whole, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            whole.channel().write(bytes);
        }
    }
}
