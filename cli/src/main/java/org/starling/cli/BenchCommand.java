package org.starling.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.bench.Bench;
import org.starling.compute.bench.BenchChoices;
import org.starling.compute.bench.BenchResult;
import org.starling.compute.cluster.ClusterBench;

/** {@code bench}: measures. The benches are found through {@link ServiceLoader}. */
final class BenchCommand extends Command {
    BenchCommand() {
        super(
                "bench",
                "",
                "Measures messages, chunks, or the recovery of chunks or of a job when processes are"
                        + " killed.");
    }

    @Override
    String operands() {
        return String.join("|", names());
    }

    @Override
    Options options() {
        Options options = new Options();
        found(Bench.class)
                .forEach(bench -> BenchLine.addTo(options, bench.name(), bench.options()));
        ClusterBenchLine.addTo(options);
        return options;
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        String word = verb(line);
        Optional<ClusterBench> ofCluster =
                found(ClusterBench.class).stream()
                        .filter(bench -> bench.name().equals(word))
                        .findFirst();
        if (ofCluster.isPresent()) {
            return ClusterBenchLine.run(ofCluster.get(), line, terminal, interruption);
        }
        Bench bench =
                found(Bench.class).stream()
                        .filter(one -> one.name().equals(word))
                        .findFirst()
                        .orElseThrow(() -> unknown(word, names()));
        return run(bench, line, terminal, interruption);
    }

    private static ExitCode run(
            Bench bench, CommandLine line, Terminal terminal, Interruption interruption) {
        BenchChoices choices = BenchLine.choices(bench.name(), bench.options(), line, terminal);
        Thread runner = Thread.currentThread();
        interruption.onRequest(runner::interrupt, Settings.DEFAULT.get(Settings.CANCEL_TIMEOUT));
        BenchResult result =
                bench.run(
                        choices,
                        text -> terminal.err().println("bench " + bench.name() + ": " + text));
        terminal.print(line.hasOption(Commands.JSON), result.figures(), result.table());
        return ExitCode.DONE;
    }

    private static List<String> names() {
        return Stream.concat(
                        found(Bench.class).stream().map(Bench::name),
                        found(ClusterBench.class).stream().map(ClusterBench::name))
                .sorted()
                .toList();
    }

    private static <T> List<T> found(Class<T> type) {
        List<T> all = new ArrayList<>();
        ServiceLoader.load(type).forEach(all::add);
        return List.copyOf(all);
    }
}
