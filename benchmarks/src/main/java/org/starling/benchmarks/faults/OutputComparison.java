package org.starling.benchmarks.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.harness.TempFolder;

/**
 * Keeps the files that an undisturbed run of a script has written, and compares those of a
 * disturbed one with them.
 *
 * <p>A file whose lines begin with ascending integers, as those of states do, must have the same
 * lines in the same order. Lines of other files, like those of cliques, may come in any order, but
 * each as often. A file must be whole whenever it is seen, and nothing may be left beside it. A
 * folder of parts must have the same parts. Takes memory for one file with lines in any order. Used
 * by one thread; closing removes what was kept.
 */
final class OutputComparison implements AutoCloseable {
    private final TempFolder folder;

    /** Where the undisturbed run's file is kept, by the file's place. */
    private final Map<Path, Path> kept = new LinkedHashMap<>();

    /** Sizes that files had when they were first seen there again. */
    private final Map<Path, Long> firstBytes = new HashMap<>();

    private OutputComparison(TempFolder folder) {
        this.folder = folder;
    }

    /**
     * Takes the files away from where the undisturbed run has left them, so that none of them can
     * be taken for one of the disturbed run.
     *
     * @param outputs files that the script may write
     */
    static OutputComparison take(Set<Path> outputs) {
        try {
            OutputComparison comparison =
                    new OutputComparison(TempFolder.create("starling-undisturbed"));
            for (Path file : outputs) {
                if (Files.exists(file)) {
                    Path place = comparison.folder.path().resolve("" + comparison.kept.size());
                    move(file, place);
                    comparison.kept.put(file, place);
                }
            }
            return comparison;
        } catch (IOException broken) {
            throw new UncheckedIOException("files can't be set aside to compare", broken);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        if (!Files.isDirectory(from)) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        Files.createDirectory(to);
        for (Path part : parts(from)) {
            move(part, to.resolve(part.getFileName()));
        }
        Files.delete(from);
    }

    /** Removes the files of an earlier run, which nobody shall take for new ones. */
    static void removeOld(Set<Path> outputs) {
        try {
            for (Path file : outputs) {
                if (Files.isDirectory(file)) {
                    for (Path part : parts(file)) {
                        Files.delete(part);
                    }
                }
                Files.deleteIfExists(file);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("files of an earlier run can't be removed", broken);
        }
    }

    /** How many files there are. */
    int files() {
        return kept.size();
    }

    /** Looks which files have come; to be called while the disturbed run goes on. */
    void look() {
        for (Path file : kept.keySet()) {
            if (!firstBytes.containsKey(file) && Files.exists(file)) {
                firstBytes.put(file, size(file));
            }
        }
    }

    /** Compares all files, after the disturbed run. */
    void compare(Differences differences) {
        kept.forEach((file, reference) -> {
            if (!Files.exists(file)) {
                differences.add(file + " was not written");
                return;
            }
            Long first = firstBytes.get(file);
            if (first != null && first != size(file)) {
                differences.add(
                        "%s appeared with %d bytes of %d".formatted(file, first, size(file)));
            }
            try {
                if (Files.isDirectory(reference)) {
                    compareParts(file, reference, differences);
                } else {
                    compareLines(file, reference, differences);
                }
                reportLeftovers(file, differences);
            } catch (IOException broken) {
                throw new UncheckedIOException(file + " can't be compared", broken);
            }
        });
    }

    /** Removes the files of the disturbed run, before another one. */
    void forget() {
        firstBytes.clear();
        removeOld(kept.keySet());
    }

    @Override
    public void close() {
        folder.close();
    }

    private static void compareParts(Path folder, Path reference, Differences differences)
            throws IOException {
        List<Path> expected = names(reference);
        List<Path> found = names(folder);
        if (!expected.equals(found)) {
            differences.add("%s has %s instead of %s".formatted(folder, found, expected));
            return;
        }
        for (Path part : expected) {
            compareLines(folder.resolve(part), reference.resolve(part), differences);
        }
    }

    private static void compareLines(Path file, Path reference, Differences differences)
            throws IOException {
        if (isAscending(reference)) {
            compareInOrder(file, reference, differences);
        } else {
            compareInAnyOrder(file, reference, differences);
        }
    }

    private static boolean isAscending(Path file) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            long last = Long.MIN_VALUE;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int blank = line.indexOf(' ');
                if (blank < 1 || !line.substring(0, blank).matches("-?\\d{1,18}")) {
                    return false;
                }
                long number = Long.parseLong(line.substring(0, blank));
                if (number <= last) {
                    return false;
                }
                last = number;
            }
        }
        return true;
    }

    private static void compareInOrder(Path file, Path reference, Differences differences)
            throws IOException {
        try (BufferedReader expected = Files.newBufferedReader(reference);
                BufferedReader found = Files.newBufferedReader(file)) {
            for (long number = 1; ; number++) {
                String left = expected.readLine();
                String right = found.readLine();
                if (left == null || right == null) {
                    reportEnd(file, number, left, right, differences);
                    return;
                }
                differences.compareLines(file + ":" + number, left, right);
            }
        }
    }

    private static void reportEnd(
            Path file,
            long number,
            @Nullable String expected,
            @Nullable String found,
            Differences differences) {
        if (found != null) {
            differences.add("%s:%d: more lines: \"%s\"".formatted(file, number, found));
        } else if (expected != null) {
            differences.add("%s ends before \"%s\"".formatted(file, expected));
        }
    }

    private static void compareInAnyOrder(Path file, Path reference, Differences differences)
            throws IOException {
        Map<String, Integer> open = new HashMap<>();
        try (Stream<String> lines = Files.lines(reference)) {
            lines.forEach(line -> open.merge(line, 1, Integer::sum));
        }
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Integer left = open.get(line);
                if (left == null) {
                    differences.add("%s: \"%s\" once too often".formatted(file, line));
                } else {
                    differences.compareLines(file.toString(), line, line);
                    open.compute(line, (_, count) -> left == 1 ? null : left - 1);
                }
            }
        }
        open.forEach((line, count) ->
                differences.add("%s: \"%s\" is missing %d times".formatted(file, line, count)));
    }

    /** Drafts and parts of a file have its name behind a dot, and something behind that. */
    private static void reportLeftovers(Path file, Differences differences) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null) {
            return;
        }
        String prefix = "." + file.getFileName() + ".";
        try (Stream<Path> files = Files.list(parent)) {
            List<Path> left =
                    files.filter(other -> String.valueOf(other.getFileName()).startsWith(prefix))
                            .sorted()
                            .toList();
            left.forEach(other -> differences.add(other + " was left behind"));
        }
    }

    private static List<Path> names(Path folder) throws IOException {
        return parts(folder).stream().map(Path::getFileName).toList();
    }

    private static List<Path> parts(Path folder) throws IOException {
        try (Stream<Path> parts = Files.list(folder)) {
            return parts.sorted().toList();
        }
    }

    private static long size(Path file) {
        try {
            if (!Files.isDirectory(file)) {
                return Files.size(file);
            }
            long bytes = 0;
            for (Path part : parts(file)) {
                bytes += Files.size(part);
            }
            return bytes;
        } catch (IOException broken) {
            throw new UncheckedIOException(file + " can't be looked at", broken);
        }
    }
}
