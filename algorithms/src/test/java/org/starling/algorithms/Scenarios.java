package org.starling.algorithms;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Arguments of parameterised tests: numbers of peers, shapes, and both. */
final class Scenarios {
    /** Two or three, drawn anew in each build. */
    private static final int FEW = ThreadLocalRandom.current().nextInt(2, 4);

    /** Which of the numbers of peers the first shape is tried with, drawn anew in each build. */
    private static final int FIRST = ThreadLocalRandom.current().nextInt(2);

    private Scenarios() {}

    /** Numbers of peers that every algorithm is tried with. */
    static Stream<Integer> peers() {
        return Stream.of(1, FEW);
    }

    /** One that always is there, and one of the others, drawn anew in each build. */
    static Stream<Arguments> two(Stream<Arguments> scenarios) {
        List<Arguments> all = scenarios.toList();
        return Stream.of(
                all.getFirst(), all.get(ThreadLocalRandom.current().nextInt(1, all.size())));
    }

    static Stream<Arguments> peersAndUndirectedShapes() {
        return byTurns(Shape.undirected());
    }

    static Stream<Arguments> peersAndDirectedShapes() {
        return byTurns(Shape.directed());
    }

    static Stream<Arguments> peersAndShapes() {
        return Stream.concat(peersAndUndirectedShapes(), peersAndDirectedShapes());
    }

    static Stream<Arguments> peersAndWideUndirectedShapes() {
        return byTurns(Shape.wideUndirected());
    }

    static Stream<Arguments> peersAndWideDirectedShapes() {
        return byTurns(Shape.wideDirected());
    }

    static Stream<Arguments> peersAndWideShapes() {
        return Stream.concat(peersAndWideUndirectedShapes(), peersAndWideDirectedShapes());
    }

    static Stream<Arguments> allPeersAndUndirectedShapes() {
        return product(Shape.undirected());
    }

    static Stream<Arguments> allPeersAndDirectedShapes() {
        return product(Shape.directed());
    }

    static Stream<Arguments> allPeersAndShapes() {
        return Stream.concat(allPeersAndUndirectedShapes(), allPeersAndDirectedShapes());
    }

    static Stream<Arguments> allPeersAndWideUndirectedShapes() {
        return product(Shape.wideUndirected());
    }

    static Stream<Arguments> allPeersAndWideDirectedShapes() {
        return product(Shape.wideDirected());
    }

    static Stream<Arguments> allPeersAndWideShapes() {
        return Stream.concat(allPeersAndWideUndirectedShapes(), allPeersAndWideDirectedShapes());
    }

    /** One shape on one peer, the next one on several. */
    static Stream<Arguments> byTurns(List<Shape> shapes) {
        List<Integer> peers = peers().toList();
        return IntStream.range(0, shapes.size())
                .mapToObj(i -> Arguments.of(peers.get((i + FIRST) % peers.size()), shapes.get(i)));
    }

    /** Each shape on one, two and three peers. */
    static Stream<Arguments> product(List<Shape> shapes) {
        return Stream.of(1, 2, 3)
                .flatMap(n -> shapes.stream().map(shape -> Arguments.of(n, shape)));
    }
}
