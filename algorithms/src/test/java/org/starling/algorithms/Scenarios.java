package org.starling.algorithms;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Arguments of parameterised tests: numbers of peers, shapes, and both. */
final class Scenarios {
    private Scenarios() {}

    /** Numbers of peers that every algorithm is tried with. */
    static Stream<Integer> peers() {
        return Stream.of(1, 2, 3);
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
