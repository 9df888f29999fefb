package org.starling.algorithms.cliques;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jgrapht.Graph;
import org.jgrapht.alg.clique.PivotBronKerboschCliqueFinder;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleGraph;
import org.starling.algorithms.orientation.ArrayGraph;
import org.starling.algorithms.orientation.OrientedGraph;
import org.starling.algorithms.orientation.VertexOrder;

/** Maximal cliques as sorted lists of ordinals, found by the kernel and by JGraphT. */
final class Cliques {
    private Cliques() {}

    /** What the kernel finds, in order and with duplicates, if there were any. */
    static List<List<Integer>> byKernel(ArrayGraph graph, int minimumSize) {
        VertexOrder order = VertexOrder.byDegeneracy(graph, graph.vertices());
        OrientedGraph smaller = OrientedGraph.towardsSmaller(graph, order);
        List<List<Integer>> found = new ArrayList<>();
        CliqueKernel kernel =
                new CliqueKernel(
                        smaller,
                        smaller.reversed(),
                        minimumSize,
                        (members, size) -> found.add(ordinals(order, members, size)));
        for (int rank = 0; rank < graph.vertices(); rank++) {
            kernel.enumerate(rank, Long.MAX_VALUE);
        }
        return sorted(found);
    }

    /**
     * What the kernel finds when it breaks off sub-problems and others take their branches up.
     *
     * @param maxCalls calls before a sub-problem is broken off
     * @param sharers how many share its branches
     * @return number of sub-problems that were broken off, and all cliques
     */
    static Map.Entry<Integer, List<List<Integer>>> byKernels(
            ArrayGraph graph, long maxCalls, int sharers) {
        VertexOrder order = VertexOrder.byDegeneracy(graph, graph.vertices());
        OrientedGraph smaller = OrientedGraph.towardsSmaller(graph, order);
        List<List<Integer>> found = new ArrayList<>();
        CliqueKernel kernel =
                new CliqueKernel(
                        smaller,
                        smaller.reversed(),
                        1,
                        (members, size) -> found.add(ordinals(order, members, size)));
        int brokenOff = 0;
        for (int rank = 0; rank < graph.vertices(); rank++) {
            int rest = kernel.enumerate(rank, maxCalls);
            if (rest != BranchCut.NOTHING) {
                brokenOff++;
                for (int sharer = 0; sharer < sharers; sharer++) {
                    int own = sharer;
                    kernel.resume(rank, rest, branch -> branch % sharers == own);
                }
            }
        }
        return Map.entry(brokenOff, sorted(found));
    }

    /** What JGraphT finds. */
    static List<List<Integer>> byOracle(ArrayGraph graph) {
        List<List<Integer>> found = new ArrayList<>();
        for (Set<Integer> clique : new PivotBronKerboschCliqueFinder<>(copy(graph))) {
            // JGraphT takes the empty set for a clique of the empty graph.
            if (!clique.isEmpty()) {
                found.add(List.copyOf(new TreeSet<>(clique)));
            }
        }
        return sorted(found);
    }

    private static List<Integer> ordinals(VertexOrder order, int[] members, int size) {
        List<Integer> clique =
                new ArrayList<>(
                        Arrays.stream(members, 0, size).map(order::ordinal).boxed().toList());
        Collections.sort(clique);
        return clique;
    }

    private static List<List<Integer>> sorted(List<List<Integer>> cliques) {
        cliques.sort((left, right) -> left.toString().compareTo(right.toString()));
        return cliques;
    }

    private static Graph<Integer, DefaultEdge> copy(ArrayGraph graph) {
        Graph<Integer, DefaultEdge> copy = new SimpleGraph<>(DefaultEdge.class);
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            copy.addVertex(vertex);
            for (int index = 0; index < graph.degree(vertex); index++) {
                int neighbour = (int) graph.neighbour(vertex, index);
                if (neighbour < vertex) {
                    copy.addEdge(vertex, neighbour);
                }
            }
        }
        return copy;
    }
}
