package org.starling.compute.internal.run;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes copies of kernel classes so that each copy sees one program or one combiner only.
 *
 * <p>A loop that calls user code is fast while the call has one target. When several programs have
 * run in a process, a shared loop has seen them all and calls through a table. So each kernel is a
 * template, defined anew as a hidden class for each key: its profile is its own, and its constant
 * (class data, see {@link MethodHandles#classData}) folds away. Copies are kept for the life of the
 * process, one for each key; keys are classes and enum constants, not instances, so their number is
 * bounded by the code there is.
 */
final class KernelCompiler {
    private static final Lookup LOOKUP = MethodHandles.lookup();
    private static final Map<Key, Object> COPIES = new ConcurrentHashMap<>();

    private KernelCompiler() {}

    private record Key(Class<?> template, Object key) {}

    /** A pull kernel for a channel's type and combiner. */
    static PullKernel pull(ValueOp op) {
        return (PullKernel) copy(PullLoop.class, keyOf(op), op);
    }

    /** A push kernel for a channel's type and combiner. */
    static PushKernel push(ValueOp op) {
        return (PushKernel) copy(PushLoop.class, keyOf(op), op);
    }

    /** A loop that calls a vertex program of this class. */
    static VertexKernel vertices(Class<?> program) {
        return (VertexKernel) copy(VertexLoop.class, program, null);
    }

    private static Object copy(Class<?> template, Object key, @Nullable Object constant) {
        return COPIES.computeIfAbsent(new Key(template, key), _ -> define(template, constant));
    }

    /**
     * Own combiners have no state worth telling apart: one copy serves all instances of a class.
     */
    private static Object keyOf(ValueOp op) {
        return switch (op) {
            case ValueOp.OfInt(var combiner) ->
                    combiner instanceof Enum<?> ? op : combiner.getClass();
            case ValueOp.OfLong(var combiner) ->
                    combiner instanceof Enum<?> ? op : combiner.getClass();
            case ValueOp.OfFloat(var combiner) ->
                    combiner instanceof Enum<?> ? op : combiner.getClass();
            case ValueOp.OfDouble(var combiner) ->
                    combiner instanceof Enum<?> ? op : combiner.getClass();
            case ValueOp.OfVertex vertex -> vertex;
        };
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
