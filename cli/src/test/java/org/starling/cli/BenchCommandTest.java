package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the benches of a cluster refuse before they start one. */
final class BenchCommandTest {
    @TempDir Path folder;

    private final Screen screen = new Screen();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bench                              | needs one of recovery and job",
                "bench recvery                      | did you mean \"recovery\"",
                "bench recovery --kill nobody       | does not know --kill \"nobody\"",
                "bench recovery --kill slave@task=1 | does not know --kill",
                "bench recovery --chunks 0          | --chunks must be a whole number",
                "bench recovery --superpeers 2      | must be 1 or 3",
                "bench recovery --peers 65          | --peers must be a whole number",
                "bench job                          | --script is missing",
                "bench job --script s --kill owner  | does not know --kill \"owner\"",
                "bench job --kill slave@step=1      | does not know --kill",
                "bench job --kill slave@superstep=1,task=2 | does not know --kill",
                "bench recovery --compare           | --compare is for bench job",
            })
    void refusesWrongUsageInOneSentence(String line, String sentence) {
        String[] words = line.strip().split("\\s+");

        ExitCode code =
                new Commands(List.of(new BenchCommand()))
                        .run(words, screen.terminal(folder), new Interruption());

        assertThat(code).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(screen.err()).contains(sentence);
        assertThat(screen.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"owner,2", "two,2", "superpeer,1"})
    void refusesKillsThatLeaveTooFewBackups(String kill, String peers) {
        String[] words = {"bench", "recovery", "--kill", kill, "--peers", peers};

        ExitCode code =
                new Commands(List.of(new BenchCommand()))
                        .run(words, screen.terminal(folder), new Interruption());

        assertThat(code).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(screen.err()).contains("at least");
    }
}
