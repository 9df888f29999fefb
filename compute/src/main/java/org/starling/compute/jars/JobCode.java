package org.starling.compute.jars;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.InvalidInputException;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Task;

/**
 * What a job can name: the tasks, programs and edge sources of this process, and those of the job's
 * jars. Class names never come from input: only what service files register can be named.
 *
 * <p>All jars of a job are in one class loader, so that they see each other; above it is {@link
 * ApiLoader}. Immutable; any thread. Who has loaded it closes it, when nobody uses it any more.
 */
public final class JobCode implements AutoCloseable {
    private final List<UserJar> jars;
    private final @Nullable URLClassLoader loader;

    /** Those of the jars, in the order in which they were found. */
    private final List<JarTask> tasks = new ArrayList<>();

    private final SortedMap<String, ProgramFactory> programs = new TreeMap<>();
    private final SortedMap<String, EdgeSourceProvider> sources = new TreeMap<>();

    /** Who brings what, for people, by kind and name. */
    private final Map<String, String> origins = new HashMap<>();

    private JobCode(List<UserJar> jars, @Nullable URLClassLoader loader) {
        this.jars = jars;
        this.loader = loader;
        ClassLoader ours = Objects.requireNonNull(JobCode.class.getClassLoader());
        for (ProgramProvider provider : ServiceLoader.load(ProgramProvider.class, ours)) {
            addPrograms(provider);
        }
        for (EdgeSourceProvider provider : ServiceLoader.load(EdgeSourceProvider.class, ours)) {
            addSource(provider);
        }
    }

    private static final class BuiltIn {
        static final JobCode ALONE = new JobCode(List.of(), null);
    }

    /** What there is without jars; the same each time. */
    public static JobCode builtIn() {
        return BuiltIn.ALONE;
    }

    /**
     * Loads jars, and makes their providers: runs code of users on this thread.
     *
     * @throws InvalidInputException with one sentence if a provider can't be made, or names clash
     */
    public static JobCode load(List<UserJar> jars) {
        if (jars.isEmpty()) {
            return builtIn();
        }
        URL[] urls = jars.stream().map(JobCode::url).toArray(URL[]::new);
        URLClassLoader loader = new URLClassLoader("jars of a job", urls, ApiLoader.INSTANCE);
        JobCode code = new JobCode(List.copyOf(jars), loader);
        try {
            return JarTask.within(loader, code::withProviders);
        } catch (RuntimeException | Error refused) {
            code.close();
            throw refused;
        }
    }

    /** Digests of the jars, ascending. */
    public List<String> digests() {
        return jars.stream().map(UserJar::digest).sorted().toList();
    }

    /** Whether there are jars. */
    public boolean hasJars() {
        return loader != null;
    }

    /**
     * The tasks of this process and those of the jars.
     *
     * @throws InvalidInputException if two have the same name
     */
    public TaskCatalog tasks(TaskCatalog builtIn) {
        for (JarTask task : tasks) {
            String name = task.signature().name();
            builtIn.find(name)
                    .ifPresent(other -> {
                        throw clash("task", name, origin(other), origin(task.type()));
                    });
        }
        return builtIn.with(
                List.copyOf(tasks),
                new TaskCatalog.JarNames(
                        digests(),
                        without(builtIn().sources.keySet(), sources.keySet()),
                        without(builtIn().programs.keySet(), programs.keySet())));
    }

    private static Set<String> without(Set<String> some, Set<String> all) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
    }

    /**
     * What makes the program of that name.
     *
     * @throws InvalidInputException if there is none
     */
    public ProgramFactory program(String name) {
        return find(programs, name, "program");
    }

    /**
     * The edge source of that name.
     *
     * @throws InvalidInputException if there is none
     */
    public EdgeSourceProvider edgeSource(String name) {
        return find(sources, name, "edge source");
    }

    /**
     * Does something that calls code of users. Of jars it is called on a thread of its own, so that
     * what it leaves in variables of its thread goes with it.
     *
     * @param what it is, for the thread's name
     */
    public <R> R call(String what, Supplier<R> work) {
        return loader == null ? work.get() : new UserThread<>(what, loader, work).call();
    }

    /**
     * No class is loaded from the jars any more; those that are loaded stay while they are used.
     */
    @Override
    public void close() {
        if (loader != null) {
            try {
                loader.close();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    private JobCode withProviders() {
        each(Task.class, this::addTask);
        each(ProgramProvider.class, this::addPrograms);
        each(EdgeSourceProvider.class, this::addSource);
        return this;
    }

    private interface Adder<S> {
        void add(S provider);
    }

    /** Makes the providers of the jars; whatever goes wrong there is told as the jar's mistake. */
    private <S> void each(Class<S> service, Adder<S> adder) {
        try {
            for (ServiceLoader.Provider<S> found :
                    ServiceLoader.load(service, loader).stream().toList()) {
                make(service, found, adder);
            }
        } catch (ServiceConfigurationError missing) {
            throw new InvalidInputException(
                    "the jars can't be used: " + missing.getMessage(), missing);
        }
    }

    private <S> void make(Class<S> service, ServiceLoader.Provider<S> found, Adder<S> adder) {
        Class<?> type = found.type();
        if (!isOfJars(type)) {
            return;
        }
        try {
            adder.add(found.get());
        } catch (InvalidInputException refused) {
            throw refused;
        } catch (ServiceConfigurationError
                | RuntimeException
                | LinkageError
                | StackOverflowError broken) {
            Throwable cause =
                    broken instanceof ServiceConfigurationError && broken.getCause() != null
                            ? broken.getCause()
                            : broken;
            throw new InvalidInputException(
                    "%s, a %s, can't be made: %s; mend it and build the jar again"
                            .formatted(origin(type), service.getSimpleName(), told(cause)));
        }
    }

    /** The exception itself is not kept: its class would keep the loader. */
    private static String told(Throwable cause) {
        return cause.getClass().getName()
                + (cause.getMessage() == null ? "" : ": " + cause.getMessage());
    }

    private void addTask(Task task) {
        JarTask added = new JarTask(task, Objects.requireNonNull(loader));
        String name = added.signature().name();
        String other = origins.put("task " + name, origin(task));
        if (other != null) {
            throw clash("task", name, other, origin(task));
        }
        tasks.add(added);
    }

    private void addPrograms(ProgramProvider provider) {
        provider.programs()
                .forEach((name, factory) -> add(programs, name, factory, "program", provider));
    }

    private void addSource(EdgeSourceProvider provider) {
        add(sources, provider.name(), provider, "edge source", provider);
    }

    private <S> void add(
            SortedMap<String, S> known, String name, S service, String kind, Object provider) {
        String origin = origin(provider);
        String other = origins.put(kind + ' ' + name, origin);
        if (other != null) {
            throw clash(kind, name, other, origin);
        }
        known.put(name, service);
    }

    private String origin(Object provider) {
        return origin(provider.getClass());
    }

    /** Who brings a class, for people. */
    private String origin(Class<?> type) {
        return jars.stream()
                .filter(jar -> isOfJars(type) && isFrom(jar, type))
                .findFirst()
                .map(jar -> type.getName() + " of " + jar.name())
                .orElse(type.getName() + " of Starling");
    }

    private boolean isOfJars(Class<?> type) {
        return loader != null && loader.equals(type.getClassLoader());
    }

    private static boolean isFrom(UserJar jar, Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source != null && url(jar).equals(source.getLocation());
    }

    private static InvalidInputException clash(
            String kind, String name, String one, String another) {
        return new InvalidInputException(
                "the %s \"%s\" is brought by both %s and %s; give one of them another name"
                        .formatted(kind, name, one, another));
    }

    private static <S> S find(SortedMap<String, S> known, String name, String kind) {
        S service = known.get(name);
        if (service == null) {
            throw new InvalidInputException(
                    "there is no " + kind + " \"" + name + "\"; known are " + known.keySet());
        }
        return service;
    }

    private static URL url(UserJar jar) {
        try {
            return jar.file().toUri().toURL();
        } catch (MalformedURLException impossible) { // files have one
            throw new IllegalStateException(impossible);
        }
    }
}
