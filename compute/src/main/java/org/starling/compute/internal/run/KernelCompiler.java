package org.starling.compute.internal.run;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.AdjacencyLayout;

/**
 * Makes copies of kernel classes so that each copy sees one program or one combiner only.
 *
 * <p>A loop that calls user code is fast while the call has one target. When several programs have
 * run in a process, a shared loop has seen them all and calls through a table. So each kernel is a
 * template, defined anew as a hidden class for each key: its profile is its own, and its constant
 * (class data, see {@link MethodHandles#classData}) folds away. Copies are kept for as long as the
 * class of the program or combiner is, one for each key; keys are classes, enum constants and
 * layouts of rows, of which there are four, not instances, so their number is bounded by the code
 * there is, and those of a class loader go with it. A combiner that has fields may differ from
 * others of its class: its copies are its own, made anew for each channel and gone with it.
 */
final class KernelCompiler {
    private static final Lookup LOOKUP = MethodHandles.lookup();

    /** Copies by the class that they are made for, which alone holds them. */
    private static final ClassValue<Map<Key, Object>> COPIES =
            new ClassValue<>() {
                @Override
                protected Map<Key, Object> computeValue(Class<?> type) {
                    return new ConcurrentHashMap<>();
                }
            };

    private KernelCompiler() {}

    private record Key(Class<?> template, Object key, @Nullable AdjacencyLayout rows) {}

    /** A pull kernel for a channel's type and combiner and a graph's rows. */
    static PullKernel pull(ValueOp op, AdjacencyLayout rows) {
        return (PullKernel) copy(PullLoop.class, new KernelConstants(op, rows));
    }

    /** A push kernel for a channel's type and combiner and a graph's rows. */
    static PushKernel push(ValueOp op, AdjacencyLayout rows) {
        return (PushKernel) copy(PushLoop.class, new KernelConstants(op, rows));
    }

    /** A loop that calls a vertex program of this class. */
    static VertexKernel vertices(Class<?> program) {
        return (VertexKernel)
                COPIES.get(program)
                        .computeIfAbsent(
                                new Key(VertexLoop.class, program, null),
                                _ -> define(VertexLoop.class, null));
    }

    private static Object copy(Class<?> template, KernelConstants constants) {
        ValueOp op = constants.op();
        Object combiner =
                switch (op) {
                    case ValueOp.OfInt(var own) -> own;
                    case ValueOp.OfLong(var own) -> own;
                    case ValueOp.OfFloat(var own) -> own;
                    case ValueOp.OfDouble(var own) -> own;
                    case ValueOp.OfVertex vertex -> vertex;
                };
        boolean isValue = combiner instanceof Enum<?> || combiner instanceof ValueOp.OfVertex;
        if (!isValue && hasFields(combiner.getClass())) {
            return define(template, constants);
        }
        Object key = isValue ? op : combiner.getClass();
        return COPIES.get(combiner.getClass())
                .computeIfAbsent(
                        new Key(template, key, constants.rows()), _ -> define(template, constants));
    }

    private static boolean hasFields(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Object define(Class<?> template, @Nullable Object constant) {
        String file = template.getSimpleName() + ".class";
        try (InputStream in = template.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("class file " + file + " is missing");
            }
            byte[] bytes = in.readAllBytes();
            Lookup copy =
                    constant == null
                            ? LOOKUP.defineHiddenClass(bytes, true)
                            : LOOKUP.defineHiddenClassWithClassData(bytes, constant, true);
            return copy.lookupClass().getDeclaredConstructor().newInstance();
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException("cannot define a copy of " + file, e);
        }
    }
}
