package org.starling.algorithms.walks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.StringTokenizer;
import org.starling.algorithms.chance.SplitMix;
import org.starling.algorithms.orientation.Sample;
import org.starling.graph.GraphSession;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.TextId;

/**
 * What a file of walks says, read once from its beginning: how much there is in it, and a sample of
 * its steps.
 *
 * @param lines number of walks
 * @param steps number of steps
 * @param ends two ordinals and a draw for each sampled step: from where, where to, and by which
 *     random bits
 * @param sinks ordinals of last vertices of sampled walks that were cut short
 */
record WalkFile(long lines, long steps, List<Long> ends, List<Long> sinks) {
    /** Expected number of walks of which something is looked at. */
    static final int SAMPLED_WALKS = 64;

    /** Steps of a sampled walk that are looked at, from its beginning. */
    private static final int SAMPLED_STEPS = 16;

    private static final long SAMPLE_SEED = 20_260_101L;

    /**
     * Reads a file.
     *
     * @throws JobFailedException if it cannot be read, or a line is longer than a walk or has
     *     something that is no vertex of the graph
     */
    static WalkFile read(
            GraphSession session, String graph, RandomWalks.Options options, Path file) {
        Sample sample = new Sample(SAMPLE_SEED);
        long expected = session.info(graph).vertices() * options.walksPerVertex();
        long oneIn = Math.max(1, expected / SAMPLED_WALKS);
        long lines = 0;
        long steps = 0;
        List<Long> ends = new ArrayList<>();
        List<Long> sinks = new ArrayList<>();
        boolean textIds = session.info(graph).textIds();
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                List<String> all = textIds ? TextId.fields(whole(line, reader)) : words(line);
                Iterator<String> words = all.iterator();
                int count = all.size() - 1;
                if (count < 0 || count > options.length()) {
                    throw refusal(graph, "line %d has %d steps".formatted(lines + 1, count));
                }
                if (sample.takes(lines, oneIn)) {
                    long last = take(session, graph, options, words, lines, count, ends);
                    if (count < options.length() && count <= SAMPLED_STEPS) {
                        sinks.add(last);
                    }
                }
                lines++;
                steps += count;
            }
        } catch (IOException e) {
            throw new JobFailedException("cannot read " + file + " to check it", e);
        }
        return new WalkFile(lines, steps, ends, sinks);
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        for (StringTokenizer all = new StringTokenizer(line, " "); all.hasMoreTokens(); ) {
            words.add(all.nextToken());
        }
        return words;
    }

    /** The line with those behind it, as long as quotation marks are open. */
    private static String whole(String line, BufferedReader reader) throws IOException {
        StringBuilder whole = new StringBuilder(line);
        String next = "";
        while (next != null && whole.chars().filter(c -> c == '"').count() % 2 == 1) {
            next = reader.readLine();
            whole.append('\n').append(next == null ? "" : next);
        }
        return whole.toString();
    }

    private static long take(
            GraphSession session,
            String graph,
            RandomWalks.Options options,
            Iterator<String> words,
            long line,
            int count,
            List<Long> ends) {
        long from = ordinal(session, graph, words.next());
        if (from != line / options.walksPerVertex()) {
            throw refusal(graph, "line %d begins at another vertex".formatted(line + 1));
        }
        long walk = line % options.walksPerVertex();
        long key = WalkProgram.key(options.seed(), session.id(graph, from), walk);
        for (int step = 0; step < Math.min(count, SAMPLED_STEPS); step++) {
            long to = ordinal(session, graph, words.next());
            ends.add(from);
            ends.add(to);
            ends.add(SplitMix.at(key, step));
            from = to;
        }
        return from;
    }

    private static long ordinal(GraphSession session, String graph, String word) {
        try {
            long id =
                    session.info(graph).textIds()
                            ? session.numbers(graph, List.of(word))[0]
                            : Long.parseUnsignedLong(word);
            return session.ordinal(graph, id);
        } catch (NumberFormatException | InvalidInputException e) {
            throw new JobFailedException(
                    "random walks of graph \"%s\" failed their check: %s is no vertex"
                            .formatted(graph, word),
                    e);
        }
    }

    private static JobFailedException refusal(String graph, String broken) {
        return new JobFailedException(
                "random walks of graph \"%s\" failed their check: %s".formatted(graph, broken));
    }
}
