package org.starling.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import java.io.Externalizable;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rules between the rooms of Starling, as the design draws them: arrows run down only. A room
 * is the part of a package's name after {@code org.starling}; which rooms it may know stands in
 * {@link #arrows()}, the one place to change when the design changes.
 */
final class Layers {

    static final String ROOT = "org.starling";

    private static final List<String> ROOMS =
            List.of(
                    "net",
                    "store",
                    "graph",
                    "compute",
                    "loaders",
                    "algorithms",
                    "tasks",
                    "testkit",
                    "cli",
                    "dashboard",
                    "benchmarks",
                    "examples",
                    "packages");

    private static final List<String> ROOMS_THAT_PRINT =
            List.of("cli", "examples", "benchmarks", "packages");

    private Layers() {}

    /** Which rooms each room may know, besides itself. */
    private static Map<String, List<String>> arrows() {
        Map<String, List<String>> arrows = new LinkedHashMap<>();
        arrows.put("net", List.of());
        arrows.put("graph", List.of());
        arrows.put("store", List.of("net"));
        arrows.put("compute", List.of("store", "graph", "net"));
        arrows.put("loaders", List.of("graph"));
        arrows.put("algorithms", List.of("graph"));
        arrows.put("tasks", List.of("graph", "loaders", "algorithms"));
        arrows.put("testkit", List.of("compute", "graph"));
        arrows.put("cli", List.of("compute", "graph", "dashboard"));
        arrows.put("dashboard", List.of());
        arrows.put("benchmarks", ROOMS);
        arrows.put("examples", List.of("graph"));
        arrows.put("packages", List.of("graph"));
        return arrows;
    }

    /** All rules: one per room for its arrows, then those that hold for every room. */
    static Stream<ArchRule> rules() {
        return Stream.concat(
                ROOMS.stream().map(Layers::arrowRule),
                Stream.of(
                        everyClassHasARoom(),
                        noCyclesBetweenRooms(),
                        internalsStayInTheirRoom(),
                        onlyCommandsPrint(),
                        noThreadSleeps(),
                        noWallClock(),
                        noJavaSerialization()));
    }

    /** The arrows of one room. */
    static ArchRule arrowRule(String room) {
        List<String> known = arrows().get(room);
        if (known == null) {
            throw new IllegalArgumentException("no arrows drawn for room " + room);
        }
        String[] forbidden =
                ROOMS.stream()
                        .filter(other -> !other.equals(room) && !known.contains(other))
                        .map(Layers::packagesOf)
                        .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(packagesOf(room))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden)
                .as("room %s knows %s only".formatted(room, known.isEmpty() ? "itself" : known))
                .allowEmptyShould(true);
    }

    /** Every class is in a room with an arrow rule, so that a new room can't slip past them. */
    static ArchRule everyClassHasARoom() {
        return ArchRuleDefinition.classes()
                .that()
                .resideInAPackage(ROOT + "..")
                .should()
                .resideInAnyPackage(ROOMS.stream().map(Layers::packagesOf).toArray(String[]::new))
                .as("every class lives in a room named in Layers")
                .allowEmptyShould(true);
    }

    static ArchRule noCyclesBetweenRooms() {
        return slices().matching(ROOT + ".(*)..")
                .should()
                .beFreeOfCycles()
                .as("rooms are free of cycles")
                .allowEmptyShould(true);
    }

    static ArchRule internalsStayInTheirRoom() {
        return ArchRuleDefinition.classes()
                .that()
                .resideInAPackage(ROOT + "..")
                .should(notReachIntoAnotherRoom())
                .as("packages named internal are used by their own room only")
                .allowEmptyShould(true);
    }

    static ArchRule onlyCommandsPrint() {
        return noClasses()
                .that()
                .resideOutsideOfPackages(
                        ROOMS_THAT_PRINT.stream().map(Layers::packagesOf).toArray(String[]::new))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .as("only %s print to System.out and System.err".formatted(ROOMS_THAT_PRINT))
                .because("a library room reports through its results and its log")
                .allowEmptyShould(true);
    }

    static ArchRule noThreadSleeps() {
        return noClasses()
                .should()
                .accessTargetWhere(useOf("java.lang.Thread", "sleep"))
                .as("no Thread.sleep")
                .because("waiting is for a condition, and comes in through an interface")
                .allowEmptyShould(true);
    }

    static ArchRule noWallClock() {
        return noClasses()
                .should()
                .accessTargetWhere(useOf("java.lang.System", "currentTimeMillis"))
                .as("no System.currentTimeMillis")
                .because("time comes in through an interface; wall clocks are for display only")
                .allowEmptyShould(true);
    }

    static ArchRule noJavaSerialization() {
        return noClasses()
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(
                        Serializable.class,
                        Externalizable.class,
                        ObjectInputStream.class,
                        ObjectOutputStream.class)
                .as("no Java serialization")
                .because("bytes from outside never choose a class")
                .allowEmptyShould(true);
    }

    private static String packagesOf(String room) {
        return ROOT + "." + room + "..";
    }

    /** The room of a class, or nothing when it is not one of ours. */
    private static Optional<String> roomOf(JavaClass type) {
        String name = type.getPackageName();
        return ROOMS.stream()
                .filter(room -> (name + ".").startsWith(ROOT + "." + room + "."))
                .findFirst();
    }

    private static ArchCondition<JavaClass> notReachIntoAnotherRoom() {
        return new ArchCondition<>("not use another room's internal packages") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass().getBaseComponentType();
                    boolean internal = (target.getPackageName() + ".").contains(".internal.");
                    boolean ours = roomOf(target).isPresent();
                    if (internal && ours && !roomOf(target).equals(roomOf(type))) {
                        events.add(
                                SimpleConditionEvent.violated(
                                        dependency, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static DescribedPredicate<JavaAccess<?>> useOf(String owner, String method) {
        return DescribedPredicate.describe(
                "use of %s.%s".formatted(owner, method),
                access ->
                        access.getTargetOwner().getFullName().equals(owner)
                                && access.getName().equals(method));
    }
}
