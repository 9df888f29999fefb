package org.starling.compute.jars;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.starling.graph.Task;

/** Makes jars of users as their builds would: compiled against graph-api alone. */
final class JarBuilder {
    private final Map<String, String> sources = new LinkedHashMap<>();
    private final Map<String, byte[]> entries = new TreeMap<>();
    private final Manifest manifest = new Manifest();
    private final List<Path> classPath = new ArrayList<>();

    JarBuilder() {
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        classPath.add(location(Task.class));
    }

    /** A class by its whole name. */
    JarBuilder source(String type, String text) {
        sources.put(type, text);
        return this;
    }

    JarBuilder service(Class<?> service, String... providers) {
        String text = String.join("\n", providers) + "\n";
        return entry(
                "META-INF/services/" + service.getName(), text.getBytes(StandardCharsets.UTF_8));
    }

    JarBuilder entry(String name, byte[] bytes) {
        entries.put(name, bytes);
        return this;
    }

    JarBuilder attribute(String name, String value) {
        manifest.getMainAttributes().putValue(name, value);
        return this;
    }

    /** Something else that its classes are compiled against. */
    JarBuilder against(Path jar) {
        classPath.add(jar);
        return this;
    }

    Path build(Path file) throws IOException {
        Path classes = Files.createTempDirectory("user-jar");
        try {
            compile(classes);
            try (Stream<Path> all = Files.walk(classes)) {
                for (Path each : all.filter(Files::isRegularFile).toList()) {
                    String name = classes.relativize(each).toString().replace('\\', '/');
                    entries.putIfAbsent(name, Files.readAllBytes(each));
                }
            }
        } finally {
            remove(classes);
        }
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                JarEntry made = new JarEntry(entry.getKey());
                made.setTime(0); // the same bytes whenever it is built
                jar.putNextEntry(made);
                jar.write(entry.getValue());
                jar.closeEntry();
            }
        }
        return file;
    }

    private void compile(Path into) {
        if (sources.isEmpty()) {
            return;
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((type, text) -> units.add(new Source(type, text)));
        String path = String.join(":", classPath.stream().map(Path::toString).toList());
        List<String> options =
                List.of("-d", into.toString(), "-cp", path, "-proc:none", "--release", "25");
        StringWriter said = new StringWriter();
        if (!compiler.getTask(said, null, null, options, null, units).call()) {
            throw new AssertionError(said.toString());
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    static Path location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String type, String text) {
            super(URI.create("string:///" + type.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
