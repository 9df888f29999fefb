package org.starling.compute.jars;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.graph.Task;

/**
 * What jars of users see beside themselves: the JDK, {@code org.starling.graph} and the annotations
 * of JSpecify. Everything else of this process, its libraries included, is not there for them, so
 * that they can bring their own versions. One for all.
 */
final class ApiLoader extends ClassLoader {
    static final ApiLoader INSTANCE = new ApiLoader();

    private static final List<String> SHOWN =
            List.of("org.starling.graph.", "org.jspecify.annotations.");

    private final ClassLoader ours = Objects.requireNonNull(Task.class.getClassLoader());

    static {
        registerAsParallelCapable();
    }

    private ApiLoader() {
        super("graph-api", ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        int end = name.lastIndexOf('.') + 1;
        if (SHOWN.contains(name.substring(0, end))) {
            return ours.loadClass(name);
        }
        throw new ClassNotFoundException(name + " (jobs see the JDK and org.starling.graph)");
    }

    /** Classes are shown, files are not: service files of this process name its own providers. */
    @Override
    protected @Nullable URL findResource(String name) {
        return null;
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        return Collections.emptyEnumeration();
    }
}
