package org.starling.packages;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.starling.graph.InvalidInputException;

/**
 * A Java runtime with the modules that some libraries need and no others, linked by {@code jlink}
 * out of the JDK that this process runs on. Stateless.
 */
final class TrimmedRuntime {
    /** What is found by name at run time, or asked for by who looks after a process. */
    private static final List<String> UNSEEN =
            List.of("jdk.jcmd", "jdk.jfr", "jdk.net", "jdk.zipfs");

    /** Classes that a jar has for newer releases of Java. */
    private static final Pattern VERSIONED = Pattern.compile("META-INF/versions/(\\d+)/(.+)");

    private static final int RELEASE = Runtime.version().feature();

    private TrimmedRuntime() {}

    /**
     * Links one.
     *
     * @param jars on the class path of what runs on it
     * @param work an empty folder, in which it is made
     * @return its folder
     */
    static Path link(List<Path> jars, Path work) throws IOException {
        Path runtime = work.resolve("runtime");
        TreeSet<String> modules = new TreeSet<>(UNSEEN);
        modules.addAll(modules(jars, work.resolve("classes")));
        modules.removeIf(module -> ModuleFinder.ofSystem().find(module).isEmpty());
        run(
                "jlink",
                "--add-modules",
                String.join(",", modules),
                "--no-header-files",
                "--no-man-pages",
                // nobody draws; these would want libraries of a desktop
                "--exclude-files=/java.desktop/lib/**",
                "--output",
                runtime.toString());
        return runtime;
    }

    /**
     * The modules that the classes in some jars name. They are read out of one folder: descriptions
     * of modules in some of the jars ask for others that are no modules here.
     */
    private static List<String> modules(List<Path> jars, Path classes) throws IOException {
        for (Path jar : jars) {
            unpack(jar, classes);
        }
        String named =
                run(
                        "jdeps",
                        "--multi-release",
                        String.valueOf(RELEASE),
                        "--ignore-missing-deps",
                        "--print-module-deps",
                        classes.toString());
        return List.of(named.strip().split(","));
    }

    /** Classes of a jar as this release of Java sees them. */
    private static void unpack(Path jar, Path folder) throws IOException {
        record ClassFile(int release, String name, JarEntry entry) {}
        try (JarFile file = new JarFile(jar.toFile())) {
            List<ClassFile> classes = new ArrayList<>();
            for (JarEntry entry : file.stream().toList()) {
                Matcher versioned = VERSIONED.matcher(entry.getName());
                boolean newer = versioned.matches();
                String name = newer ? versioned.group(2) : entry.getName();
                int release = newer ? Integer.parseInt(versioned.group(1)) : 0;
                if (name.endsWith(".class")
                        && !name.endsWith("module-info.class")
                        && !name.startsWith("META-INF/")
                        && release <= RELEASE) {
                    classes.add(new ClassFile(release, name, entry));
                }
            }
            classes.sort(Comparator.comparingInt(ClassFile::release));
            for (ClassFile each : classes) {
                Path target = folder.resolve(each.name).normalize();
                if (!target.startsWith(folder)) {
                    throw new InvalidInputException(
                            "%s holds a class outside of it: %s".formatted(jar, each.name));
                }
                Files.createDirectories(target.getParent());
                try (InputStream in = file.getInputStream(each.entry)) {
                    Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    /** What a tool of the JDK prints. */
    private static String run(String name, String... arguments) {
        ToolProvider tool =
                ToolProvider.findFirst(name)
                        .orElseThrow(() ->
                                new InvalidInputException(
                                        "%s has no %s; packages are made with a whole JDK"
                                                .formatted(System.getProperty("java.home"), name)));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = tool.run(new PrintWriter(out), new PrintWriter(err), arguments);
        if (code != 0) {
            throw new InvalidInputException(
                    "%s failed (exit code %d): %s".formatted(name, code, out.toString() + err));
        }
        return out.toString();
    }
}
