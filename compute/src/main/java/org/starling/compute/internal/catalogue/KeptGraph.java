package org.starling.compute.internal.catalogue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.StoredProperty;
import org.starling.graph.InvalidInputException;

/**
 * A graph that outlives jobs.
 *
 * @param name its name
 * @param descriptor chunk of its descriptor
 * @param vertices number of vertices
 * @param edges number of edges; an undirected edge counts once
 * @param directed whether edges have a direction
 * @param weighted whether edges have weights
 * @param bytes memory of its rows, ids and dictionaries of strings
 * @param zones a chunk of each zone that it lies in
 * @param properties columns that the graph was made with
 * @param columns published columns, in the order of their names
 * @param created when it was made, for people
 * @param lastUsed when a job has begun to use it last, for people
 * @param origin what made it
 * @param users jobs that use it; those that have ended do not count
 * @param textIds true if original ids are texts; else null, as older versions have written it
 */
public record KeptGraph(
        String name,
        long descriptor,
        long vertices,
        long edges,
        boolean directed,
        boolean weighted,
        long bytes,
        List<Long> zones,
        List<StoredProperty> properties,
        List<KeptColumn> columns,
        String created,
        String lastUsed,
        Origin origin,
        List<Long> users,
        @Nullable Boolean textIds) {
    /** The most columns of a graph. */
    static final int MAX_COLUMNS = 1000;

    /**
     * What made a graph: a task that is done again finds what it made before.
     *
     * @param job the job; 0 if it was no job's
     * @param task its task
     * @param selfLoops edges dropped: both ends were the same
     * @param duplicates edges dropped: there was an equal one
     * @param readSeconds time until its edges were read
     * @param constructionSeconds time from then until it stood
     */
    public record Origin(
            long job,
            int task,
            long selfLoops,
            long duplicates,
            double readSeconds,
            double constructionSeconds) {}

    /** Copies the lists. */
    public KeptGraph {
        zones = List.copyOf(zones);
        properties = List.copyOf(properties);
        columns = List.copyOf(columns);
        users = List.copyOf(users);
    }

    /** The same under another name. */
    public KeptGraph named(String newName) {
        return with(newName, columns, lastUsed, users);
    }

    /** The same with a user more. */
    public KeptGraph usedBy(long job, String now) {
        List<Long> more = new ArrayList<>(users);
        if (!more.contains(job)) {
            more.add(job);
        }
        return with(name, columns, now, more);
    }

    /** The same with these users. */
    public KeptGraph withUsers(List<Long> some) {
        return with(name, columns, lastUsed, some);
    }

    /** The same with a column, perhaps instead of another one. */
    public KeptGraph with(KeptColumn column) {
        List<KeptColumn> more = new ArrayList<>(columns);
        more.removeIf(older -> older.name().equals(column.name()));
        more.add(column);
        if (more.size() > MAX_COLUMNS) {
            throw new InvalidInputException(
                    "graph \"%s\" has %d columns, and can't have more"
                            .formatted(name, MAX_COLUMNS));
        }
        more.sort((a, b) -> a.name().compareTo(b.name()));
        return with(name, more, lastUsed, users);
    }

    /** The column of that name. */
    public Optional<KeptColumn> column(String column) {
        return columns.stream().filter(one -> one.name().equals(column)).findFirst();
    }

    /** Names of all columns of vertices: properties, and published columns. */
    public List<String> columnNames() {
        return Stream.concat(
                        properties.stream()
                                .filter(property -> !property.ofEdges())
                                .map(StoredProperty::name),
                        columns.stream().map(KeptColumn::name))
                .toList();
    }

    /** Whether original ids are texts. */
    public boolean hasTextIds() {
        return Boolean.TRUE.equals(textIds);
    }

    /** Whether a task of a job has made it. */
    public boolean isMadeBy(long job, int task) {
        return job > 0 && origin.job() == job && origin.task() == task;
    }

    private KeptGraph with(
            String newName, List<KeptColumn> newColumns, String newUse, List<Long> newUsers) {
        return new KeptGraph(
                newName,
                descriptor,
                vertices,
                edges,
                directed,
                weighted,
                bytes,
                zones,
                properties,
                newColumns,
                created,
                newUse,
                origin,
                newUsers,
                textIds);
    }
}
