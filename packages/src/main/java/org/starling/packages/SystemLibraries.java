package org.starling.packages;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.starling.graph.InvalidInputException;

/** The libraries of this machine's system that programs are linked with. Stateless. */
final class SystemLibraries {
    /** A line of {@code ldd}: the name it is asked for by, perhaps, and where it is. */
    private static final Pattern FOUND = Pattern.compile("(?:\\S+ => )?(/\\S+) \\(0x[0-9a-f]+\\)");

    private SystemLibraries() {}

    /**
     * Those that a Java runtime wants, by the places where its linker looks for them.
     *
     * @param runtime its folder
     * @throws InvalidInputException if this system can't say
     */
    static List<Path> of(Path runtime) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ldd", runtime + "/bin/java"));
        try (Stream<Path> files = Files.walk(runtime.resolve("lib"))) {
            files.map(Path::toString)
                    .filter(name -> name.endsWith(".so") || name.endsWith("/jspawnhelper"))
                    .sorted()
                    .forEach(command::add);
        }
        TreeSet<Path> libraries = new TreeSet<>();
        for (String line : lines(command)) {
            Matcher found = FOUND.matcher(line.strip());
            if (found.matches() && !Path.of(found.group(1)).startsWith(runtime)) {
                libraries.add(Path.of(found.group(1)));
            }
        }
        if (libraries.stream().noneMatch(library -> library.toString().contains("ld-linux"))) {
            throw new InvalidInputException(
                    "an image is made on a Linux with the GNU C library, and ldd finds none here");
        }
        return List.copyOf(libraries);
    }

    private static List<String> lines(List<String> command)
            throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException missing) {
            throw new InvalidInputException(
                    "an image needs \"ldd\" on the PATH, which says what a program is linked with",
                    missing);
        }
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said.lines().toList();
    }
}
