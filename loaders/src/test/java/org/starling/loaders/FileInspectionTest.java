package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.Parameters;

final class FileInspectionTest {
    @TempDir Path folder;

    @Test
    void tellsTheColumnsOfATableWhoseEndsNobodyHasNamed() throws IOException {
        FileInspection found =
                inspect("a.csv", FileFormat.EDGE_LIST, "from,to,since,name\n1,2,3,a\n2,3,,b\n");

        assertThat(found.columns())
                .extracting(column -> column.name() + ":" + column.type())
                .containsExactly("from:int", "to:int", "since:int?", "name:string");
        assertThat(found.rows()).isEqualTo(2);
        assertThat(found.rowsEstimated()).isFalse();
        assertThat(found.first()).containsExactly("from,to,since,name", "1,2,3,a", "2,3,,b");
        assertThat(found.hint()).endsWith("\"source\": \"from\", \"target\": \"to\"");
    }

    @Test
    void saysThatEndsAreTexts() throws IOException {
        FileInspection found =
                inspect("a.csv", FileFormat.EDGE_LIST, "person,friend\nAnn,Bob\nBob,7\n");

        assertThat(found.hint())
                .endsWith("\"source\": \"person\", \"target\": \"friend\", \"ids\": \"text\"");
    }

    @Test
    void showsATableOfTextsWhoseHeaderSaysTheEnds() throws IOException {
        FileInspection found =
                inspect(
                        "a.csv",
                        FileFormat.EDGE_LIST,
                        "source,target,since:int\nAnn B,Bob,3\nBob,Cid,4\n");

        assertThat(found.columns())
                .extracting(column -> column.name() + ":" + column.type())
                .containsExactly("source:string", "target:string", "since:int");
        assertThat(found.rows()).isEqualTo(2);
        assertThat(found.hint()).isEqualTo("say that ids are texts: \"ids\": \"text\"");
    }

    @Test
    void countsWhatAHeaderPromises() throws IOException {
        FileInspection found =
                inspect(
                        "a.mtx",
                        FileFormat.MATRIX_MARKET,
                        "%%MatrixMarket matrix coordinate real general\n9 9 2\n1 2 3\n2 3 4\n");

        assertThat(found.rows()).isEqualTo(2);
        assertThat(found.rowsEstimated()).isFalse();
        assertThat(found.vertices()).isEqualTo(9);
        assertThat(found.directed()).isTrue();
        assertThat(found.first()).containsExactly("1 2 3.0", "2 3 4.0");
        assertThat(found.hint()).isEmpty();
    }

    @Test
    void saysThatItGuesses() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 300_000; i++) {
            text.append(i).append(' ').append(i + 1).append('\n');
        }

        FileInspection found = inspect("a.el", FileFormat.EDGE_LIST, text.toString());

        assertThat(found.rowsEstimated()).isTrue();
        assertThat(found.rows()).isBetween(280_000L, 320_000L);
        assertThat(found.first()).hasSize(5).startsWith("0 1");
    }

    private FileInspection inspect(String name, FileFormat format, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        return FileInspection.of(file, format, Parameters.of("file", file.toString()));
    }
}
