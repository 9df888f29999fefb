package org.starling.algorithms.orientation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;

/** Reads the reference graphs (METIS and SNAP edge lists) for tests and measurements of kernels. */
public final class GraphFile {
    private GraphFile() {}

    /** The optional folder of reference data beside the checkout. */
    public static Optional<Path> referenceData() {
        String named = System.getProperty("starling.shared", System.getenv("STARLING_SHARED"));
        Path folder = named == null ? besideCheckout() : Path.of(named);
        Path data = folder.resolve("data");
        return Files.isDirectory(data) ? Optional.of(data) : Optional.empty();
    }

    /** A graph from a file whose name ends in .graph (METIS) or .txt (SNAP). */
    public static ArrayGraph read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return file.toString().endsWith(".graph") ? metis(lines) : snap(lines);
    }

    private static ArrayGraph metis(List<String> lines) {
        StringTokenizer header = new StringTokenizer(lines.getFirst());
        int vertices = Integer.parseInt(header.nextToken());
        header.nextToken();
        boolean weighted = header.hasMoreTokens() && header.nextToken().endsWith("1");
        List<int[]> edges = new ArrayList<>();
        for (int vertex = 0; vertex < vertices; vertex++) {
            StringTokenizer row = new StringTokenizer(lines.get(vertex + 1));
            while (row.hasMoreTokens()) {
                edges.add(new int[] {vertex, Integer.parseInt(row.nextToken()) - 1});
                if (weighted) {
                    row.nextToken();
                }
            }
        }
        return ArrayGraph.of(vertices, edges);
    }

    private static ArrayGraph snap(List<String> lines) {
        Map<String, Integer> numbers = new HashMap<>();
        List<int[]> edges = new ArrayList<>();
        for (String line : lines) {
            if (!line.startsWith("#")) {
                StringTokenizer ends = new StringTokenizer(line);
                edges.add(
                        new int[] {
                            number(numbers, ends.nextToken()), number(numbers, ends.nextToken())
                        });
            }
        }
        return ArrayGraph.of(numbers.size(), edges);
    }

    private static int number(Map<String, Integer> numbers, String id) {
        return numbers.computeIfAbsent(id, unseen -> numbers.size());
    }

    private static Path besideCheckout() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder.getParent() != null && !Files.isDirectory(folder.resolve("graph-api"))) {
            folder = folder.getParent();
        }
        return folder.resolveSibling("shared");
    }
}
