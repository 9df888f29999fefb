package org.starling.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of guides for people who have a cluster, word by word. */
@Tag("slow")
@Timeout(value = 12, unit = TimeUnit.MINUTES)
final class GuidesTest {
    private static final long MINUTES = 10;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "first-graph.md",
                "formats.md",
                "coming-from.md",
                "operations.md",
                "troubleshooting.md",
                "page.md",
                "kept-graphs.md",
                "several-people.md",
                "packages.md"
            })
    void saysWhatTheCommandsDo(String page) throws IOException, InterruptedException {
        new GuideRun(page, folder).follow(MINUTES);
    }
}
