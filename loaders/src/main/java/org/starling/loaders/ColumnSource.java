package org.starling.loaders;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.PropertyType;
import org.starling.graph.SourceDescription;
import org.starling.loaders.table.ColumnFile;
import org.starling.loaders.table.TableBatch;
import org.starling.loaders.table.TableFormat;

/**
 * Reads tables of edges from files that store them by columns, and tables of vertices beside them;
 * see {@link ParquetProvider}. A part is a group of rows, or some where there are very many. The
 * parts of edges come first. Several threads read different parts at the same time.
 */
final class ColumnSource implements EdgeSource {
    private static final String FILES = EdgeListSource.FILES;
    private static final String FILE = "file";
    private static final String VERTICES = "vertices";
    private static final int MAX_PARTS = 1 << 16;

    /** Groups that are looked at to estimate how many vertices there are, and rows of each. */
    private static final int SAMPLE_GROUPS = 32;

    private static final int SAMPLE_ROWS = 1 << 13;

    private final Parameters parameters;
    private final TableFormat format;
    private final boolean textIds;
    private final Kept<Opened> opened = new Kept<>(this::open);

    ColumnSource(Parameters parameters, TableFormat format) {
        this.parameters = parameters;
        this.format = format;
        this.textIds = SourceOptions.hasTextIds(parameters);
    }

    /** Files that exist, and their groups, one behind the other. */
    private record Opened(
            List<ColumnRoles> edges, List<ColumnRoles> vertices, List<Place> groups) {}

    /** A group of a file. */
    private record Place(ColumnRoles roles, int group) {}

    private Opened open() throws IOException {
        List<ColumnRoles> vertices = new ArrayList<>();
        Set<String> elsewhere = new HashSet<>();
        if (parameters.has(VERTICES)) {
            for (String name : SourceOptions.names(parameters, VERTICES, VERTICES)) {
                ColumnFile file = file(name);
                vertices.add(ColumnRoles.ofVertices(file, parameters));
                file.columns().forEach(column -> elsewhere.add(column.name()));
            }
        }
        List<ColumnRoles> edges = new ArrayList<>();
        for (String name : SourceOptions.names(parameters, FILES, FILE)) {
            edges.add(ColumnRoles.ofEdges(file(name), parameters, elsewhere));
        }
        requireSameColumns(edges);
        requireSameColumns(vertices);
        List<Place> groups = new ArrayList<>();
        for (List<ColumnRoles> files : List.of(edges, vertices)) {
            for (ColumnRoles roles : files) {
                for (int group = 0; group < roles.file().groups(); group++) {
                    groups.add(new Place(roles, group));
                }
            }
        }
        return new Opened(List.copyOf(edges), List.copyOf(vertices), List.copyOf(groups));
    }

    private ColumnFile file(String name) throws IOException {
        Path path = Path.of(name);
        if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
            throw new InvalidInputException(
                    path + ": there is no such file that can be read (check the path)");
        }
        return ColumnFile.open(path, format);
    }

    private static void requireSameColumns(List<ColumnRoles> files) {
        for (ColumnRoles roles : files) {
            ColumnRoles first = files.getFirst();
            if (!roles.properties().equals(first.properties())
                    || (roles.weight() < 0) != (first.weight() < 0)) {
                throw new InvalidInputException(
                        "%s: its columns differ from those of %s, and both are one table (give them the same columns)"
                                .formatted(roles.file().path(), first.file().path()));
            }
        }
    }

    @Override
    public SourceDescription describe() throws IOException {
        Opened files = opened.get();
        long edges = files.edges.stream().mapToLong(one -> one.file().rows()).sum();
        long named = files.vertices.stream().mapToLong(one -> one.file().rows()).sum();
        Sample ofEdges = new Sample(textIds);
        for (ColumnRoles roles : files.edges) {
            ofEdges.look(roles, Math.max(1, SAMPLE_GROUPS / files.edges.size()));
        }
        Sample ofVertices = new Sample(textIds);
        for (ColumnRoles roles : files.vertices) {
            ofVertices.look(roles, Math.max(1, SAMPLE_GROUPS / files.vertices.size()));
        }
        long vertices = Math.max(ofEdges.vertices(edges), named);
        return new SourceDescription(
                parts(files),
                false,
                0,
                vertices,
                edges,
                files.edges.getFirst().weight() >= 0,
                files.vertices.isEmpty() ? List.of() : files.vertices.getFirst().properties(),
                files.edges.getFirst().properties(),
                ofEdges.stringBytes(edges)
                        + ofVertices.stringBytes(named)
                        + ofEdges.idBytes(vertices),
                textIds);
    }

    private static int parts(Opened files) {
        return Math.clamp(files.groups.size(), 1, MAX_PARTS);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        Opened files = opened.get();
        long groups = files.groups.size();
        int parts = parts(files);
        int end = (int) ((part + 1) * groups / parts);
        long[] counts = {0, 0};
        for (int i = (int) (part * groups / parts); i < end; i++) {
            Place place = files.groups.get(i);
            ColumnRoles roles = place.roles;
            ColumnRows rows = new ColumnRows(roles, sink, textIds);
            roles.file()
                    .read(
                            place.group,
                            roles.wanted(),
                            (batch, firstRow) -> {
                                rows.give(batch, firstRow);
                                counts[roles.ends().size() - 1] += batch.rows();
                                return true;
                            });
        }
        return new PartSummary(counts[0] + counts[1], counts[0], counts[1], 0);
    }

    @Override
    public void check(List<PartSummary> parts) {
        if (parts.stream().mapToLong(PartSummary::entries).sum() == 0) {
            throw new InvalidInputException(
                    SourceOptions.names(parameters, FILES, FILE).getFirst()
                            + ": there is no edge in the file");
        }
    }

    /** Rows that were looked at to guess what all have. Confined to one thread. */
    private static final class Sample {
        private final boolean textIds;
        private final LongArrayList ends = new LongArrayList();
        private final Map<String, Boolean> strings = new HashMap<>();
        private long rows;
        private long idBytes;

        Sample(boolean textIds) {
            this.textIds = textIds;
        }

        void look(ColumnRoles roles, int groups) throws IOException {
            int all = roles.file().groups();
            int looks = Math.min(all, groups);
            for (int i = 0; i < looks; i++) {
                int group = (int) ((long) i * all / looks);
                roles.file()
                        .read(
                                group,
                                roles.wanted(),
                                (batch, _) -> {
                                    look(roles, batch);
                                    return false;
                                });
            }
        }

        private void look(ColumnRoles roles, TableBatch batch) {
            int some = Math.min(batch.rows(), SAMPLE_ROWS);
            rows += some;
            for (int row = 0; row < some; row++) {
                for (int end = 0; end < roles.ends().size(); end++) {
                    if (!roles.isText(end)) {
                        ends.add(batch.bits(end, row));
                        idBytes += textIds ? Long.BYTES : 0;
                    } else {
                        String text = batch.text(end, row);
                        ends.add(Mix64.mix(text.hashCode()));
                        idBytes += text.length();
                    }
                }
                for (int i = 0; i < roles.properties().size(); i++) {
                    if (roles.properties().get(i).type() == PropertyType.STRING) {
                        strings.merge(
                                i + " " + batch.text(roles.firstProperty() + i, row),
                                false,
                                (_, _) -> true);
                    }
                }
            }
        }

        long vertices(long edges) {
            return DistinctIds.estimate(ends.toLongArray(), scale(edges), edges);
        }

        long idBytes(long vertices) {
            return !textIds || ends.isEmpty() ? 0 : vertices * idBytes / ends.size();
        }

        /** One seen once stands for others, one seen more often for itself. */
        long stringBytes(long all) {
            ToLongFunction<Map.Entry<String, Boolean>> bytes =
                    seen -> Math.round(seen.getKey().length() * (seen.getValue() ? 1 : scale(all)));
            return strings.entrySet().stream().mapToLong(bytes).sum();
        }

        private double scale(long all) {
            return rows == 0 ? 1 : Math.max(1, (double) all / rows);
        }
    }
}
