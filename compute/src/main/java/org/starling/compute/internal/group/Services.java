package org.starling.compute.internal.group;

import java.util.ServiceLoader;
import java.util.function.Function;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.InvalidInputException;
import org.starling.graph.ProgramProvider;

/**
 * Programs and edge sources by name. Class names never come from outside: only what the class path
 * registers can be named.
 */
final class Services {
    private Services() {}

    /** The program of that name. */
    static ProgramProvider program(String name) {
        return find(ProgramProvider.class, ProgramProvider::name, name, "program");
    }

    /** The edge source of that name. */
    static EdgeSourceProvider edgeSource(String name) {
        return find(EdgeSourceProvider.class, EdgeSourceProvider::name, name, "edge source");
    }

    private static <S> S find(Class<S> type, Function<S, String> nameOf, String name, String kind) {
        ServiceLoader<S> loader = ServiceLoader.load(type);
        for (S service : loader) {
            if (nameOf.apply(service).equals(name)) {
                return service;
            }
        }
        throw new InvalidInputException(
                "there is no "
                        + kind
                        + " \""
                        + name
                        + "\"; known are "
                        + loader.stream()
                                .map(found -> nameOf.apply(found.get()))
                                .sorted()
                                .toList());
    }
}
