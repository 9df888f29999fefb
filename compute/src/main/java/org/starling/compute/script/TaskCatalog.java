package org.starling.compute.script;

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

    private TaskCatalog(Iterable<Task> tasks) {
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
        return new TaskCatalog(ServiceLoader.load(Task.class));
    }

    /** These tasks. */
    public static TaskCatalog of(Task... tasks) {
        return new TaskCatalog(List.of(tasks));
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
