package org.starling.compute.internal.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.starling.store.ChunkId;
import org.starling.store.NameService;

/**
 * Chunks that were made for an attempt of a job, as a name in the directory says it. The name is
 * there before any backup has heard of them, and goes when they are removed, or sure to stay. So it
 * outlives whoever has made them, and even all peers. Immutable.
 *
 * @param job the job
 * @param kind what they are
 * @param attempt number of the build or checkpoint
 * @param maker node that has made them
 * @param ranges 1 to {@value #MAX_RANGES}, all of one zone
 */
public record MadeRecord(long job, Kind kind, long attempt, int maker, List<Range> ranges) {
    /** So many ranges fit into a name. */
    public static final int MAX_RANGES = 7;

    private static final String RANGE = "[0-9a-f]{1,16}\\+[0-9]{1,9}";
    private static final Pattern NAME =
            Pattern.compile(
                    "job/(\\d{1,8})/(build|checkpoint)/(\\d{1,19})/(\\d{1,5})/("
                            + RANGE
                            + "(?:,"
                            + RANGE
                            + ")*)");

    /** What chunks are made for. */
    public enum Kind {
        /** The rows of a graph. */
        BUILD,
        /** States, the middle of a run, or another version of a graph. */
        CHECKPOINT;

        private String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Consecutive ids. */
    public record Range(long first, int count) {
        /** The longest that shorter ones are joined to. */
        static final int MAX_COUNT = 1 << 20;

        private long zone() {
            return ChunkId.zone(first);
        }

        private boolean isBefore(Range next) {
            return first + count == next.first
                    && zone() == next.zone()
                    && count + (long) next.count <= MAX_COUNT;
        }

        private boolean has(long chunk) {
            return chunk >= first && chunk < first + count;
        }

        /** The same ids in as few ranges as there can be. */
        public static List<Range> joined(List<Range> ranges) {
            List<Range> joined = new ArrayList<>();
            ranges.stream()
                    .sorted((a, b) -> Long.compare(a.first, b.first))
                    .forEach(next -> {
                        if (!joined.isEmpty() && joined.getLast().isBefore(next)) {
                            Range last = joined.removeLast();
                            joined.add(new Range(last.first, last.count + next.count));
                        } else {
                            joined.add(next);
                        }
                    });
            return joined;
        }
    }

    /** Records of as many ranges as there are, in order. */
    public static List<MadeRecord> of(
            long job, Kind kind, long attempt, int maker, List<Range> ranges) {
        List<MadeRecord> records = new ArrayList<>();
        int start = 0;
        for (int end = 1; end <= ranges.size(); end++) {
            boolean isLast =
                    end == ranges.size()
                            || end - start == MAX_RANGES
                            || ranges.get(end).zone() != ranges.get(start).zone();
            if (isLast) {
                records.add(new MadeRecord(job, kind, attempt, maker, ranges.subList(start, end)));
                start = end;
            }
        }
        return records;
    }

    /** What a name says; empty if it is one of something else. */
    public static Optional<MadeRecord> of(String name) {
        Matcher match = NAME.matcher(name);
        if (!match.matches()) {
            return Optional.empty();
        }
        List<Range> ranges = new ArrayList<>();
        for (String range : match.group(5).split(",", -1)) {
            String[] parts = range.split("\\+", -1);
            ranges.add(new Range(Long.parseUnsignedLong(parts[0], 16), Integer.parseInt(parts[1])));
        }
        return Optional.of(
                new MadeRecord(
                        Long.parseLong(match.group(1)),
                        Kind.valueOf(match.group(2).toUpperCase(Locale.ROOT)),
                        Long.parseLong(match.group(3)),
                        Integer.parseInt(match.group(4)),
                        List.copyOf(ranges)));
    }

    /** How the names of a job's records of a kind begin. */
    static String prefix(long job, Kind kind) {
        return "job/" + job + "/" + kind.text() + "/";
    }

    /** The name in the directory, of at most {@value NameService#MAX_NAME_BYTES} bytes. */
    public String name() {
        return prefix(job, kind)
                + attempt
                + "/"
                + maker
                + ranges.stream()
                        .map(range -> Long.toHexString(range.first) + "+" + range.count)
                        .collect(Collectors.joining(",", "/", ""));
    }

    /** Whether a chunk is one of them. */
    boolean has(long chunk) {
        return ranges.stream().anyMatch(range -> range.has(chunk));
    }
}
