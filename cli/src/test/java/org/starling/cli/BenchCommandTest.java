package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the benches refuse before they start anything. */
final class BenchCommandTest {
    @TempDir Path folder;

    private final Screen screen = new Screen();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bench                              | needs one of job, net, queries, recovery, store and study",
                "bench recvery                      | did you mean \"recovery\"",
                "bench recovery --kill everybody    | does not know --kill \"everybody\"",
                "bench recovery --kill slave@task=1 | does not know --kill",
                "bench recovery --chunks 0          | --chunks must be a whole number",
                "bench recovery --superpeers 2      | must be 1 or 3",
                "bench recovery --peers 65          | --peers must be a whole number",
                "bench job                          | --script is missing",
                "bench job --script s --kill owner  | does not know --kill \"owner\"",
                "bench job --kill slave@step=1      | does not know --kill",
                "bench job --kill slave@superstep=1,task=2 | does not know --kill",
                "bench recovery --compare           | bench recovery has no option \"--compare\"",
                "bench job --chunks 3               | bench job has no option \"--chunks\"",
                "bench recovery --senders 3         | bench recovery has no option \"--senders\"",
                "bench net --chunks 3               | bench net has no option \"--chunks\"",
                "bench net --mode onway             | did you mean \"oneway\"",
                "bench net --bytes none             | --bytes must be a whole number from 1",
                "bench net --seconds 0              | --seconds must be a whole number from 1",
                "bench net --nodes 3                | --nodes is for --mode alltoall only",
                "bench net --transport loopback --baseline netty | is for --transport ethernet",
                "bench study --name sender          | did you mean \"senders\"",
                "bench study --repeat 1             | --repeat must be a whole number from 2",
                "bench net --transport loopback --tls | --tls is for --transport ethernet only",
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

    @Test
    void explainsTheOptionsOfEachBench() {
        String[] words = {"bench", "--help"};

        ExitCode code =
                new Commands(List.of(new BenchCommand()))
                        .run(words, screen.terminal(folder), new Interruption());

        assertThat(code).isEqualTo(ExitCode.DONE);
        assertThat(screen.out())
                .contains(
                        "job|net|queries|recovery|store|study",
                        "--senders N",
                        "oneway|roundtrip|alltoall")
                .contains(
                        "net: payload of a message (default 64); store: bytes of each (default 64);"
                                + " recovery: bytes of each");
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
