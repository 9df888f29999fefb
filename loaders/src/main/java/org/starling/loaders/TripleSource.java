package org.starling.loaders;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/**
 * Reads N-Triples; see {@link TripleProvider}. The parts of all files come in their order. Several
 * threads read different parts at the same time.
 */
final class TripleSource implements EdgeSource, Oriented {
    /** The most bytes of a line that are looked at again to say where its mistake is. */
    static final int MAX_SHOWN_BYTES = 1 << 20;

    private static final String COLUMNS = "columns";

    private final Parameters parameters;
    private final Kept<Opened> opened = new Kept<>(this::open);

    TripleSource(Parameters parameters) {
        this.parameters = parameters;
    }

    private record Opened(List<TextFile> files, Sample sample) {}

    private Opened open() throws IOException {
        List<TextFile> files = new ArrayList<>();
        for (String name : names()) {
            files.add(TextFile.open(SourceOptions.file(parameters, name)));
        }
        Sample sample = new Sample();
        for (TextFile file : files) {
            sample.look(file, files.size());
        }
        return new Opened(List.copyOf(files), sample);
    }

    private List<String> names() {
        return SourceOptions.names(parameters, EdgeListSource.FILES, "file");
    }

    /**
     * Labels of blank nodes mean something in their file alone: those of the second file and of
     * later ones get its number in front.
     */
    private static byte[] blankPrefix(int file) {
        return (file == 0 ? "" : file + 1 + ":").getBytes(StandardCharsets.US_ASCII);
    }

    private boolean hasPredicate() {
        boolean has = true;
        for (String column :
                parameters.has(COLUMNS) ? parameters.texts(COLUMNS) : List.<String>of()) {
            has &= !column.equals("predicate:none");
            if (has && !column.equals("predicate:string")) {
                throw new InvalidInputException(
                        "\"columns\" has \"%s\", and triples have one column, \"predicate\", which is a string; say \"predicate\": \"none\" to leave it out"
                                .formatted(column));
            }
        }
        return has;
    }

    @Override
    public boolean directed() {
        return true;
    }

    @Override
    public SourceDescription describe() throws IOException {
        Opened graph = opened.get();
        boolean predicates = hasPredicate();
        Sample sample = graph.sample;
        return new SourceDescription(
                graph.files.stream().mapToInt(TextFile::parts).sum(),
                false,
                0,
                sample.vertices(),
                sample.edges(),
                false,
                List.of(),
                predicates ? List.of(TripleReader.PREDICATE) : List.of(),
                sample.idBytes() + (predicates ? sample.predicateBytes : 0),
                true);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        List<TextFile> files = opened.get().files;
        int left = part;
        for (int i = 0; i < files.size(); i++) {
            if (left < files.get(i).parts()) {
                return reader(files.get(i), i, BadLines.isSkip(parameters)).read(left, sink);
            }
            left -= files.get(i).parts();
        }
        throw new IllegalArgumentException("there is no part " + part);
    }

    private TripleReader reader(TextFile file, int index, boolean skips) {
        return new TripleReader(file, blankPrefix(index), hasPredicate(), skips);
    }

    @Override
    public void check(List<PartSummary> parts) {
        if (parts.stream().mapToLong(PartSummary::entries).sum() == 0) {
            long others = parts.stream().mapToLong(PartSummary::skipped).sum();
            throw new InvalidInputException(
                    "%s: there is no triple in the file whose object is a vertex%s"
                            .formatted(
                                    names().getFirst(),
                                    others == 0
                                            ? ""
                                            : ", only %d lines with literals or mistakes"
                                                    .formatted(others)));
        }
    }

    /** Lines that make no sense first, of which somebody may want to know more. */
    @Override
    public List<String> explainSkipped(List<PartSummary> parts) throws IOException {
        List<String> reasons = new ArrayList<>();
        explain(parts, false, reasons);
        explain(parts, true, reasons);
        return reasons;
    }

    private void explain(List<PartSummary> parts, boolean ofLiterals, List<String> reasons)
            throws IOException {
        int part = 0;
        List<TextFile> files = opened.get().files;
        for (int file = 0; file < files.size(); file++) {
            TripleReader reader = reader(files.get(file), file, false);
            for (int i = 0; i < files.get(file).parts(); i++) {
                for (long offset : parts.get(part).firstSkipped()) {
                    if (reasons.size() == PartSummary.MAX_FIRST_SKIPPED) {
                        return;
                    }
                    String reason = reader.explain(offset, ofLiterals);
                    if (reason != null) {
                        reasons.add(reason);
                    }
                }
                part++;
            }
        }
    }

    /** What files probably hold, from some of their lines; exact for small ones. */
    private static final class Sample {
        private final LongArrayList ends = new LongArrayList();
        private final LongOpenHashSet predicates = new LongOpenHashSet();
        private final TripleLine line = new TripleLine(new byte[0]);
        private long triples;
        private long linked;
        private long endBytes;
        private long seenBytes;
        private long textBytes;
        private long predicateBytes;

        void look(TextFile file, int files) throws IOException {
            long before = seenBytes;
            long windows = Math.max(1, EdgeListSample.WINDOWS / files);
            long window = EdgeListSample.WINDOW_BYTES;
            boolean all = false;
            if (file.isPacked() || file.fileBytes() <= windows * window) {
                try (ByteCursor cursor = file.cursor()) {
                    look(cursor, file.isPacked() ? EdgeListSample.PACKED_BYTES : Long.MAX_VALUE);
                    all = cursor.peek() == ByteCursor.END;
                }
            } else {
                long step = (file.fileBytes() - window) / Math.max(1, windows - 1);
                for (long start = 0, i = 0; i < windows; i++, start += step) {
                    try (ByteCursor cursor = file.cursorOnLineFrom(start)) {
                        look(cursor, start + window);
                    }
                }
            }
            long seen = seenBytes - before;
            textBytes += all ? seen : file.likelyTextBytes(seen);
        }

        private void look(ByteCursor cursor, long end) throws IOException {
            long start = cursor.offset();
            TripleReader.read(cursor, end, (at, _) -> look(at));
            seenBytes += cursor.offset() - start;
        }

        /** A line that makes no sense is left to whoever reads the file. */
        private void look(ByteCursor cursor) throws IOException {
            if (!line.read(cursor)) {
                return;
            }
            triples++;
            add(line.subject());
            if (!line.isLiteral()) {
                linked++;
                add(line.object());
                if (predicates.add(line.predicate().hash())) {
                    predicateBytes += line.predicate().length();
                }
            }
        }

        private void add(TripleTerm term) {
            ends.add(term.hash());
            endBytes += term.length();
        }

        private double scale() {
            return Math.max(1, (double) textBytes / Math.max(1, seenBytes));
        }

        long edges() {
            return Math.round(linked * scale());
        }

        long vertices() {
            return DistinctIds.estimate(ends.toLongArray(), scale(), Math.round(triples * scale()));
        }

        long idBytes() {
            return ends.isEmpty() ? 0 : vertices() * endBytes / ends.size();
        }
    }
}
