package org.starling.packages;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import com.google.cloud.tools.jib.api.buildplan.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.starling.graph.InvalidInputException;

/**
 * A container image in OCI's format, as an archive that every container engine loads. It is made
 * from nothing: a runtime with the libraries of C that it wants, libraries, and Starling, each in a
 * layer of its own, so that a new version brings the last one alone. No daemon and no registry is
 * asked. The same content gives the same bytes. Stateless.
 *
 * <p>There is no shell in it: what the launcher tells the JVM is in the image's entry point.
 */
final class ContainerImage {
    /** What runs in it: nobody who has rights on the host. */
    static final String USER = "65532:65532";

    /** Options that the launcher gives a node, and one for folders that nobody may write. */
    static final List<String> OPTIONS =
            List.of(
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:+UseParallelGC",
                    "-XX:MaxRAMPercentage=25",
                    "-Xlog:disable",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-XX:-UsePerfData");

    private static final String HOME = "/opt/starling";
    private static final String RUNTIME = "runtime/";
    private static final String DATA = "/data";
    private static final int MESSAGES_PORT = 7400;
    private static final int REST_PORT = 7500;
    private static final FilePermissions RUN = FilePermissions.fromOctalString("755");
    private static final FilePermissions READ = FilePermissions.fromOctalString("644");
    private static final FilePermissions OWN = FilePermissions.fromOctalString("700");
    private static final FilePermissions OPEN = FilePermissions.fromOctalString("777");

    /** Names of hosts are looked up in the file and by DNS; there is nobody but who runs it. */
    private static final Map<String, String> SYSTEM_FILES =
            Map.of(
                    "/etc/nsswitch.conf", "hosts: files dns\n",
                    "/etc/passwd", "starling:x:65532:65532::" + DATA + ":/none\n",
                    "/etc/group", "starling:x:65532:\n");

    private ContainerImage() {}

    /**
     * Writes one.
     *
     * @param file an archive
     * @param name of the image, with its tag
     * @param content of the package, its runtime included
     * @param libraries of C, by their place in the system
     * @param work an empty folder
     */
    static void write(
            Path file,
            String name,
            List<Packed> content,
            List<Path> libraries,
            Instant time,
            Path work)
            throws IOException, InterruptedException {
        Path cache = Files.createDirectories(work.resolve("layers"));
        JibContainerBuilder image =
                Jib.fromScratch()
                        .setFormat(ImageFormat.OCI)
                        .setPlatforms(Set.of(new Platform(processor(), "linux")))
                        .setCreationTime(time)
                        .setUser(USER)
                        .setWorkingDirectory(AbsoluteUnixPath.get(DATA))
                        .addVolume(AbsoluteUnixPath.get(DATA))
                        .addExposedPort(Port.tcp(MESSAGES_PORT))
                        .addExposedPort(Port.tcp(REST_PORT))
                        .addEnvironmentVariable("STARLING_DATA", DATA)
                        .setEntrypoint(entryPoint())
                        .setProgramArguments("node");
        for (FileEntriesLayer layer : layers(content, libraries, time, work)) {
            image.addFileEntriesLayer(layer);
        }
        try {
            image.containerize(
                    Containerizer.to(TarImage.at(file).named(name))
                            .setToolName("starling")
                            .setOfflineMode(true)
                            .setBaseImageLayersCache(cache)
                            .setApplicationLayersCache(cache));
        } catch (InvalidImageReferenceException
                | RegistryException
                | CacheDirectoryCreationException
                | ExecutionException refused) {
            throw new InvalidInputException(
                    "no image can be put into %s: %s".formatted(file, refused.getMessage()),
                    refused);
        }
    }

    private static List<String> entryPoint() {
        List<String> words = new ArrayList<>(List.of(HOME + "/" + RUNTIME + "bin/java"));
        words.addAll(OPTIONS);
        words.addAll(
                List.of("-Djava.io.tmpdir=/tmp", "-cp", HOME + "/lib/*", "org.starling.cli.Main"));
        return words;
    }

    private static List<FileEntriesLayer> layers(
            List<Packed> content, List<Path> libraries, Instant time, Path work)
            throws IOException {
        FileEntriesLayer.Builder runtime = FileEntriesLayer.builder().setName("runtime");
        FileEntriesLayer.Builder others = FileEntriesLayer.builder().setName("libraries");
        FileEntriesLayer.Builder own = FileEntriesLayer.builder().setName("starling");
        for (Path library : libraries) {
            runtime.addEntry(library, AbsoluteUnixPath.get(library.toString()), RUN, time);
        }
        addSystem(runtime, time, work);
        for (Packed part : content) {
            FileEntriesLayer.Builder layer = own;
            if (part.name().startsWith(RUNTIME)) {
                layer = runtime;
            } else if (part.name().startsWith("lib/") && !part.name().contains("/starling-")) {
                layer = others;
            }
            if (!part.name().equals("bin/starling")) {
                AbsoluteUnixPath place = AbsoluteUnixPath.get(HOME).resolve(part.name());
                boolean runs = part.isFolder() || Files.isExecutable(part.source());
                layer.addEntry(part.source(), place, runs ? RUN : READ, time);
            }
        }
        return List.of(runtime.build(), others.build(), own.build());
    }

    private static void addSystem(FileEntriesLayer.Builder layer, Instant time, Path work)
            throws IOException {
        Path empty = Files.createDirectories(work.resolve("empty"));
        layer.addEntry(empty, AbsoluteUnixPath.get("/tmp"), OPEN, time);
        layer.addEntry(empty, AbsoluteUnixPath.get(DATA), OWN, time, USER);
        for (String place : SYSTEM_FILES.keySet().stream().sorted().toList()) {
            Path file = work.resolve(Path.of(place).getFileName());
            Files.writeString(file, SYSTEM_FILES.get(place));
            layer.addEntry(file, AbsoluteUnixPath.get(place), READ, time);
        }
    }

    private static String processor() {
        String name = System.getProperty("os.arch");
        return name.equals("aarch64") ? "arm64" : name;
    }
}
