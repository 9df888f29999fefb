package org.starling.compute.internal.run;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

/** Parts of output files, and what lost masters leave of them. */
final class OutputPartsTest {
    @TempDir private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void append(Path file, long run, int shard, String text) {
        if (!Files.exists(OutputParts.part(file, run, shard), LinkOption.NOFOLLOW_LINKS)) {
            OutputParts.create(file, run, shard, new byte[0], 0);
        }
        OutputParts.append(file, run, shard, text.getBytes(US_ASCII), text.length());
    }

    @Test
    void joinsPartsOfOneAttemptInTheOrderOfShards() throws IOException {
        Path file = folder.resolve("out.txt");
        append(file, 7, 1, "second\n");
        append(file, 7, 0, "first\n");
        append(file, 7, 0, "more\n");
        append(file, 7, 2, "");
        append(file, 6, 0, "older attempt\n");

        OutputParts.join(file, 7, 3);

        assertThat(file).hasContent("first\nmore\nsecond");
        assertThat(names()).containsExactly(".out.txt.6.part-0", "out.txt");
    }

    @Test
    void namesAPartThatIsMissing() throws IOException {
        Path file = folder.resolve("out.txt");
        append(file, 7, 0, "first\n");
        append(file, 7, 2, "third\n");

        assertThatThrownBy(() -> OutputParts.join(file, 7, 3))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("a part of the result is missing")
                .hasMessageContaining(OutputParts.part(file, 7, 1).toString());

        assertThat(names()).isEmpty();
    }

    @Test
    void followsNoLinksThatWaitInThePlaceOfParts() throws IOException {
        Path file = folder.resolve("out.txt");
        Path secret = Files.writeString(folder.resolve("secret"), "kept");
        Files.createSymbolicLink(OutputParts.part(file, 7, 0), secret);
        Files.createSymbolicLink(OutputParts.whole(file, 8), secret);

        assertThatThrownBy(() -> append(file, 7, 0, "x")).isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> OutputParts.join(file, 7, 1))
                .isInstanceOf(InvalidInputException.class);
        append(file, 8, 0, "whole\n");
        OutputParts.join(file, 8, 1);

        assertThat(secret).hasContent("kept");
        assertThat(file).isRegularFile().hasContent("whole");
    }

    @Test
    void removesWhatOlderAttemptsLeftAndNothingElse() throws IOException {
        Path file = folder.resolve("out.txt");
        append(file, 6, 0, "x");
        append(file, 6, 12, "x");
        append(file, 7, 0, "x");
        append(file, 8, 0, "x");
        append(folder.resolve("out2.txt"), 6, 0, "x");
        Files.writeString(folder.resolve(".out.txt.5.whole"), "x");
        Files.writeString(folder.resolve(".out.txt.5.partly"), "x");
        Files.writeString(folder.resolve("out.txt"), "x");

        append(file, Long.MAX_VALUE, 0, "x");

        OutputParts.removeOlder(file, 7);

        assertThat(names())
                .containsExactly(
                        ".out.txt.5.partly",
                        ".out.txt.7.part-0",
                        ".out.txt.8.part-0",
                        ".out.txt.9223372036854775807.part-0",
                        ".out2.txt.6.part-0",
                        "out.txt");
    }

    @Test
    void removesPartsOfTheLongestNumbers() throws IOException {
        Path file = folder.resolve("out.txt");
        append(file, Long.MAX_VALUE - 1, 0, "x");
        Files.writeString(folder.resolve(".out.txt.9999999999999999999.whole"), "nobody's");

        OutputParts.removeOlder(file, Long.MAX_VALUE);

        assertThat(names()).containsExactly(".out.txt.9999999999999999999.whole");
    }
}
