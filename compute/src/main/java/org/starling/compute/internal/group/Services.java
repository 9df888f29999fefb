package org.starling.compute.internal.group;

import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.InvalidInputException;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/**
 * Programs and edge sources by name. Class names never come from outside: only what the class path
 * registers can be named.
 */
public final class Services {
    private Services() {}

    /** What makes the program of that name. */
    public static ProgramFactory program(String name) {
        SortedMap<String, ProgramFactory> known = new TreeMap<>();
        for (ProgramProvider provider : ServiceLoader.load(ProgramProvider.class)) {
            provider.programs().forEach((key, factory) -> add(known, key, factory, "program"));
        }
        return find(known, name, "program");
    }

    /** The edge source of that name. */
    public static EdgeSourceProvider edgeSource(String name) {
        SortedMap<String, EdgeSourceProvider> known = new TreeMap<>();
        for (EdgeSourceProvider provider : ServiceLoader.load(EdgeSourceProvider.class)) {
            add(known, provider.name(), provider, "edge source");
        }
        return find(known, name, "edge source");
    }

    private static <S> void add(SortedMap<String, S> known, String name, S service, String kind) {
        if (known.put(name, service) != null) {
            throw new InvalidInputException(
                    "the class path declares the " + kind + " \"" + name + "\" twice");
        }
    }

    private static <S> S find(SortedMap<String, S> known, String name, String kind) {
        S service = known.get(name);
        if (service == null) {
            throw new InvalidInputException(
                    "there is no " + kind + " \"" + name + "\"; known are " + known.keySet());
        }
        return service;
    }
}
