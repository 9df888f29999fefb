package org.starling.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.starling.graph.GraphSession;
import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.RunOptions;
import org.starling.graph.Task;

/**
 * Runs a job on a small graph inside the test's process, in every way in which it may come to run
 * on a cluster, and requires that it leaves the same each time: on 1, 3 and 5 peers, with messages
 * of different peers in any order, and with a peer lost after each superstep (of a longer job,
 * after 8 of them). What it left on the graph is the result, for {@link GraphAssert} to look at.
 *
 * <pre>{@code
 * GraphResult result = Trial.on(roads).run(() -> new ShortestPaths(1));
 * assertThat(result).vertex(3).has("distance", 1.5);
 * }</pre>
 *
 * <p>A peer holds 64 vertices at least, so a graph that can be known by heart lies on one peer, and
 * no message goes from peer to peer. A graph of fewer than 384 vertices that was written down is
 * therefore run as it is once, for the result, and all runs that are compared are on one that has
 * grown by a drawn part ({@link #withoutGrowing} turns that off).
 *
 * <p>Clusters are started for the first trial of a process (which takes a second or two) and kept.
 * Trials wait for each other; one of them is used once, by one thread.
 */
public final class Trial {
    /** Name of the graph that a job runs on. */
    public static final String GRAPH = "trial";

    /** Losses that are tried, unless said otherwise. */
    private static final int USUAL_LOSSES = 8;

    private static final int MAX_SUPERSTEPS = 10_000;

    private final TestGraph graph;
    private final SortedSet<String> ignored = new TreeSet<>();
    private int[] peers = {1, 3, 5};
    private boolean shuffles = true;
    private int maxLosses = USUAL_LOSSES;
    private boolean grows = true;
    private double tolerance;
    private int maxSupersteps = MAX_SUPERSTEPS;
    private Path folder = Path.of("");

    /** A job's own code, in place of a program or a task. */
    @FunctionalInterface
    public interface Driver {
        /**
         * Does the work.
         *
         * @param graph name of the graph of the trial
         * @return what is to be the same everywhere, besides the graph's states: numbers, texts,
         *     lists, maps, or anything with {@code equals}
         */
        Object drive(GraphSession session, String graph) throws IOException;
    }

    private Trial(TestGraph graph) {
        this.graph = graph;
    }

    /** A trial on this graph. */
    public static Trial on(TestGraph graph) {
        return new Trial(graph);
    }

    // how it runs

    /** Runs once, on one peer: for a first look. */
    public Trial once() {
        return onPeers(1).withoutShuffling().withoutLosses().withoutGrowing();
    }

    /** Runs on so many peers, one after the other, instead of 1, 3 and 5. */
    public Trial onPeers(int... counts) {
        if (counts.length == 0 || Arrays.stream(counts).anyMatch(count -> count < 1)) {
            throw new IllegalArgumentException("a trial runs on one peer or more");
        }
        peers = counts.clone();
        return this;
    }

    /** Delivers messages at once only. */
    public Trial withoutShuffling() {
        shuffles = false;
        return this;
    }

    /** Loses no peer. */
    public Trial withoutLosses() {
        return withLosses(0);
    }

    /** Tries so many losses at most, instead of 8: after each superstep, or spread over the job. */
    public Trial withLosses(int most) {
        maxLosses = most;
        return this;
    }

    /** Compares runs on the graph as it is, however small. */
    public Trial withoutGrowing() {
        grows = false;
        return this;
    }

    /** Ends the job as failed when a program has not ended after so many supersteps. */
    public Trial atMost(int supersteps) {
        maxSupersteps = supersteps;
        return this;
    }

    /** Lets numbers differ by so small a part of the larger one, or of 1: sums, for example. */
    public Trial within(double part) {
        tolerance = part;
        return this;
    }

    /** Lets these states differ. */
    public Trial ignoring(String... states) {
        ignored.addAll(List.of(states));
        return this;
    }

    /** Lets names of files in arguments start from here, not from the working directory. */
    public Trial inFolder(Path newFolder) {
        folder = newFolder;
        return this;
    }

    // what it runs

    /**
     * Runs a program that needs no provider.
     *
     * @param program makes a new instance each time that it is asked, by any thread
     * @throws AssertionError if it leaves something else in one of the runs that are compared
     */
    public GraphResult run(Supplier<? extends Program> program) {
        Parameters named = GivenPrograms.named(program);
        try {
            return run(GivenPrograms.NAME, named);
        } finally {
            GivenPrograms.forget(named);
        }
    }

    /**
     * Runs a program as scripts and tasks do: by the name that a provider gives it, which a service
     * file names.
     *
     * @throws org.starling.graph.InvalidInputException if there is none of that name, or it refuses
     *     its parameters
     * @throws AssertionError if it leaves something else in one of the runs that are compared
     */
    public GraphResult run(String program, Parameters parameters) {
        RunOptions options = new RunOptions(maxSupersteps, RunOptions.DEFAULT.outputs());
        return perform((session, variant) -> {
            session.run(GRAPH, program, parameters, options);
            return null;
        });
    }

    /**
     * Runs a task. Programs that it runs by name are found by their service file.
     *
     * @param arguments by name; defaults are filled in, and the graph of the trial where an
     *     argument wants a graph and gets none
     * @throws org.starling.graph.InvalidInputException if an argument is missing or unknown, or the
     *     task refuses it
     * @throws AssertionError if it leaves or returns something else in one of the runs that are
     *     compared
     */
    public GraphResult run(Task task, Parameters arguments) {
        Parameters complete = TaskArguments.complete(task.signature(), arguments);
        task.check(complete);
        return perform((session, variant) ->
                task.run(new TrialContext(session, variant.peers(), folder), complete).asMap());
    }

    /** Runs a driver. */
    public GraphResult drive(Driver driver) {
        return perform((session, variant) -> driver.drive(session, GRAPH));
    }

    private GraphResult perform(Performance.Work work) {
        Performance performance = new Performance(work);
        Stage.LOCK.lock();
        try {
            Performance.Outcome first = performance.on(graph, Variant.of(peers[0]));
            TestGraph wide = graph;
            Performance.Outcome expected = first;
            List<Variant> variants = variants();
            if (grows && graph.isTooSmallToSpread()) {
                wide = graph.grown(Stage.seed());
                expected = performance.again(wide, Variant.of(peers[0]));
            }
            for (Variant variant : variants) {
                compare(expected, performance.again(wide, variant));
            }
            for (int superstep : losses(expected.supersteps(), maxLosses)) {
                compare(expected, performance.again(wide, Variant.losing(superstep)));
            }
            return first.result();
        } finally {
            Stage.LOCK.unlock();
        }
    }

    private void compare(Performance.Outcome expected, Performance.Outcome found) {
        Difference.refuse(expected.result(), found.result(), ignored, tolerance);
    }

    private List<Variant> variants() {
        List<Variant> variants = new ArrayList<>();
        for (int i = 0; i < peers.length; i++) {
            if (i > 0) {
                variants.add(Variant.of(peers[i]));
            }
            if (shuffles && peers[i] > 1) {
                variants.add(Variant.shuffled(peers[i]));
            }
        }
        return variants;
    }

    /** Numbers of supersteps, counted from 1, behind each of which a peer is lost. */
    static int[] losses(int supersteps, int most) {
        int count = Math.min(supersteps, most);
        return IntStream.range(0, count)
                .map(i -> 1 + (int) ((long) i * supersteps / count))
                .toArray();
    }
}
