package org.starling.algorithms;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Arguments of parameterised tests: numbers of peers, shapes, and both. */
final class Scenarios {
    /** Two or three, drawn anew in each build. */
    private static final int FEW = ThreadLocalRandom.current().nextInt(2, 4);

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
        return product(Shape.undirected());
    }

    static Stream<Arguments> peersAndDirectedShapes() {
        return product(Shape.directed());
    }

    static Stream<Arguments> peersAndShapes() {
        return Stream.concat(peersAndUndirectedShapes(), peersAndDirectedShapes());
    }

    static Stream<Arguments> peersAndWideUndirectedShapes() {
        return wide(Shape.wideUndirected());
    }

    static Stream<Arguments> peersAndWideDirectedShapes() {
        return wide(Shape.wideDirected());
    }

    static Stream<Arguments> peersAndWideShapes() {
        return Stream.concat(peersAndWideUndirectedShapes(), peersAndWideDirectedShapes());
    }

    private static Stream<Arguments> wide(List<Shape> shapes) {
        return Stream.of(1, 3).flatMap(n -> shapes.stream().map(shape -> Arguments.of(n, shape)));
    }

    private static Stream<Arguments> product(List<Shape> shapes) {
        return peers().flatMap(n -> shapes.stream().map(shape -> Arguments.of(n, shape)));
    }
}
