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
    private final JarNames jars;

    /**
     * What the jars of a job bring beside tasks.
     *
     * @param digests of the jars
     * @param edgeSources names
     * @param programs names
     */
    public record JarNames(List<String> digests, Set<String> edgeSources, Set<String> programs) {
        static final JarNames NONE = new JarNames(List.of(), Set.of(), Set.of());

        /** Copies the collections. */
        public JarNames {
            digests = List.copyOf(digests);
            edgeSources = Set.copyOf(edgeSources);
            programs = Set.copyOf(programs);
        }
    }

    private TaskCatalog(Iterable<Task> tasks, JarNames jars) {
        this.jars = jars;
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
                ServiceLoader.load(Task.class, TaskCatalog.class.getClassLoader()), JarNames.NONE);
    }

    /** These tasks. */
    public static TaskCatalog of(Task... tasks) {
        return new TaskCatalog(List.of(tasks), JarNames.NONE);
    }

    /**
     * These tasks and others, which jars bring.
     *
     * @param names what else the jars bring
     */
    public TaskCatalog with(List<Task> others, JarNames names) {
        List<Task> all = new ArrayList<>(tasks.values());
        all.addAll(others);
        return new TaskCatalog(all, names);
    }

    /** Digests of the jars that some of the tasks are from. */
    public List<String> jars() {
        return jars.digests();
    }

    /** What the jars bring beside tasks. */
    JarNames jarNames() {
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
