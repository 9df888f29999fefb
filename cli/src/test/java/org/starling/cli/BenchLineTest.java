package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.bench.BenchChoices;
import org.starling.compute.bench.BenchOption;

/** Options of benches as the command line brings them. */
final class BenchLineTest {
    private static final List<BenchOption> OPTIONS =
            List.of(new BenchOption.Folder("output", "where to write", "there"));

    @TempDir Path folder;

    @Test
    void foldersStartFromTheWorkingDirectory() throws ParseException {
        assertThat(choices("--output", "deep/er").folder("output"))
                .isEqualTo(folder.resolve("deep/er"));
        assertThat(choices("--output", folder.toString()).folder("output")).isEqualTo(folder);
        assertThat(choices().folder("output")).isEqualTo(Path.of("there"));
    }

    private BenchChoices choices(String... words) throws ParseException {
        Options options = new Options();
        BenchLine.addTo(options, "test", OPTIONS);
        CommandLine line = new DefaultParser().parse(options, words);
        return BenchLine.choices("test", OPTIONS, line, new Screen().terminal(folder));
    }
}
