package org.starling.compute.script;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records as JSON trees (see {@link JsonText}) and back: a member for each component, under its
 * name. A component may be a number, flag, text, enum (a word in lower case), another record, a
 * list, a map by texts, a tree, or of a type that was added by {@link #with}. One that is null is
 * left out.
 *
 * <p>Reading is strict: what is missing, or is something else, is an {@link
 * IllegalArgumentException} that names the member; only lists and maps are empty where they are
 * missing, and {@link Nullable} components null. Members that no component is for are passed over.
 * Immutable.
 */
public final class RecordJson {
    /** With paths and durations as texts. */
    public static final RecordJson PLAIN =
            new RecordJson(Map.of())
                    .with(Path.class, Path::toString, tree -> Path.of(text(tree)))
                    .with(Duration.class, Duration::toString, tree -> Duration.parse(text(tree)));

    private record Leaf<T>(
            Class<T> type, Function<T, Object> write, Function<@Nullable Object, T> read) {
        Object tree(Object value) {
            return write.apply(type.cast(value));
        }
    }

    /** Something is wrong with the member whose name the message begins with. */
    private static final class Inside extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        Inside(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private final Map<Class<?>, Leaf<?>> leaves;

    private RecordJson(Map<Class<?>, Leaf<?>> leaves) {
        this.leaves = leaves;
    }

    /** The same with one more type of components. */
    public <T> RecordJson with(
            Class<T> type, Function<T, Object> write, Function<@Nullable Object, T> read) {
        Map<Class<?>, Leaf<?>> more = new HashMap<>(leaves);
        more.put(type, new Leaf<>(type, write, read));
        return new RecordJson(more);
    }

    /** A record as a new tree. */
    public Map<String, @Nullable Object> tree(Record value) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            Object member = get(component, value);
            if (member != null) {
                tree.put(component.getName(), written(member));
            }
        }
        return tree;
    }

    /**
     * The record that a tree says.
     *
     * @throws IllegalArgumentException if it is no such tree, or the record's constructor refuses
     *     it
     */
    public <R extends Record> R of(Class<R> type, @Nullable Object tree) {
        Map<?, ?> members = as(Map.class, "an object", tree);
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = component(components[i], members);
        }
        return make(type, components, values);
    }

    /**
     * The records that a list says.
     *
     * @throws IllegalArgumentException as {@link #of} does
     */
    public <R extends Record> List<R> list(Class<R> type, @Nullable Object tree) {
        List<R> records = new ArrayList<>();
        for (Object element : as(List.class, "a list", tree)) {
            records.add(of(type, element));
        }
        return records;
    }

    /** A record as JSON in UTF-8. */
    public byte[] bytes(Record value) {
        return JsonText.write(tree(value)).getBytes(StandardCharsets.UTF_8);
    }

    /** What {@link #bytes} made; empty if it is something else. */
    public <R extends Record> Optional<R> ofBytes(Class<R> type, byte[] json) {
        try {
            String text = new String(json, StandardCharsets.UTF_8);
            return Optional.of(of(type, JsonText.parse(text)));
        } catch (InvalidJsonException | IllegalArgumentException other) {
            return Optional.empty();
        }
    }

    private @Nullable Object written(@Nullable Object value) {
        for (Leaf<?> leaf : leaves.values()) {
            if (leaf.type().isInstance(value)) {
                return leaf.tree(Objects.requireNonNull(value));
            }
        }
        return switch (value) {
            case null -> null;
            case Record nested -> tree(nested);
            case Integer number -> number.longValue();
            case Enum<?> word -> word.name().toLowerCase(Locale.ROOT);
            case List<?> list -> {
                List<@Nullable Object> elements = new ArrayList<>();
                list.forEach(element -> elements.add(written(element)));
                yield elements;
            }
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                map.forEach((name, member) -> members.put(name.toString(), written(member)));
                yield members;
            }
            default -> value;
        };
    }

    private @Nullable Object component(RecordComponent component, Map<?, ?> members) {
        AnnotatedType type = component.getAnnotatedType();
        Object member = members.get(component.getName());
        if (member == null && type.isAnnotationPresent(Nullable.class)) {
            return null;
        }
        return read(component.getName(), type.getType(), member);
    }

    /** What is wrong says where that is, by names with points between them. */
    private @Nullable Object read(String name, Type type, @Nullable Object tree) {
        try {
            return read(type, tree);
        } catch (IllegalArgumentException wrong) {
            String way = name + (wrong instanceof Inside ? "." : ": ");
            throw new Inside(way + wrong.getMessage(), wrong);
        }
    }

    private @Nullable Object read(Type type, @Nullable Object tree) {
        if (type instanceof ParameterizedType of) {
            Type[] arguments = of.getActualTypeArguments();
            return of.getRawType() == List.class
                    ? readList(arguments[0], tree)
                    : readMap(arguments[1], tree);
        }
        Class<?> plain = (Class<?>) type;
        Leaf<?> leaf = leaves.get(plain);
        if (leaf != null) {
            return leaf.read().apply(tree);
        }
        if (plain.isRecord()) {
            return of(plain.asSubclass(Record.class), tree);
        }
        if (plain.isEnum()) {
            return constant(plain, text(tree));
        }
        return switch (plain.getName()) {
            case "int", "java.lang.Integer" -> small(whole(tree));
            case "long", "java.lang.Long" -> whole(tree);
            case "double", "java.lang.Double" -> as(Number.class, "a number", tree).doubleValue();
            case "boolean", "java.lang.Boolean" -> as(Boolean.class, "true or false", tree);
            case "java.lang.Number" -> as(Number.class, "a number", tree);
            case "java.lang.String" -> text(tree);
            case "java.lang.Object" -> tree;
            default -> throw wrong(plain.getSimpleName(), tree);
        };
    }

    private List<@Nullable Object> readList(Type type, @Nullable Object tree) {
        List<@Nullable Object> list = new ArrayList<>();
        for (Object element : tree == null ? List.of() : as(List.class, "a list", tree)) {
            list.add(read(type, element));
        }
        return list;
    }

    private Map<String, @Nullable Object> readMap(Type type, @Nullable Object tree) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        Map<?, ?> members = tree == null ? Map.of() : as(Map.class, "an object", tree);
        members.forEach(
                (name, member) -> map.put(name.toString(), read(name.toString(), type, member)));
        return map;
    }

    private static Object constant(Class<?> type, String word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> wrong("a known word", word));
    }

    private static <T> T as(Class<T> type, String expected, @Nullable Object tree) {
        if (type.isInstance(tree)) {
            return type.cast(tree);
        }
        throw wrong(expected, tree);
    }

    private static String text(@Nullable Object tree) {
        return as(String.class, "a text", tree);
    }

    private static long whole(@Nullable Object tree) {
        return as(Long.class, "a whole number", tree);
    }

    private static int small(long whole) {
        if (whole != (int) whole) {
            throw wrong("a whole number of 32 bits", whole);
        }
        return (int) whole;
    }

    private static IllegalArgumentException wrong(String expected, @Nullable Object tree) {
        return new IllegalArgumentException(
                "expected " + expected + ", found " + (tree == null ? "nothing" : Found.of(tree)));
    }

    private static @Nullable Object get(RecordComponent component, Record value) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static <R> R make(
            Class<R> type, RecordComponent[] components, @Nullable Object[] values) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<R> canonical = type.getDeclaredConstructor(types);
            canonical.setAccessible(true);
            return canonical.newInstance(values);
        } catch (InvocationTargetException refused) {
            Throwable cause = Objects.requireNonNull(refused.getCause());
            throw new IllegalArgumentException(String.valueOf(cause.getMessage()), cause);
        } catch (ReflectiveOperationException broken) {
            throw new IllegalStateException(broken);
        }
    }
}
