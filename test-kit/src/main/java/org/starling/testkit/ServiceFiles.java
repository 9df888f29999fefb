package org.starling.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.InvalidInputException;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Task;

/**
 * The files {@code META-INF/services/…} by which a cluster finds the tasks, programs and edge
 * sources of a job: a class that none of them names is not there in production, however well its
 * tests go.
 *
 * <pre>{@code
 * @Test
 * void namesAllServices() {
 *     ServiceFiles.assertComplete();
 * }
 * }</pre>
 */
public final class ServiceFiles {
    private static final List<Class<?>> SERVICES =
            List.of(Task.class, ProgramProvider.class, EdgeSourceProvider.class);

    /** Most classes that are looked at. */
    private static final int MAX_CLASSES = 20_000;

    private static final String CLASS = ".class";

    private ServiceFiles() {}

    /**
     * Requires that service files name every class of the folders on the class path that is a
     * service, and only such. Classes of tests count, too.
     *
     * @throws AssertionError with a line to write for each class that is missing
     */
    public static void assertComplete() {
        List<String> problems = new ArrayList<>(missing(SERVICES));
        for (Class<?> service : SERVICES) {
            try {
                ServiceLoader.load(service).forEach(found -> {});
            } catch (ServiceConfigurationError wrong) {
                problems.add(String.valueOf(wrong.getMessage()));
            }
        }
        if (!problems.isEmpty()) {
            throw new AssertionError(String.join(System.lineSeparator(), problems));
        }
    }

    /** The same exception, with what is probably wrong if something can't be found by its name. */
    static InvalidInputException explain(InvalidInputException e) {
        String message = String.valueOf(e.getMessage());
        List<String> missing =
                message.startsWith("there is no program \"")
                        ? missing(List.of(ProgramProvider.class))
                        : message.startsWith("there is no edge source \"")
                                ? missing(List.of(EdgeSourceProvider.class))
                                : List.of();
        return missing.isEmpty()
                ? e
                : new InvalidInputException(message + ". " + String.join("; ", missing), e);
    }

    /** A sentence for each class that is a service and that nobody would find. */
    private static List<String> missing(List<Class<?>> services) {
        List<String> problems = new ArrayList<>();
        for (Path root : folders()) {
            try (Stream<Path> files = Files.walk(root)) {
                files.filter(file -> file.toString().endsWith(CLASS))
                        .limit(MAX_CLASSES)
                        .forEach(file -> look(file, services, problems));
            } catch (IOException e) {
                throw new UncheckedIOException("can't look through " + root, e);
            }
        }
        return problems;
    }

    private static void look(Path file, List<Class<?>> services, List<String> problems) {
        ClassModel model;
        try {
            model = ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException("can't read " + file, e);
        }
        if (model.flags().has(AccessFlag.ABSTRACT)) {
            return;
        }
        String name = model.thisClass().asInternalName().replace('/', '.');
        for (Class<?> service : services) {
            String wanted = service.getName().replace('.', '/');
            boolean isService =
                    model.interfaces().stream().anyMatch(i -> i.asInternalName().equals(wanted));
            if (isService && !listed(service).contains(name)) {
                problems.add(
                        "no cluster finds %s, because no service file names it: add the line \"%s\" to src/main/resources/META-INF/services/%s"
                                .formatted(name, name, service.getName()));
            }
        }
    }

    /** Names of the classes that service files give. */
    private static Set<String> listed(Class<?> service) {
        Set<String> names = new HashSet<>();
        for (URL file : resources("META-INF/services/" + service.getName())) {
            try (InputStream stream = file.openStream()) {
                new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.replaceFirst("#.*", "").strip())
                        .forEach(names::add);
            } catch (IOException e) {
                throw new UncheckedIOException("can't read " + file, e);
            }
        }
        return names;
    }

    /** Folders of classes; jars are of others. */
    private static List<Path> folders() {
        return resources("").stream()
                .filter(url -> url.getProtocol().equals("file"))
                .map(url -> Path.of(URI.create(url.toString())))
                .filter(Files::isDirectory)
                .toList();
    }

    private static List<URL> resources(String name) {
        try {
            return Collections.list(ServiceFiles.class.getClassLoader().getResources(name));
        } catch (IOException e) {
            throw new UncheckedIOException("can't look for " + name, e);
        }
    }
}
