package org.starling.net;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of records: those of their components, one after the other.
 *
 * <pre>
 * boolean, byte, int, long, double   as {@link Exporter} writes them
 * String, byte[], int[], long[]      likewise, with their lengths
 * other arrays, List                 number of elements, elements
 * enum                               1 byte: its place, from 0 on
 * record                             its components
 * sealed interface of records        1 byte: the place of the record among those permitted, from 1
 *                                    on; the record
 * anything {@code @Nullable}         boolean: whether it is there; itself
 * Optional                           likewise
 * </pre>
 *
 * <p>So the order of components, constants and permitted records is that on the wire. What is read
 * goes through the constructor of the record, whose objections make the message a malformed one.
 * Any thread. Looks at each class by reflection once, and keeps method handles of what it found.
 */
final class RecordCodec {
    /** How values of one type travel; null only if that is a nullable one. */
    private record Part(
            BiConsumer<@Nullable Object, Exporter> writer,
            Function<Importer, @Nullable Object> reader) {
        @SuppressWarnings("unchecked") // of what the component or the array is of
        static <T> Part of(BiConsumer<Exporter, T> writer, Function<Importer, T> reader) {
            return new Part(
                    (value, out) -> writer.accept(out, (T) Objects.requireNonNull(value)),
                    reader::apply);
        }
    }

    private static final Map<Class<?>, Part> SIMPLE = simple();

    /** By class. */
    private static final ClassValue<Part> PARTS = byClass(RecordCodec::part);

    private static final ClassValue<MessageType<?>> TYPES = byClass(RecordCodec::messageType);
    private static final ClassValue<MessageType<?>> RESPONSES = byClass(RecordCodec::response);

    private RecordCodec() {}

    @SuppressWarnings("unchecked") // made of that class
    static <M extends Message> MessageType<M> type(Class<M> record) {
        return (MessageType<M>) TYPES.get(record);
    }

    @SuppressWarnings("unchecked") // the request says so
    static <R extends Message> MessageType<R> responseType(Class<?> request) {
        return (MessageType<R>) RESPONSES.get(request);
    }

    /** Writes a record. */
    static void write(Object record, Exporter out) {
        PARTS.get(record.getClass()).writer.accept(record, out);
    }

    /** Reads a record. */
    static <T> T read(Class<T> record, Importer in) {
        return record.cast(PARTS.get(record).reader.apply(in));
    }

    private static <T> ClassValue<T> byClass(Function<Class<?>, T> made) {
        return new ClassValue<>() {
            @Override
            protected T computeValue(Class<?> type) {
                return made.apply(type);
            }
        };
    }

    private static MessageType<?> messageType(Class<?> record) {
        RecordMessage.TypeId id = record.getAnnotation(RecordMessage.TypeId.class);
        if (id == null) {
            throw new IllegalArgumentException(record + " bears no @RecordMessage.TypeId");
        }
        return new MessageType<>(
                id.value(), record.getSimpleName(), in -> (Message) read(record, in));
    }

    private static MessageType<?> response(Class<?> request) {
        return responseClass(request)
                .map(TYPES::get)
                .orElseThrow(() ->
                        new IllegalArgumentException(request + " does not name its response"));
    }

    /** What a request, or one of its kinds, says that it is a {@link RecordRequest} for. */
    private static Optional<Class<?>> responseClass(Class<?> request) {
        for (Type each : request.getGenericInterfaces()) {
            Class<?> kind =
                    (Class<?>) (each instanceof ParameterizedType of ? of.getRawType() : each);
            if (RecordRequest.class.isAssignableFrom(kind)
                    && each instanceof ParameterizedType of
                    && of.getActualTypeArguments()[0] instanceof Class<?> response) {
                return Optional.of(response);
            }
            Optional<Class<?>> found = responseClass(kind);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Map<Class<?>, Part> simple() {
        Map<Class<?>, Part> parts = new HashMap<>();
        parts.put(boolean.class, Part.of(Exporter::writeBoolean, Importer::readBoolean));
        parts.put(byte.class, Part.of(Exporter::writeByte, Importer::readByte));
        parts.put(int.class, Part.of(Exporter::writeInt, Importer::readInt));
        parts.put(Integer.class, parts.get(int.class));
        parts.put(long.class, Part.of(Exporter::writeLong, Importer::readLong));
        parts.put(Long.class, parts.get(long.class));
        parts.put(double.class, Part.of(Exporter::writeDouble, Importer::readDouble));
        parts.put(String.class, Part.of(Exporter::writeString, Importer::readString));
        parts.put(byte[].class, Part.<byte[]>of(Exporter::writeBytes, Importer::readBytes));
        parts.put(int[].class, Part.<int[]>of(Exporter::writeInts, Importer::readInts));
        parts.put(long[].class, Part.<long[]>of(Exporter::writeLongs, Importer::readLongs));
        return Map.copyOf(parts);
    }

    private static Part part(AnnotatedType type) {
        Part part =
                switch (type) {
                    case AnnotatedParameterizedType of -> {
                        Part inner = part(of.getAnnotatedActualTypeArguments()[0]);
                        boolean isList =
                                ((ParameterizedType) of.getType()).getRawType() == List.class;
                        yield isList ? list(inner) : wrapped(optional(inner));
                    }
                    case AnnotatedArrayType array when !SIMPLE.containsKey(array.getType()) ->
                            array(array.getAnnotatedGenericComponentType());
                    default -> PARTS.get((Class<?>) type.getType());
                };
        return type.isAnnotationPresent(Nullable.class) ? optional(part) : part;
    }

    private static Part part(Class<?> type) {
        Part simple = SIMPLE.get(type);
        if (simple != null) {
            return simple;
        }
        if (type.isEnum()) {
            return constant(type);
        }
        if (type.isRecord()) {
            return record(type);
        }
        if (type.isSealed()) {
            return alternative(type);
        }
        throw new IllegalArgumentException(type + " is no part of a message");
    }

    private static Part optional(Part part) {
        return new Part(
                (value, out) -> {
                    out.writeBoolean(value != null);
                    if (value != null) {
                        part.writer.accept(value, out);
                    }
                },
                in -> in.readBoolean() ? part.reader.apply(in) : null);
    }

    private static Part wrapped(Part optional) {
        return Part.<Optional<?>>of(
                (out, value) -> optional.writer.accept(value.orElse(null), out),
                in -> Optional.ofNullable(optional.reader.apply(in)));
    }

    private static Part list(Part element) {
        return Part.<List<?>>of(
                (out, list) -> {
                    out.writeCompactInt(list.size());
                    list.forEach(each -> element.writer.accept(each, out));
                },
                in -> {
                    int count = in.readLength(1);
                    List<@Nullable Object> list = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        list.add(element.reader.apply(in));
                    }
                    return list;
                });
    }

    private static Part array(AnnotatedType element) {
        Part list = list(part(element));
        Object[] none = (Object[]) Array.newInstance((Class<?>) element.getType(), 0);
        return Part.<Object[]>of(
                (out, array) -> list.writer.accept(Arrays.asList(array), out),
                in -> ((List<?>) Objects.requireNonNull(list.reader.apply(in))).toArray(none));
    }

    private static Part constant(Class<?> type) {
        List<?> constants = List.of(Objects.requireNonNull(type.getEnumConstants()));
        return Part.<Object>of(
                (out, constant) -> out.writeByte((byte) constants.indexOf(constant)),
                in -> constants.get(place(type, in, 0, constants.size())));
    }

    private static Part alternative(Class<?> type) {
        List<Class<?>> records = List.of(Objects.requireNonNull(type.getPermittedSubclasses()));
        return Part.of(
                (out, record) -> {
                    out.writeByte((byte) (1 + records.indexOf(record.getClass())));
                    write(record, out);
                },
                in -> read(records.get(place(type, in, 1, records.size())), in));
    }

    private static int place(Class<?> type, Importer in, int first, int count) {
        int number = in.readByte();
        if (number < first || number - first >= count) {
            throw new MalformedMessageException(
                    "unknown " + type.getSimpleName() + " number " + number);
        }
        return number - first;
    }

    private static Part record(Class<?> type) {
        RecordComponent[] components = Objects.requireNonNull(type.getRecordComponents());
        Part[] parts = new Part[components.length];
        MethodHandle[] accessors = new MethodHandle[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            parts[i] = part(components[i].getAnnotatedType());
            accessors[i] = accessor(components[i]);
            types[i] = components[i].getType();
        }
        MethodHandle constructor = constructor(type, types);
        return Part.of(
                (out, record) -> {
                    for (int i = 0; i < parts.length; i++) {
                        parts[i].writer.accept(component(accessors[i], record), out);
                    }
                },
                in -> {
                    @Nullable Object[] values = new Object[parts.length];
                    for (int i = 0; i < parts.length; i++) {
                        values[i] = parts[i].reader.apply(in);
                    }
                    return made(type, constructor, values);
                });
    }

    private static MethodHandle accessor(RecordComponent component) {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        try {
            return MethodHandles.lookup()
                    .unreflect(accessor)
                    .asType(MethodType.methodType(Object.class, Object.class));
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(accessor + " cannot be read", e);
        }
    }

    private static MethodHandle constructor(Class<?> record, Class<?>[] types) {
        try {
            Constructor<?> constructor = record.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return MethodHandles.lookup()
                    .unreflectConstructor(constructor)
                    .asFixedArity()
                    .asSpreader(Object[].class, types.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(record + " is no record", e);
        }
    }

    private static @Nullable Object component(MethodHandle accessor, Object record) {
        try {
            return (Object) accessor.invokeExact(record);
        } catch (Throwable e) {
            throw new IllegalStateException(record.getClass() + " cannot be read", e);
        }
    }

    private static Object made(
            Class<?> record, MethodHandle constructor, @Nullable Object[] values) {
        try {
            return (Object) constructor.invokeExact(values);
        } catch (Error e) {
            throw e; // no objection of the record to its values
        } catch (Throwable e) {
            throw new MalformedMessageException(
                    "bad " + record.getSimpleName() + ": " + e.getMessage());
        }
    }
}
