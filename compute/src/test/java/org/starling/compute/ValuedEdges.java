package org.starling.compute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.graph.PropertyValues;
import org.starling.graph.SourceDescription;

/** Random edges and vertices with properties, with duplicates, in memory and in plain Java. */
public final class ValuedEdges implements EdgeSource {
    /** Name of the provider. */
    public static final String NAME = "test.valued";

    /** Properties of vertices. */
    public static final List<Property> OF_VERTICES =
            List.of(
                    Property.of("age", PropertyType.INT),
                    Property.of("alive", PropertyType.BOOLEAN),
                    Property.of("worth", PropertyType.LONG),
                    new Property("place", PropertyType.FLOAT, 2),
                    Property.of("score", PropertyType.DOUBLE),
                    Property.of("name", PropertyType.STRING));

    /** Properties of edges. */
    public static final List<Property> OF_EDGES =
            List.of(
                    Property.of("kind", PropertyType.STRING),
                    Property.of("since", PropertyType.INT),
                    Property.of("close", PropertyType.BOOLEAN),
                    new Property("trust", PropertyType.DOUBLE, 2));

    private static final Map<String, ValuedEdges> KNOWN = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final int PARTS = 5;

    /** A vertex with its values. */
    public record Person(
            long id,
            int age,
            boolean alive,
            long worth,
            float x,
            float y,
            double score,
            String name) {
        static Person unknown(long id) {
            return new Person(id, 0, false, 0, 0, 0, 0, "");
        }
    }

    /** An edge with its values. */
    public record Tie(
            long from,
            long to,
            float weight,
            String kind,
            int since,
            boolean close,
            double a,
            double b) {
        Tie turned() {
            return new Tie(to, from, weight, kind, since, close, a, b);
        }
    }

    private static final Comparator<Tie> LEAST_FIRST =
            Comparator.comparingDouble(Tie::weight)
                    .thenComparing(Tie::kind, ValuedEdges::compareByCodePoints)
                    .thenComparingLong(Tie::since)
                    .thenComparing(Tie::close)
                    .thenComparingDouble(Tie::a)
                    .thenComparingDouble(Tie::b);

    private final List<Person> people = new ArrayList<>();
    private final List<Tie> ties = new ArrayList<>();
    private List<Property> ofEdges = OF_EDGES;
    private List<Property> ofVertices = OF_VERTICES;

    /** Some vertices have no values, some no edges. */
    public static ValuedEdges random(long seed, int vertices, int edges) {
        ValuedEdges made = new ValuedEdges();
        Random random = new Random(seed);
        for (int i = 0; i < vertices; i++) {
            if (random.nextInt(8) != 0) {
                made.people.add(
                        new Person(
                                id(i),
                                random.nextInt(100),
                                random.nextBoolean(),
                                random.nextLong(),
                                random.nextFloat(),
                                random.nextFloat(),
                                random.nextGaussian(),
                                name(random)));
            }
        }
        for (int i = 0; i < edges; i++) {
            made.ties.add(
                    new Tie(
                            id(random.nextInt(vertices)),
                            id(random.nextInt(vertices)),
                            random.nextInt(4),
                            KINDS.get(random.nextInt(KINDS.size())),
                            1990 + random.nextInt(30),
                            random.nextBoolean(),
                            random.nextDouble(),
                            random.nextDouble()));
        }
        return made;
    }

    /** The last two are in another order as UTF-16. */
    private static final List<String> KINDS =
            List.of("", "knows", "k", "owes", "\uFF5E", "\uD83D\uDC26");

    private static String name(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> "Ada";
            case 1 -> "\u674E \"x\" " + random.nextInt(5);
            case 2 -> "z".repeat(random.nextInt(Property.MAX_STRING_BYTES + 1));
            default -> "person " + random.nextLong();
        };
    }

    static int compareByCodePoints(String a, String b) {
        return Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
    }

    private static long id(int index) {
        return 3L * index + 7;
    }

    /** Adds a vertex as it is. */
    public ValuedEdges person(Person person) {
        people.add(person);
        return this;
    }

    /** Edges keep their weights alone. */
    public ValuedEdges withoutColumnsOfEdges() {
        ofEdges = List.of();
        return this;
    }

    /** Vertices have no strings. */
    public ValuedEdges withoutNames() {
        ofVertices = OF_VERTICES.subList(0, OF_VERTICES.size() - 1);
        return this;
    }

    /** Parameters that lead the provider to these edges. */
    public Parameters named() {
        String key = "valued-" + NUMBERS.incrementAndGet();
        KNOWN.put(key, this);
        return Parameters.of("key", key);
    }

    /** All vertices by id, those without values with 0 and false. */
    public SortedMap<Long, Person> vertices() {
        TreeMap<Long, Person> all = new TreeMap<>();
        for (Tie tie : ties) {
            for (long id : new long[] {tie.from, tie.to}) {
                all.put(id, Person.unknown(id));
            }
        }
        people.forEach(person -> all.put(person.id, person));
        return all;
    }

    /**
     * Edges that stay: of duplicates the least one. Undirected ones are there in both directions.
     */
    public Map<Long, SortedMap<Long, Tie>> edges(boolean directed) {
        Map<Long, SortedMap<Long, Tie>> rows = new HashMap<>();
        for (Tie tie : ties) {
            if (tie.from != tie.to) {
                add(rows, tie);
                if (!directed) {
                    add(rows, tie.turned());
                }
            }
        }
        return rows;
    }

    private static void add(Map<Long, SortedMap<Long, Tie>> rows, Tie tie) {
        rows.computeIfAbsent(tie.from, _ -> new TreeMap<>())
                .merge(tie.to, tie, (a, b) -> LEAST_FIRST.compare(a, b) <= 0 ? a : b);
    }

    @Override
    public SourceDescription describe() {
        return new SourceDescription(
                PARTS,
                false,
                0,
                2L * ties.size() + people.size(),
                ties.size(),
                true,
                ofVertices,
                ofEdges);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) {
        PropertyValues values = new PropertyValues(ofEdges);
        for (int i = part; i < ties.size(); i += PARTS) {
            Tie tie = ties.get(i);
            if (!ofEdges.isEmpty()) {
                values.setString(0, tie.kind);
                values.setLong(1, 0, tie.since);
                values.setLong(2, 0, tie.close ? 1 : 0);
                values.setDouble(3, 0, tie.a);
                values.setDouble(3, 1, tie.b);
            }
            sink.edge(tie.from, tie.to, tie.weight, values);
        }
        PropertyValues vertex = new PropertyValues(ofVertices);
        for (int i = part; i < people.size(); i += PARTS) {
            Person person = people.get(i);
            vertex.setLong(0, 0, person.age);
            vertex.setLong(1, 0, person.alive ? 1 : 0);
            vertex.setLong(2, 0, person.worth);
            vertex.setDouble(3, 0, person.x);
            vertex.setDouble(3, 1, person.y);
            vertex.setDouble(4, 0, person.score);
            if (ofVertices.size() > 5) {
                vertex.setString(5, person.name);
            }
            sink.vertex(person.id, vertex);
        }
        return new PartSummary(0, 0, 0, 0);
    }

    /** Finds what tests have named. */
    public static final class Provider implements EdgeSourceProvider {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public EdgeSource create(Parameters parameters) {
            return Objects.requireNonNull(KNOWN.get(parameters.text("key")));
        }
    }
}
