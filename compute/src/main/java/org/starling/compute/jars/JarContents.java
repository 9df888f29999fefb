package org.starling.compute.jars;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.starling.graph.ApiVersion;
import org.starling.graph.InvalidInputException;

/**
 * What {@link JarInspection} has found in a jar, without loading anything of it.
 *
 * @param jar the file
 * @param providers names of classes by the service that they provide, as the jar's service files
 *     say
 * @param classes names of its classes
 * @param needs classes of {@code org.starling} that its classes name, each with one that does
 */
public record JarContents(
        UserJar jar,
        Map<String, List<String>> providers,
        Set<String> classes,
        Map<String, String> needs) {
    private static final String API = "org.starling.graph.";

    /** Copies. */
    public JarContents {
        providers = Map.copyOf(providers);
        classes = Set.copyOf(classes);
        needs = Map.copyOf(needs);
    }

    /** Names of all its providers. */
    public List<String> providerNames() {
        return providers.values().stream().flatMap(List::stream).sorted().toList();
    }

    /**
     * Each jar once, however often it is named.
     *
     * @throws InvalidInputException if there are too many
     */
    public static List<JarContents> distinct(Collection<JarContents> jars) {
        Map<String, JarContents> once = new LinkedHashMap<>();
        jars.forEach(each -> once.putIfAbsent(each.jar.digest(), each));
        if (once.size() > JarRules.MAX_JARS_OF_JOB) {
            throw new InvalidInputException(
                    "a job has at most %d jars, found %d; put several into one"
                            .formatted(JarRules.MAX_JARS_OF_JOB, once.size()));
        }
        return List.copyOf(once.values());
    }

    /**
     * Checks that the jars of a job have together what they say and need.
     *
     * @throws InvalidInputException with one sentence if not
     */
    public static void checkTogether(List<JarContents> jars) {
        Set<String> classes = new HashSet<>();
        jars.forEach(each -> classes.addAll(each.classes));
        boolean provides = false;
        checkClashes(jars);
        for (JarContents each : jars) {
            each.checkProviders(classes);
            each.checkNeeds(classes);
            provides |= !each.providers.isEmpty();
        }
        if (!provides && !jars.isEmpty()) {
            List<String> names = jars.stream().map(each -> each.jar.name()).toList();
            throw new InvalidInputException(
                    "%s %s no task, program or edge source: name the classes in META-INF/services/ under %s"
                            .formatted(
                                    String.join(", ", names),
                                    jars.size() == 1 ? "brings" : "bring",
                                    String.join(", ", JarInspection.SERVICES)));
        }
    }

    /**
     * A loader takes a class from the first jar that has it, and nobody would hear of the other.
     */
    private static void checkClashes(List<JarContents> jars) {
        Map<String, String> services = new TreeMap<>();
        jars.forEach(each -> services.putAll(each.services()));
        services.forEach((provider, service) -> {
            List<String> having =
                    jars.stream()
                            .filter(each -> each.classes.contains(provider))
                            .map(each -> each.jar.name())
                            .toList();
            if (having.size() > 1) {
                throw new InvalidInputException(
                        "the class %s, a %s, is in both %s and %s; leave one of them out, or give its class another name"
                                .formatted(
                                        provider,
                                        service.substring(service.lastIndexOf('.') + 1),
                                        having.getFirst(),
                                        having.get(1)));
            }
        });
    }

    /** Services by the classes that provide them. */
    private Map<String, String> services() {
        Map<String, String> services = new HashMap<>();
        providers.forEach(
                (service, named) -> named.forEach(provider -> services.put(provider, service)));
        return services;
    }

    private void checkProviders(Set<String> classes) {
        Map<String, String> services = services();
        List<String> missing = new ArrayList<>(services.keySet());
        missing.removeAll(classes);
        if (!missing.isEmpty()) {
            String provider = missing.stream().sorted().toList().getFirst();
            throw new InvalidInputException(
                    "%s: META-INF/services/%s names the class %s, which is not there; take it out, or build the jar with it"
                            .formatted(jar.name(), services.get(provider), provider));
        }
    }

    private void checkNeeds(Set<String> classes) {
        needs.forEach((needed, by) -> {
            if (!needed.startsWith(API) && !classes.contains(needed)) {
                throw new InvalidInputException(
                        "%s: the class %s uses %s, which jobs can't see; they see the JDK and org.starling.graph"
                                .formatted(jar.name(), by, needed));
            }
            if (needed.startsWith(API) && !isInApi(needed)) {
                throw new InvalidInputException(
                        "%s: the class %s uses %s, which version %d of graph-api does not have; build it against this version"
                                .formatted(jar.name(), by, needed, ApiVersion.MAJOR));
            }
        });
    }

    private static boolean isInApi(String name) {
        ClassLoader loader = ApiVersion.class.getClassLoader();
        String file = name.replace('.', '/') + ".class";
        return loader == null || loader.getResource(file) != null;
    }
}
