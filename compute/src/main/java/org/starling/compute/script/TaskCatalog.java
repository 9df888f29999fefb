package org.starling.compute.script;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import org.starling.graph.Task;
import org.starling.graph.TaskSignature;

/** The tasks that scripts can name. Immutable. */
public final class TaskCatalog {
    private final Map<String, Task> tasks = new TreeMap<>();
    private final List<String> jars;

    private TaskCatalog(Iterable<Task> tasks, List<String> jars) {
        this.jars = List.copyOf(jars);
        for (Task task : tasks) {
            String name = task.signature().name();
            Task other = this.tasks.put(name, task);
            if (other != null) {
                throw new IllegalStateException(
                        "task \"%s\" is brought by both %s and %s"
                                .formatted(name, other.getClass(), task.getClass()));
            }
        }
    }

    /** All tasks that {@link ServiceLoader} finds on the class path. */
    public static TaskCatalog onClassPath() {
        return new TaskCatalog(
                ServiceLoader.load(Task.class, TaskCatalog.class.getClassLoader()), List.of());
    }

    /** These tasks. */
    public static TaskCatalog of(Task... tasks) {
        return new TaskCatalog(List.of(tasks), List.of());
    }

    /**
     * These tasks and others, which jars bring.
     *
     * @param digests of the jars
     */
    public TaskCatalog with(List<Task> others, List<String> digests) {
        List<Task> all = new ArrayList<>(tasks.values());
        all.addAll(others);
        return new TaskCatalog(all, digests);
    }

    /** Digests of the jars that some of the tasks are from. */
    public List<String> jars() {
        return jars;
    }

    /** The task of that name. */
    public Optional<Task> find(String name) {
        return Optional.ofNullable(tasks.get(name));
    }

    /** All names in alphabetical order. */
    public Set<String> names() {
        return Collections.unmodifiableSet(tasks.keySet());
    }

    /** All signatures in the order of their names. */
    public Collection<TaskSignature> signatures() {
        return tasks.values().stream().map(Task::signature).toList();
    }
}
