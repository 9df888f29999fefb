package org.starling.compute.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OldFoldersTest {
    @TempDir Path folder;

    @Test
    void removesAFolderButNotWhatALinkInItLeadsTo() throws IOException {
        Path kept =
                Files.writeString(Files.createDirectory(folder.resolve("data")).resolve("a"), "1");
        Path whole = folder.resolve("own");
        Files.writeString(Files.createDirectories(whole.resolve("0")).resolve("b"), "2");
        Files.createSymbolicLink(whole.resolve("link"), kept.getParent());

        OldFolders.removeWhole(whole);

        assertThat(whole).doesNotExist();
        assertThat(kept).hasContent("1");
    }

    @Test
    void removesNothingWhereNothingIs() {
        OldFolders.removeWhole(folder.resolve("gone"));

        assertThat(folder).isEmptyDirectory();
    }
}
