package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No files of the main code import each other, nor in a longer circle. */
final class ImportCirclesTest {
    private static final Pattern IMPORT =
            Pattern.compile(
                    "^import (?:static )?(org\\.starling\\.[a-z0-9.]+\\.[A-Z]\\w*)",
                    Pattern.MULTILINE);

    @Test
    void noneIsInTheMainCode() throws IOException {
        Map<String, Set<String>> imports = importsOf(Checkout.root());

        assertThat(imports).hasSizeGreaterThan(1_000);
        assertThat(inCircles(imports)).isEmpty();
    }

    @Test
    void findsShortAndLongOnes() {
        Map<String, Set<String>> imports =
                Map.of(
                        "A", Set.of("B", "C"),
                        "B", Set.of("A"),
                        "C", Set.of("D"),
                        "D", Set.of("E"),
                        "E", Set.of("C", "F"),
                        "F", Set.of());

        assertThat(inCircles(imports)).containsExactly("A", "B", "C", "D", "E");
    }

    /** By class: which other ones its file imports by name. */
    private static Map<String, Set<String>> importsOf(Path root) throws IOException {
        Map<String, Set<String>> imports = new TreeMap<>();
        for (Path room : roomsOf(root)) {
            for (Path file : filesOf(room)) {
                String path = room.relativize(file).toString();
                String name = path.substring(0, path.indexOf('.')).replace('/', '.');
                imports.put(name, importsIn(Files.readString(file)));
            }
        }
        return imports;
    }

    private static List<Path> roomsOf(Path root) throws IOException {
        try (Stream<Path> folders = Files.list(root)) {
            return folders.map(folder -> folder.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    private static List<Path> filesOf(Path room) throws IOException {
        try (Stream<Path> files = Files.walk(room)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static Set<String> importsIn(String source) {
        return IMPORT.matcher(source)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    /**
     * Who is in a circle, or between two of them: what is left when those who import nobody that is
     * left, and those whom nobody imports, have been taken away again and again.
     */
    private static Set<String> inCircles(Map<String, Set<String>> imports) {
        Map<String, Set<String>> left = new HashMap<>(imports);
        int before;
        do {
            before = left.size();
            left.values().removeIf(all -> all.stream().noneMatch(left::containsKey));
            left.keySet()
                    .retainAll(
                            left.values().stream()
                                    .flatMap(Set::stream)
                                    .collect(Collectors.toSet()));
        } while (left.size() < before);
        return new TreeSet<>(left.keySet());
    }
}
